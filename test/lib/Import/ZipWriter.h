// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes archives for tests: stored members, no checksums.
#ifndef MOELLE_TEST_IMPORT_ZIPWRITER_H
#define MOELLE_TEST_IMPORT_ZIPWRITER_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace moelle::test {

using Members = std::vector<std::pair<std::string, std::string>>;

inline void put(std::string &out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    out += static_cast<char>(value >> (8 * i));
  }
}

/// A zip file of stored members. Like PyTorch's, its local headers carry no
/// sizes and an extra field that the central directory lacks.
inline std::string writeZip(const Members &members) {
  std::string out, directory;
  for (const auto &[name, data] : members) {
    put(directory, 0x02014b50, 4);
    put(directory, 0x0808'0000'0000, 6); // versions, flags
    put(directory, 0, 10);               // method, time, date, crc
    put(directory, data.size(), 4);
    put(directory, data.size(), 4);
    put(directory, name.size(), 2);
    put(directory, 0, 12); // extra, comment, disk, attributes
    put(directory, out.size(), 4);
    directory += name;

    put(out, 0x04034b50, 4);
    put(out, 0x0808'0000, 4); // version, flags
    put(out, 0, 18);          // method, time, date, crc, sizes
    put(out, name.size(), 2);
    put(out, 8, 2);
    out += name + std::string("FB\4\0ZZZZ", 8) + data;
  }
  size_t start = out.size();
  out += directory;
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, members.size(), 2);
  put(out, members.size(), 2);
  put(out, directory.size(), 4);
  put(out, start, 4);
  put(out, 0, 2);
  return out;
}

/// The members of an archive under the root folder `r`.
inline Members makeProgram(const std::string &program,
                           const std::string &weights = "{}") {
  return {{"r/archive_format", "pt2"},
          {"r/models/model.json", program},
          {"r/data/weights/model_weights_config.json",
           "{\"config\": " + weights + "}"}};
}

/// An integer list as the export schema writes it.
inline std::string ints(const std::vector<int64_t> &values) {
  std::string out = "[";
  for (int64_t value : values) {
    out += (out.size() > 1 ? ", " : "") +
           ("{\"as_int\": " + std::to_string(value)) + "}";
  }
  return out + "]";
}

/// A tensor's description: float32 unless `dtype` says otherwise.
inline std::string meta(const std::vector<int64_t> &sizes,
                        const std::vector<int64_t> &strides = {},
                        int64_t offset = 0, int dtype = 7) {
  return "{\"dtype\": " + std::to_string(dtype) +
         ", \"sizes\": " + ints(sizes) + ", \"strides\": " + ints(strides) +
         ", \"storage_offset\": {\"as_int\": " + std::to_string(offset) + "}}";
}

} // namespace moelle::test

#endif // MOELLE_TEST_IMPORT_ZIPWRITER_H
