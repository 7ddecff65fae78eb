// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that share the work items of one launch at a time.
#ifndef MOELLE_RUNTIME_THREADPOOL_H
#define MOELLE_RUNTIME_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace moelle {

/// Thread-compatible. Waiting threads spin for a bounded time, then sleep in
/// the kernel; they do not spin at all when there are more of them than cores.
class ThreadPool {
public:
  using Body = void (*)(void *context, int64_t begin, int64_t end, unsigned thread);

  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  unsigned size() const { return static_cast<unsigned>(workers.size()) + 1; }

  /// Calls `body` on disjoint ranges that cover [0, items), at least `grain`
  /// long but for the last. Work that fits one range runs on the caller.
  void parallelFor(int64_t items, int64_t grain, Body body, void *context);
  /// Cores that this process may use.
  static unsigned availableCores();

private:
  void work(unsigned thread);
  void take(unsigned thread);

  std::vector<std::thread> workers;
  int spins;
  Body body = nullptr;
  void *context = nullptr;
  int64_t items = 0, chunk = 1;
  alignas(64) std::atomic<int64_t> next{0};
  alignas(64) std::atomic<uint32_t> epoch{0};
  alignas(64) std::atomic<uint32_t> busy{0};
  std::atomic<bool> stop{false};
};

} // namespace moelle

#endif // MOELLE_RUNTIME_THREADPOOL_H
