// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool of ThreadPool.h.
#include "runtime/cpu/ThreadPool.h"
#include "runtime/Env.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace moelle {

namespace {

constexpr uint32_t kChunkBits = 24;
constexpr uint64_t kChunkMask = (uint64_t(1) << kChunkBits) - 1;
// Chunks a thread: enough to even out unequal work, few enough to be cheap.
constexpr int64_t kChunksPerThread = 8;

// Threads of all pools: ranks in one process share the cores.
std::atomic<uint32_t> processThreads{0};
// Raised in each forked child, where no pool's threads exist.
std::atomic<uint32_t> forkCount{0};

void pauseThread() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

// Rounding, denormal and trap bits, without the sticky flags.
uint32_t floatMode() {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3fu;
#else
  return 0;
#endif
}

void setFloatMode([[maybe_unused]] uint32_t mode) {
#if defined(__x86_64__)
  if (floatMode() != mode) {
    _mm_setcsr(mode);
  }
#endif
}

void futexWait(std::atomic<uint32_t> &word, uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

void futexWake(std::atomic<uint32_t> &word, uint32_t count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

} // namespace

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(uint32_t threads,
                                                       uint32_t spin) {
  if (threads < 1 || threads > 4096) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "number of threads must be in [1, 4096], but got %u",
                     threads);
  }
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    forkCount.fetch_add(1, std::memory_order_relaxed);
    processThreads.store(0, std::memory_order_relaxed);
  });
  if (registered != 0) {
    return makeError(MOELLE_INTERNAL, "cannot register a fork handler: %s",
                     std::strerror(registered));
  }
  std::unique_ptr<ThreadPool> pool(new ThreadPool);
  pool->spin_ = spin;
  pool->cores_ = availableCores();
  pool->forkCount_ = forkCount.load(std::memory_order_relaxed);
  pool->workers_.reserve(threads - 1); // workers keep pointers into it
  processThreads.fetch_add(1, std::memory_order_relaxed);
  // Signals are the application's: workers take none.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = 0;
  for (uint32_t i = 1; i < threads && error == 0; ++i) {
    Worker &worker = pool->workers_.emplace_back();
    worker.pool = pool.get();
    worker.thread = i;
    error = pthread_create(&worker.handle, nullptr, workerMain, &worker);
    if (error != 0) {
      pool->workers_.pop_back();
    } else {
      processThreads.fetch_add(1, std::memory_order_relaxed);
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) {
    return makeError(MOELLE_UNSUPPORTED, "cannot start %u threads: %s", threads,
                     std::strerror(error));
  }
  return pool;
}

ThreadPool::~ThreadPool() {
  if (forkCount_ != forkCount.load(std::memory_order_relaxed)) {
    return; // the workers stayed with the parent
  }
  stop_.store(true, std::memory_order_seq_cst);
  wake_.fetch_add(1, std::memory_order_seq_cst);
  futexWake(wake_, INT_MAX);
  for (Worker &worker : workers_) {
    pthread_join(worker.handle, nullptr);
  }
  processThreads.fetch_sub(threads(), std::memory_order_relaxed);
}

bool ThreadPool::maySpin() const {
  return processThreads.load(std::memory_order_relaxed) <= cores_;
}

void *ThreadPool::workerMain(void *argument) {
  auto *worker = static_cast<Worker *>(argument);
  worker->pool->workerLoop(worker->thread);
  return nullptr;
}

void ThreadPool::workerLoop(uint32_t thread) {
  uint64_t seen = 0; // region of the last ticket looked at
  while (true) {
    uint32_t spins = maySpin() ? spin_ : 0;
    uint64_t region = seen;
    for (uint32_t i = 0; i < spins; ++i) {
      region = ticket_.load(std::memory_order_acquire) >> kChunkBits;
      if (region != seen || stop_.load(std::memory_order_relaxed)) {
        break;
      }
      pauseThread();
    }
    if (region == seen) {
      // The caller raises `wake_` after the ticket and then looks at
      // `sleepers_`; here the order is reversed, so one sees the other.
      sleepers_.fetch_add(1, std::memory_order_seq_cst);
      uint32_t wake = wake_.load(std::memory_order_seq_cst);
      region = ticket_.load(std::memory_order_seq_cst) >> kChunkBits;
      if (region == seen && !stop_.load(std::memory_order_seq_cst)) {
        futexWait(wake_, wake);
      }
      sleepers_.fetch_sub(1, std::memory_order_seq_cst);
      region = ticket_.load(std::memory_order_acquire) >> kChunkBits;
    }
    if (stop_.load(std::memory_order_acquire)) {
      return;
    }
    if (region != seen) {
      seen = runChunks(region, thread);
    }
  }
}

