// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A .pt2 file: its members, program and weights, mapped and checked.
#ifndef MOELLE_IMPORT_ARCHIVE_H
#define MOELLE_IMPORT_ARCHIVE_H

#include "lib/Import/ZipDirectory.h"

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moelle {

/// A tensor's place in the archive: a strided view of a raw storage.
struct WeightView {
  std::string member; ///< file that holds the storage; tied names share it
  int dtype = 0;      ///< ScalarType code of the export schema
  std::vector<int64_t> sizes, strides; ///< in elements
  int64_t storageOffset = 0;           ///< in elements
};

/// An open archive. Immutable after `open`, so safe to share between threads.
/// The file stays mapped; weights are read on demand and never copied here.
class Archive {
public:
  /// Opens and checks a file. On failure returns null and sets `error` to one
  /// message that names the file and the rule it breaks.
  static std::unique_ptr<Archive> open(const std::string &path,
                                       std::string &error);
  /// The same over `size` bytes that the caller keeps alive.
  static std::unique_ptr<Archive>
  open(std::string_view bytes, const std::string &name, std::string &error);
  ~Archive();

  /// The exported program (models/<name>.json).
  const nlohmann::json &getProgram() const { return program; }
  /// Parameters, buffers and constants by their names.
  const std::map<std::string, WeightView> &getWeights() const {
    return weights;
  }
  /// Copies a weight into `out` in row-major order; `out` gets
  /// numel * element size bytes. False with `error` set when the storage is
  /// absent, compressed or shorter than the view reaches.
  bool materialise(const std::string &name, std::vector<char> &out,
                   std::string &error) const;
  /// The bytes of a row-major contiguous weight inside the mapped file, valid
  /// as long as the archive. False with `error` set where `materialise` fails
  /// and for other strides.
  bool getContiguous(const std::string &name, std::string_view &out,
                     std::string &error) const;

  /// Bytes of an element of a ScalarType code, 0 where unknown.
  static int64_t getElementSize(int dtype);

private:
  Archive() = default;
  bool readMembers(std::string &error);
  bool readJson(const std::string &member, nlohmann::json &out,
                std::string &error) const;
  bool readWeights(const std::string &folder, const std::string &config,
                   std::string &error);

  /// A weight checked against its storage: first element, count, bytes each.
  struct Extent {
    const char *base = nullptr;
    int64_t numel = 0, elementSize = 0;
  };
  bool locate(const std::string &key, Extent &out, std::string &error) const;

  std::string name, root;
  std::string_view bytes;
  void *mapping = nullptr;
  std::map<std::string, ZipMember> members; ///< without the root folder
  std::map<std::string, WeightView> weights;
  nlohmann::json program;
};

} // namespace moelle

#endif // MOELLE_IMPORT_ARCHIVE_H
