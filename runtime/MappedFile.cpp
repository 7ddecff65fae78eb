// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps files with mmap.
#include "runtime/MappedFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace moelle {

MappedFile::~MappedFile() {
  if (data_) {
    munmap(const_cast<std::byte *>(data_), size_);
  }
}

Result<MappedFile> MappedFile::open(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    int error = errno;
    return makeError(error == ENOENT ? MOELLE_NOT_FOUND : MOELLE_IO_ERROR,
                     "cannot open '%s': %s", path.c_str(),
                     std::strerror(error));
  }
  struct stat facts;
  MappedFile result;
  Status status;
  if (fstat(file, &facts) != 0) {
    status = makeError(MOELLE_IO_ERROR, "cannot read '%s': %s", path.c_str(),
                       std::strerror(errno));
  } else if (!S_ISREG(facts.st_mode)) {
    status =
        makeError(MOELLE_IO_ERROR, "'%s' must be a regular file", path.c_str());
  } else if (facts.st_size > 0) {
    void *data =
        mmap(nullptr, size_t(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) {
      status = makeError(MOELLE_IO_ERROR, "cannot map '%s': %s", path.c_str(),
                         std::strerror(errno));
    } else {
      result.data_ = static_cast<const std::byte *>(data);
      result.size_ = size_t(facts.st_size);
    }
  }
  close(file);
  if (!status.ok()) {
    return status;
  }
  return result;
}

} // namespace moelle