// Claims and runs chunks of `region` until none is left; returns the region.
uint64_t ThreadPool::runChunks(uint64_t region, uint32_t thread) {
  uint32_t finished = 0;
  uint64_t ticket = ticket_.load(std::memory_order_acquire);
  while (ticket >> kChunkBits == region) {
    // Read before claiming: a successful claim proves that they belong to this
    // region, since the next one starts only after its last chunk.
    Body body = body_.load(std::memory_order_relaxed);
    void *context = context_.load(std::memory_order_relaxed);
    int64_t grid = grid_.load(std::memory_order_relaxed);
    int64_t size = chunkSize_.load(std::memory_order_relaxed);
    uint32_t chunks = chunks_.load(std::memory_order_relaxed);
    uint32_t mode = floatMode_.load(std::memory_order_relaxed);
    uint64_t chunk = ticket & kChunkMask;
    if (chunk >= chunks) {
      break;
    }
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1,
                                       std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
      continue;
    }
    if (thread != 0) {
      setFloatMode(mode);
    }
    int64_t begin = int64_t(chunk) * size;
    body(context, begin, begin + std::min(size, grid - begin), thread);
    ++finished;
    ticket = ticket_.load(std::memory_order_acquire);
  }
  if (finished) {
    // `finished` is reported once: the region cannot end before it.
    done_.fetch_add(finished, std::memory_order_seq_cst);
    if (thread != 0 && callerSleeps_.load(std::memory_order_seq_cst)) {
      futexWake(done_, 1);
    }
  }
  return region;
}

void ThreadPool::waitForChunks(uint32_t count) {
  uint32_t spins = maySpin() ? spin_ : 0;
  for (uint32_t i = 0; i < spins; ++i) {
    if (done_.load(std::memory_order_acquire) == count) {
      return;
    }
    pauseThread();
  }
  callerSleeps_.store(1, std::memory_order_seq_cst);
  uint32_t done;
  while ((done = done_.load(std::memory_order_seq_cst)) != count) {
    futexWait(done_, done);
  }
  callerSleeps_.store(0, std::memory_order_relaxed);
}

void ThreadPool::parallelFor(int64_t grid, int64_t grain, Body body,
                             void *context) {
  if (grid <= 0) {
    return;
  }
  if (grid <= grain || workers_.empty() ||
      forkCount_ != forkCount.load(std::memory_order_relaxed)) {
    body(context, 0, grid, 0);
    return;
  }
  int64_t most = int64_t(threads()) * kChunksPerThread;
  int64_t size = std::max(grain, grid / most + (grid % most != 0));
  auto chunks = uint32_t(grid / size + (grid % size != 0));
  body_.store(body, std::memory_order_relaxed);
  context_.store(context, std::memory_order_relaxed);
  grid_.store(grid, std::memory_order_relaxed);
  chunkSize_.store(size, std::memory_order_relaxed);
  chunks_.store(chunks, std::memory_order_relaxed);
  floatMode_.store(floatMode(), std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  uint64_t region =
      ((ticket_.load(std::memory_order_relaxed) >> kChunkBits) + 1) &
      (~uint64_t(0) >> kChunkBits);
  ticket_.store(region << kChunkBits, std::memory_order_seq_cst);
  wake_.fetch_add(1, std::memory_order_seq_cst);
  if (uint32_t sleepers = sleepers_.load(std::memory_order_seq_cst)) {
    futexWake(wake_, std::min(sleepers, chunks - 1));
  }
  runChunks(region, 0);
  waitForChunks(chunks);
}

} // namespace moelle
