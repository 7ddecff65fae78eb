// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads through simplified indices, each element once.
#include "lib/Analysis/RangedEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace moelle;

Value RangedEmitter::read(Value tensor, ArrayRef<AffineExpr> index) {
  auto type = cast<RankedTensorType>(tensor.getType());
  TypedAttr zero = builder.getZeroAttr(type.getElementType());
  if (type.getNumElements() == 0 && zero) {
    // No point of an iteration gets here, so any code is right.
    return arith::ConstantOp::create(builder, loc, zero);
  }
  SmallVector<AffineExpr> simple;
  for (AffineExpr expr : index) {
    simple.push_back(ranges.simplify(expr));
  }
  // Dimensions and symbols are only ever added, so the counts need not match.
  auto key =
      std::pair(tensor, AffineMap::get(64, 1 << 20, simple, getContext()));
  if (Value earlier = memo.lookup(key)) {
    return earlier;
  }
  Value result = readOnce(tensor, simple);
  return memo[key] = result;
}

std::optional<bool> RangedEmitter::isLess(AffineExpr expr, int64_t bound) {
  IndexRange range = ranges.of(ranges.simplify(expr));
  if (range.high < bound) {
    return true;
  }
  return range.low >= bound ? std::optional(false) : std::nullopt;
}

Value RangedEmitter::emitDefinition(Value tensor, ArrayRef<AffineExpr> index) {
  auto op = cast<ElementOpInterface>(tensor.getDefiningOp());
  Location outer = std::exchange(loc, op.getLoc());
  Value result =
      op.emitElement(*this, cast<OpResult>(tensor).getResultNumber(), index);
  loc = outer;
  return result;
}
