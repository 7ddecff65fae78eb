// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one interface that carries data between ranks.
#ifndef MOELLE_RUNTIME_COMMUNICATOR_H
#define MOELLE_RUNTIME_COMMUNICATOR_H

#include "runtime/Status.h"

#include <chrono>
#include <cstdint>
#include <span>

namespace moelle {

enum class Reduction : uint8_t { Sum = 1, Product = 2, Min = 3, Max = 4 };

/// A started collective; zero is none.
struct CollectiveToken {
  uint64_t id = 0;
};

/// Thread-compatible, except `abort` and `status`, which are thread-safe.
/// Collective: all ranks issue the same calls in the same order. Buffers are
/// the caller's again when `wait` on the token returns. `start*` neither
/// blocks nor allocates; `wait` blocks up to the timeout, then aborts. Counts
/// are elements. Send and receive buffers are equal (in place) or disjoint.
/// NCCL equivalents stand behind each call.
class Communicator {
public:
  virtual ~Communicator() = default;

  virtual uint32_t rank() const = 0;
  virtual uint32_t worldSize() const = 0;

  virtual Result<CollectiveToken>
  startAllReduce(const void *send, void *receive, uint64_t count,
                 moelle_dtype dtype, Reduction reduction) = 0; // ncclAllReduce
  /// `count` is what each rank gives.
  virtual Result<CollectiveToken>
  startAllGather(const void *send, void *receive, uint64_t count,
                 moelle_dtype dtype) = 0; // ncclAllGather
  /// `count` is what each rank receives.
  virtual Result<CollectiveToken>
  startReduceScatter(const void *send, void *receive, uint64_t count,
                     moelle_dtype dtype,
                     Reduction reduction) = 0; // ncclReduceScatter
  /// `count` is what each pair of ranks exchanges.
  virtual Result<CollectiveToken>
  startAllToAll(const void *send, void *receive, uint64_t count,
                moelle_dtype dtype) = 0; // grouped ncclSend/ncclRecv
  /// Counts and displacements have one entry a rank; zero counts are legal.
  virtual Result<CollectiveToken>
  startAllToAllV(const void *send, std::span<const uint64_t> sendCounts,
                 std::span<const uint64_t> sendOffsets, void *receive,
                 std::span<const uint64_t> receiveCounts,
                 std::span<const uint64_t> receiveOffsets,
                 moelle_dtype dtype) = 0; // grouped ncclSend/ncclRecv
  virtual Result<CollectiveToken>
  startBroadcast(const void *send, void *receive, uint64_t count,
                 moelle_dtype dtype, uint32_t root) = 0; // ncclBroadcast
  virtual Result<CollectiveToken> startSend(const void *send, uint64_t count,
                                            moelle_dtype dtype,
                                            uint32_t peer) = 0; // ncclSend
  virtual Result<CollectiveToken> startReceive(void *receive, uint64_t count,
                                               moelle_dtype dtype,
                                               uint32_t peer) = 0; // ncclRecv
  /// Blocks until every rank is here.
  virtual Status barrier() = 0;

  virtual Status wait(CollectiveToken token) = 0;
  virtual void setTimeout(std::chrono::milliseconds timeout) = 0;

  /// The first asynchronous error; ncclCommGetAsyncError.
  virtual Status status() const = 0;
  /// Every waiting and later call returns MOELLE_ABORTED; ncclCommAbort.
  virtual void abort() = 0;
};

} // namespace moelle

#endif // MOELLE_RUNTIME_COMMUNICATOR_H
