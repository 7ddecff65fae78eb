// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every collective of a world of one is a copy of what the rank gives.
#include "runtime/cpu/LocalCommunicator.h"
#include "runtime/DType.h"

#include <atomic>
#include <cinttypes>
#include <cstring>

namespace moelle {

namespace {

class LocalCommunicator final : public Communicator {
public:
  uint32_t rank() const override { return 0; }
  uint32_t worldSize() const override { return 1; }

  Result<CollectiveToken> startAllReduce(const void *send, void *receive,
                                         uint64_t count, moelle_dtype dtype,
                                         Reduction) override {
    return copy(send, 0, receive, 0, count, dtype);
  }
  Result<CollectiveToken> startAllGather(const void *send, void *receive,
                                         uint64_t count,
                                         moelle_dtype dtype) override {
    return copy(send, 0, receive, 0, count, dtype);
  }
  Result<CollectiveToken> startReduceScatter(const void *send, void *receive,
                                             uint64_t count, moelle_dtype dtype,
                                             Reduction) override {
    return copy(send, 0, receive, 0, count, dtype);
  }
  Result<CollectiveToken> startAllToAll(const void *send, void *receive,
                                        uint64_t count,
                                        moelle_dtype dtype) override {
    return copy(send, 0, receive, 0, count, dtype);
  }

  Result<CollectiveToken>
  startAllToAllV(const void *send, std::span<const uint64_t> sendCounts,
                 std::span<const uint64_t> sendOffsets, void *receive,
                 std::span<const uint64_t> receiveCounts,
                 std::span<const uint64_t> receiveOffsets,
                 moelle_dtype dtype) override {
    if (sendCounts.size() != 1 || sendOffsets.size() != 1 ||
        receiveCounts.size() != 1 || receiveOffsets.size() != 1) {
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "counts and offsets of all_to_all_v must have one entry "
                       "for a world of 1");
    }
    if (sendCounts[0] != receiveCounts[0]) {
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "rank 0 must receive what it sends itself, but got "
                       "%" PRIu64 " and %" PRIu64 " elements",
                       receiveCounts[0], sendCounts[0]);
    }
    return copy(send, sendOffsets[0], receive, receiveOffsets[0], sendCounts[0],
                dtype);
  }

  Result<CollectiveToken> startBroadcast(const void *send, void *receive,
                                         uint64_t count, moelle_dtype dtype,
                                         uint32_t root) override {
    if (root != 0) {
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "root must be below the world size 1, but got %u", root);
    }
    return copy(send, 0, receive, 0, count, dtype);
  }

  // A rank cannot pair a send with its own later receive without blocking, and
  // no program for a world of one has them.
  Result<CollectiveToken> startSend(const void *, uint64_t, moelle_dtype,
                                    uint32_t peer) override {
    return noPeer(peer);
  }
  Result<CollectiveToken> startReceive(void *, uint64_t, moelle_dtype,
                                       uint32_t peer) override {
    return noPeer(peer);
  }

  Status barrier() override { return status(); }
  Status wait(CollectiveToken) override { return status(); }
  void setTimeout(std::chrono::milliseconds) override {}

  Status status() const override {
    return aborted_.load(std::memory_order_acquire)
               ? Status(MOELLE_ABORTED, "communicator was aborted")
               : Status();
  }
  void abort() override { aborted_.store(true, std::memory_order_release); }

private:
  Result<CollectiveToken> noPeer(uint32_t peer) const {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "peer must be another rank of the world of 1, but got %u",
                     peer);
  }

  Result<CollectiveToken> copy(const void *send, uint64_t sendOffset,
                               void *receive, uint64_t receiveOffset,
                               uint64_t count, moelle_dtype dtype) {
    MOELLE_RETURN_IF_ERROR(status());
    size_t size = dtypeSize(dtype);
    if (size == 0) {
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "dtype of a collective must be known, but got %d",
                       int(dtype));
    }
    auto *from = static_cast<const std::byte *>(send) + sendOffset * size;
    auto *to = static_cast<std::byte *>(receive) + receiveOffset * size;
    if (count != 0 && from != to) {
      std::memcpy(to, from, count * size);
    }
    return CollectiveToken{++issued_};
  }

  uint64_t issued_ = 0;
  std::atomic<bool> aborted_{false};
};

} // namespace

std::unique_ptr<Communicator> createLocalCommunicator() {
  return std::make_unique<LocalCommunicator>();
}

} // namespace moelle
