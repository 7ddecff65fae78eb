// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file mapped for reading.
#ifndef MOELLE_RUNTIME_MAPPEDFILE_H
#define MOELLE_RUNTIME_MAPPEDFILE_H

#include "runtime/Status.h"

#include <cstddef>
#include <span>

namespace moelle {

/// Thread-safe once open. Unmaps on destruction; movable.
class MappedFile {
public:
  MappedFile() = default;
  MappedFile(MappedFile &&other) noexcept { *this = std::move(other); }
  MappedFile &operator=(MappedFile &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedFile();

  /// Refuses what is not a regular file. An empty file maps to an empty span.
  static Result<MappedFile> open(const std::string &path);

  std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
  const std::byte *data_ = nullptr;
  size_t size_ = 0;
};

} // namespace moelle

#endif // MOELLE_RUNTIME_MAPPEDFILE_H
