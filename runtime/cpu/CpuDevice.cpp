// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs launches and copies at once, on the thread pool.
#include "runtime/cpu/CpuDevice.h"
#include "runtime/Env.h"
#include "runtime/cpu/Code.h"
#include "runtime/cpu/ThreadPool.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <sys/mman.h>

namespace moelle {

namespace {

// Smaller copies cost less than a fork.
constexpr int64_t kCopyGrain = 256 * 1024;
constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t(2) << 20;

class CpuDevice final : public Device {
public:
  explicit CpuDevice(std::unique_ptr<ThreadPool> pool)
      : pool_(std::move(pool)) {}
  ~CpuDevice() override { release(scratch_, scratchBytes_); }

  const char *name() const override { return "cpu"; }
  uint32_t parallelism() const override { return pool_->threads(); }

  Result<void *> allocate(size_t bytes, size_t alignment) override {
    if (alignment > kPage) {
      return makeError(MOELLE_UNSUPPORTED,
                       "alignment must be at most %zu, but got %zu", kPage,
                       alignment);
    }
    if (bytes == 0) {
      return static_cast<void *>(nullptr);
    }
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      return makeError(MOELLE_OUT_OF_MEMORY, "cannot allocate %zu bytes: %s",
                       bytes, std::strerror(errno));
    }
    if (bytes >= kHugePage) {
      madvise(memory, bytes, MADV_HUGEPAGE); // only speed depends on it
    }
    return memory;
  }

  void release(void *memory, size_t bytes) override {
    if (memory) {
      munmap(memory, bytes);
    }
  }

  Status reserveScratch(uint64_t bytes) override {
    // A stride of whole pages keeps the threads' scratch on pages of their own.
    uint64_t stride = (bytes + kPage - 1) / kPage * kPage;
    if (stride <= scratchStride_) {
      return {};
    }
    MOELLE_ASSIGN_OR_RETURN(memory, allocate(stride * pool_->threads(), kPage));
    release(scratch_, scratchBytes_);
    scratch_ = static_cast<std::byte *>(memory);
    scratchBytes_ = stride * pool_->threads();
    scratchStride_ = stride;
    return {};
  }

  Status launch(const LaunchRequest &request) override {
    auto kernel = reinterpret_cast<CpuKernel>(request.kernel);
    assert(request.scratchBytes <= scratchStride_);
    pool_->parallelFor(request.grid, request.grain,
                       [&](int64_t begin, int64_t end, uint32_t thread) {
                         kernel(request.operands, begin, end,
                                scratch_ + thread * scratchStride_);
                       });
    return {};
  }

  Status copy(void *destination, const void *source, uint64_t bytes) override {
    pool_->parallelFor(
        int64_t(bytes), kCopyGrain, [&](int64_t begin, int64_t end, uint32_t) {
          std::memcpy(static_cast<std::byte *>(destination) + begin,
                      static_cast<const std::byte *>(source) + begin,
                      size_t(end - begin));
        });
    return {};
  }

  Status synchronise() override { return {}; }

private:
  std::unique_ptr<ThreadPool> pool_;
  std::byte *scratch_ = nullptr;
  uint64_t scratchBytes_ = 0;
  uint64_t scratchStride_ = 0;
};

} // namespace

Result<std::unique_ptr<Device>> createCpuDevice(uint32_t threads) {
  if (threads == 0) {
    MOELLE_ASSIGN_OR_RETURN(chosen, defaultThreads());
    threads = chosen;
  }
  MOELLE_ASSIGN_OR_RETURN(spin, spinLimit());
  MOELLE_ASSIGN_OR_RETURN(pool, ThreadPool::create(threads, spin));
  return std::unique_ptr<Device>(new CpuDevice(std::move(pool)));
}

} // namespace moelle
