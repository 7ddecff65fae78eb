// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fork-join over the cores: bounded spin, then futex.
#ifndef MOELLE_RUNTIME_CPU_THREADPOOL_H
#define MOELLE_RUNTIME_CPU_THREADPOOL_H

#include "runtime/Status.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <pthread.h>
#include <type_traits>
#include <vector>

namespace moelle {

/// Thread-compatible: one region at a time. Regions do not nest. A region
/// neither allocates nor takes a lock. Its threads run with the caller's
/// floating-point mode, so that the split cannot change a result. In a forked
/// child the pool has no threads and regions run on the caller alone.
class ThreadPool {
public:
  /// Items [begin, end) on thread `thread` (0: the caller).
  using Body = void (*)(void *context, int64_t begin, int64_t end,
                        uint32_t thread);

  /// `threads` counts the caller. `spin` as MOELLE_SPIN of Env.h.
  static Result<std::unique_ptr<ThreadPool>> create(uint32_t threads,
                                                    uint32_t spin);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;

  uint32_t threads() const { return uint32_t(workers_.size()) + 1; }

  /// Calls `body` over [0, grid) in chunks of at least `grain` items (the last
  /// may be smaller). One chunk runs inline and wakes nobody. Returns when all
  /// is done, and what was written is visible to the caller.
  void parallelFor(int64_t grid, int64_t grain, Body body, void *context);

  template <typename Function>
  void parallelFor(int64_t grid, int64_t grain, Function &&function) {
    using Callee = std::remove_reference_t<Function>;
    parallelFor(
        grid, grain,
        [](void *context, int64_t begin, int64_t end, uint32_t thread) {
          (*static_cast<Callee *>(context))(begin, end, thread);
        },
        const_cast<std::remove_const_t<Callee> *>(&function));
  }

private:
  struct Worker {
    ThreadPool *pool = nullptr;
    uint32_t thread = 0;
    pthread_t handle{};
  };

  ThreadPool() = default;
  static void *workerMain(void *worker);
  void workerLoop(uint32_t thread);
  uint64_t runChunks(uint64_t epoch, uint32_t thread);
  void waitForChunks(uint32_t count);
  bool maySpin() const;

  // The region. A chunk is claimed by advancing `ticket_`, which holds the
  // region's number (high 40 bits) and the next chunk (low 24): a thread that
  // comes late fails to claim, whatever it read of the other fields.
  alignas(64) std::atomic<uint64_t> ticket_{0};
  std::atomic<Body> body_{nullptr};
  std::atomic<void *> context_{nullptr};
  std::atomic<int64_t> grid_{0};
  std::atomic<int64_t> chunkSize_{1};
  std::atomic<uint32_t> chunks_{0};
  std::atomic<uint32_t> floatMode_{0};

  alignas(64) std::atomic<uint32_t> done_{0};
  std::atomic<uint32_t> callerSleeps_{0};

  alignas(64) std::atomic<uint32_t> wake_{0};
  std::atomic<uint32_t> sleepers_{0};
  std::atomic<bool> stop_{false};

  uint32_t spin_ = 0;
  uint32_t cores_ = 1;
  uint32_t forkCount_ = 0;
  std::vector<Worker> workers_;
};

} // namespace moelle

#endif // MOELLE_RUNTIME_CPU_THREADPOOL_H
