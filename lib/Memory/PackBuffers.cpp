// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy packing, and lending of outputs that are not written yet.
#include "lib/Memory/PackBuffers.h"

#include "dialects/mem/Mem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace moelle;

static bool liveTogether(const Buffer &a, const Buffer &b) {
  return a.start <= b.end && b.start <= a.end;
}

/// The lowest offset at which `buffer` overlaps none of `placed`, which are
/// sorted by offset.
static int64_t lowestOffset(const Buffer &buffer,
                            llvm::ArrayRef<Buffer *> placed) {
  int64_t at = 0;
  for (const Buffer *other : placed) {
    bool overlaps =
        other->offset < at + buffer.bytes && at < other->offset + other->bytes;
    if (overlaps && liveTogether(*other, buffer)) {
      at = llvm::alignTo(other->offset + other->bytes, mem::kAlignment);
    }
  }
  return at;
}

static void insertByOffset(llvm::SmallVectorImpl<Buffer *> &placed,
                           Buffer *buffer) {
  auto place = llvm::upper_bound(placed, buffer, [](Buffer *a, Buffer *b) {
    return a->offset < b->offset;
  });
  placed.insert(place, buffer);
}

/// Bytes of the arena alive at each launch.
static llvm::SmallVector<int64_t> liveBytes(llvm::ArrayRef<Buffer *> buffers) {
  int64_t last = 0;
  for (const Buffer *buffer : buffers) {
    last = std::max(last, buffer->end);
  }
  llvm::SmallVector<int64_t> live(last + 2, 0);
  for (const Buffer *buffer : buffers) {
    if (buffer->region == Buffer::kArena) {
      live[buffer->start] += buffer->bytes;
      live[buffer->end + 1] -= buffer->bytes;
    }
  }
  for (size_t i = 1; i < live.size(); ++i) {
    live[i] += live[i - 1];
  }
  return live;
}

int64_t moelle::getLowerBound(llvm::ArrayRef<Buffer *> buffers) {
  llvm::SmallVector<int64_t> live = liveBytes(buffers);
  return *std::max_element(live.begin(), live.end());
}

void moelle::borrowOutputs(llvm::ArrayRef<Buffer *> buffers,
                           llvm::ArrayRef<Lender> lenders) {
  llvm::SmallVector<int64_t> live = liveBytes(buffers);
  llvm::SmallVector<llvm::SmallVector<Buffer *>> lent(lenders.size());
  // Those that free the most, for the longest, go first.
  llvm::SmallVector<Buffer *> order(buffers);
  llvm::stable_sort(order, [](Buffer *a, Buffer *b) {
    return double(a->bytes) * double(a->end - a->start + 1) >
           double(b->bytes) * double(b->end - b->start + 1);
  });
  // An output that is written sooner can lend less: it is asked first.
  llvm::SmallVector<size_t> soonest =
      llvm::to_vector(llvm::seq<size_t>(0, lenders.size()));
  llvm::stable_sort(soonest, [&](size_t a, size_t b) {
    return lenders[a].written < lenders[b].written;
  });
  auto move = [&](Buffer *buffer) {
    for (size_t i : soonest) {
      const Lender &lender = lenders[i];
      // The caller aligns an output to its own elements only.
      bool isAligned = lender.elementBytes % buffer->elementBytes == 0;
      if (lender.written <= buffer->end || !isAligned ||
          buffer->bytes > lender.bytes) {
        continue;
      }
      int64_t at = lowestOffset(*buffer, lent[i]);
      if (at <= lender.bytes - buffer->bytes) {
        buffer->region = lender.output;
        buffer->offset = at;
        insertByOffset(lent[i], buffer);
        return true;
      }
    }
    return false;
  };
  while (true) {
    int64_t peak = std::max_element(live.begin(), live.end()) - live.begin();
    auto movable = llvm::find_if(order, [&](Buffer *buffer) {
      return buffer->region == Buffer::kArena && buffer->bytes > 0 &&
             buffer->start <= peak && peak <= buffer->end && move(buffer);
    });
    if (movable == order.end()) {
      return;
    }
    for (int64_t i = (*movable)->start; i <= (*movable)->end; ++i) {
      live[i] -= (*movable)->bytes;
    }
  }
}

int64_t moelle::packBySize(llvm::ArrayRef<Buffer *> buffers) {
  llvm::SmallVector<Buffer *> order(buffers), placed;
  llvm::stable_sort(order,
                    [](Buffer *a, Buffer *b) { return a->bytes > b->bytes; });
  int64_t arena = 0;
  for (Buffer *buffer : order) {
    if (buffer->region == Buffer::kArena) {
      buffer->offset = lowestOffset(*buffer, placed);
      arena = std::max(arena, buffer->offset + buffer->bytes);
      insertByOffset(placed, buffer);
    }
  }
  return llvm::alignTo(arena, mem::kAlignment);
}
