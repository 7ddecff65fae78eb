// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated code of the interfaces, and what all emitters share.
#include "dialects/interfaces/Interfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace moelle;

Value ElementEmitter::select(AffineExpr expr, int64_t bound,
                             llvm::function_ref<Value()> whenLess,
                             llvm::function_ref<Value()> otherwise) {
  if (std::optional<bool> less = isLess(expr, bound)) {
    return *less ? whenLess() : otherwise();
  }
  Value yes = whenLess();
  Value no = otherwise();
  Value limit = arith::ConstantIndexOp::create(builder, loc, bound);
  Value less = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     indexValue(expr), limit);
  return arith::SelectOp::create(builder, loc, less, yes, no);
}

AffineExpr ElementEmitter::clamp(AffineExpr expr, int64_t extent) {
  std::optional<bool> below = isLess(expr, 0);
  std::optional<bool> inside = isLess(expr, extent);
  if (below && !*below && inside && *inside) {
    return expr;
  }
  return dynamicIndex(indexValue(expr), extent);
}

#include "dialects/interfaces/Interfaces.cpp.inc"
