// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads code by memfd and dlopen, so that no file is left behind.
#include "runtime/cpu/Code.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace moelle {

namespace {

class CpuCode final : public Code {
public:
  CpuCode(int file, void *handle) : file_(file), handle_(handle) {}
  ~CpuCode() override {
    dlclose(handle_);
    close(file_);
  }

  Result<void *> find(const std::string &symbol) const override {
    void *address = dlsym(handle_, symbol.c_str());
    // dlsym also looks into the libraries that the object depends on: 'exit'
    // is no kernel.
    Dl_info info;
    link_map *map = nullptr;
    bool ours =
        address && dladdr(address, &info) &&
        dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 &&
        reinterpret_cast<uintptr_t>(info.dli_fbase) == uintptr_t(map->l_addr);
    if (!ours) {
      return makeError(MOELLE_INVALID_ARTIFACT,
                       "kernel '%s' must be defined by the code",
                       symbol.c_str());
    }
    return address;
  }

private:
  // Open as long as the library: the loader tells libraries apart by path, and
  // a second memfd must not get the same number.
  int file_;
  void *handle_;
};

} // namespace

Result<std::shared_ptr<Code>> loadCpuCode(std::span<const std::byte> object) {
  int file = memfd_create("moelle-kernels", MFD_CLOEXEC);
  if (file < 0) {
    return makeError(MOELLE_IO_ERROR, "cannot create memory for code: %s",
                     std::strerror(errno));
  }
  for (size_t written = 0; written < object.size();) {
    ssize_t count =
        write(file, object.data() + written, object.size() - written);
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      Status status = makeError(MOELLE_IO_ERROR, "cannot store code: %s",
                                std::strerror(errno));
      close(file);
      return status;
    }
    written += size_t(count);
  }
  std::string path = "/proc/self/fd/" + std::to_string(file);
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    Status status = makeError(MOELLE_INVALID_ARTIFACT, "cannot load code: %s",
                              reason ? reason : "unknown error");
    close(file);
    return status;
  }
  return std::shared_ptr<Code>(std::make_shared<CpuCode>(file, handle));
}

} // namespace moelle
