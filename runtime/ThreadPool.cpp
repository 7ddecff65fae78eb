// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fork and join of one launch over the session's threads.
#include "runtime/ThreadPool.h"

#include <algorithm>
#include <sched.h>

using namespace moelle;

static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

unsigned ThreadPool::availableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? std::max(CPU_COUNT(&set), 1) : 1;
}

ThreadPool::ThreadPool(unsigned threads) {
  // About 100 us of spinning covers the serial commands between two launches.
  spins = threads > availableCores() ? 0 : 8000;
  for (unsigned i = 1; i < threads; ++i) {
    workers.emplace_back([this, i] { work(i); });
  }
}

ThreadPool::~ThreadPool() {
  stop = true;
  epoch.fetch_add(1);
  epoch.notify_all();
  for (std::thread &worker : workers) {
    worker.join();
  }
}

void ThreadPool::take(unsigned thread) {
  for (;;) {
    int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
    if (begin >= items) {
      return;
    }
    body(context, begin, std::min(begin + chunk, items), thread);
  }
}

void ThreadPool::work(unsigned thread) {
  uint32_t seen = 0;
  for (;;) {
    int left = spins;
    while (epoch.load(std::memory_order_acquire) == seen && left-- > 0) {
      relax();
    }
    epoch.wait(seen, std::memory_order_acquire);
    seen = epoch.load(std::memory_order_acquire);
    if (stop) {
      return;
    }
    take(thread);
    if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      busy.notify_one();
    }
  }
}

void ThreadPool::parallelFor(int64_t count, int64_t grain, Body function, void *state) {
  if (count <= grain || workers.empty()) {
    if (count > 0) {
      function(state, 0, count, 0);
    }
    return;
  }
  body = function;
  context = state;
  items = count;
  // Four ranges a thread even out threads of different speed.
  chunk = std::max<int64_t>(grain, count / (4 * static_cast<int64_t>(size())));
  next.store(0, std::memory_order_relaxed);
  busy.store(static_cast<uint32_t>(workers.size()), std::memory_order_relaxed);
  epoch.fetch_add(1, std::memory_order_release);
  epoch.notify_all();
  take(0);
  int left = spins;
  for (uint32_t running; (running = busy.load(std::memory_order_acquire)) != 0;) {
    if (left-- > 0) {
      relax();
    } else {
      busy.wait(running, std::memory_order_acquire);
    }
  }
}
