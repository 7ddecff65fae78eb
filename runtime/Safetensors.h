// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes safetensors files.
#ifndef MOELLE_RUNTIME_SAFETENSORS_H
#define MOELLE_RUNTIME_SAFETENSORS_H

#include "runtime/MappedFile.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace moelle {

/// Largest header read or written: room for 1.3 million names (132 MB).
inline constexpr uint64_t kMaxSafetensorsHeader = uint64_t(256) << 20;

/// A tensor of a file, or one to write. Row-major.
struct SafetensorsEntry {
  std::string name;
  moelle_dtype dtype = MOELLE_DTYPE_NONE;
  std::vector<int64_t> shape;
  const std::byte *data = nullptr; // points into the mapped file when read
  uint64_t bytes = 0;
};

using SafetensorsMetadata = std::map<std::string, std::string>;

/// Thread-safe once open. Keeps the file mapped; its data is not copied.
class SafetensorsFile {
public:
  /// Refuses any file whose header and data do not agree, naming tensor and
  /// rule. Blocks; allocates in the size of the header.
  static Result<SafetensorsFile> open(const std::string &path);
  /// The same for bytes that the caller keeps alive.
  static Result<SafetensorsFile> parse(std::span<const std::byte> bytes);

  /// In the order of their data.
  std::span<const SafetensorsEntry> entries() const { return entries_; }
  /// Null where there is no such name.
  const SafetensorsEntry *find(std::string_view name) const;
  const SafetensorsMetadata &metadata() const { return metadata_; }

private:
  Status read(std::span<const std::byte> bytes);

  MappedFile file_;
  std::vector<SafetensorsEntry> entries_;
  std::vector<uint32_t> byName_; // entries in the order of names
  SafetensorsMetadata metadata_;
};

/// Writes to a temporary file beside `path` and renames it: on failure nothing
/// is left behind and a previous file stays. `bytes` must be that of the shape.
Status writeSafetensors(const std::string &path,
                        std::span<const SafetensorsEntry> entries,
                        const SafetensorsMetadata &metadata = {});

} // namespace moelle

#endif // MOELLE_RUNTIME_SAFETENSORS_H
