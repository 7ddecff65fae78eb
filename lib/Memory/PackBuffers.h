// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets for buffers of known lifetimes: no IR, only numbers.
#ifndef MOELLE_MEMORY_PACKBUFFERS_H
#define MOELLE_MEMORY_PACKBUFFERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace moelle {

/// Storage alive at launches [start, end], both inclusive; sizes in bytes.
struct Buffer {
  static constexpr int kArena = -1;

  int64_t bytes, start, end;
  int64_t elementBytes = 1; ///< its alignment at least
  int region = kArena;      ///< or the output in whose memory it lies
  int64_t offset = -1;
};

/// Memory of an output before launch `written`, which writes it: free to lend.
struct Lender {
  int output;
  int64_t bytes, written, elementBytes;
};

/// The most bytes of the arena alive at once: no plan is smaller.
int64_t getLowerBound(llvm::ArrayRef<Buffer *> buffers);

/// Moves buffers that are alive where the arena is fullest into outputs, as
/// long as that lowers the most it must hold.
void borrowOutputs(llvm::ArrayRef<Buffer *> buffers,
                   llvm::ArrayRef<Lender> lenders);

/// Gives every buffer of the arena an offset and returns the arena's size.
/// Larger buffers first, each at the lowest place that is free during its whole
/// life (greedy by size; Pisarchyk and Lee 2020).
int64_t packBySize(llvm::ArrayRef<Buffer *> buffers);

} // namespace moelle

#endif // MOELLE_MEMORY_PACKBUFFERS_H
