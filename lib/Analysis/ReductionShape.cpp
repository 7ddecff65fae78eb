// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The iteration space of reductions.
#include "lib/Analysis/ReductionShape.h"

#include "lib/Analysis/IndexRange.h"

using namespace mlir;
using namespace moelle;

ReductionShape::ReductionShape(ReductionOpInterface op)
    : op(op), source(cast<RankedTensorType>(op->getOperand(0).getType())),
      result(cast<RankedTensorType>(op->getResult(0).getType())),
      dims(op.getReducedDims()) {
  for (int64_t dim : dims) {
    count *= source.getDimSize(dim);
  }
  // Dimensions of size 1 move nothing: reduced or kept, they are passed over.
  int64_t kept = 1;
  for (int64_t i = source.getRank(); i-- > 0;) {
    if (!llvm::is_contained(dims, i)) {
      kept *= source.getDimSize(i);
    } else if (source.getDimSize(i) != 1) {
      trailing = kept;
      break;
    }
  }
}

SmallVector<AffineExpr> ReductionShape::index(AffineExpr at,
                                              AffineExpr which) const {
  SmallVector<int64_t> kept, gone;
  for (int64_t i = 0; i < source.getRank(); ++i) {
    (llvm::is_contained(dims, i) ? gone : kept).push_back(source.getDimSize(i));
  }
  auto keptIndex =
      delinearise(at, RankedTensorType::get(kept, source.getElementType()));
  auto goneIndex =
      delinearise(which, RankedTensorType::get(gone, source.getElementType()));
  SmallVector<AffineExpr> all;
  unsigned nextKept = 0, nextGone = 0;
  for (int64_t i = 0; i < source.getRank(); ++i) {
    all.push_back(llvm::is_contained(dims, i) ? goneIndex[nextGone++]
                                              : keptIndex[nextKept++]);
  }
  return all;
}

bool ReductionShape::combinesRows() const {
  bool reducedBefore = false;
  for (int64_t i = 0; i < source.getRank(); ++i) {
    if (source.getDimSize(i) == 1) {
      continue;
    }
    bool isReduced = llvm::is_contained(dims, i);
    if (reducedBefore && !isReduced) {
      return false;
    }
    reducedBefore |= isReduced;
  }
  return true;
}

unsigned RowLevels::of(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    return 0;
  }
  if (auto it = levels.find(value); it != levels.end()) {
    return it->second;
  }
  unsigned level = 0;
  for (Value operand : op->getOperands()) {
    bool isReduced =
        isa_and_nonnull<ReductionOpInterface>(operand.getDefiningOp());
    level = std::max(level, of(operand) + isReduced);
  }
  return levels[value] = level;
}
