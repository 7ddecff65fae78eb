// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The aten dialect and the helpers that its operator tables are written with.
#ifndef MOELLE_DIALECTS_ATEN_H
#define MOELLE_DIALECTS_ATEN_H

#include "dialects/interfaces/Interfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace moelle::aten {

/// A dimension range of slice and slice_scatter: [start, end) clamped into the
/// operand's shape.
struct SliceRange {
  int64_t dim, start, end;
};

/// A possibly negative dimension number as PyTorch counts it.
inline int64_t wrapDim(int64_t dim, int64_t rank) {
  return dim < 0 ? dim + rank : dim;
}

} // namespace moelle::aten

#include "dialects/aten/AtenInterfaces.h.inc"

#include "dialects/aten/AtenDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/aten/AtenOps.h.inc"

namespace moelle::aten {

/// Creates an op with inferred result types.
template <typename Op, typename... Args>
Op create(mlir::OpBuilder &builder, mlir::Location loc, Args &&...args) {
  return Op::create(builder, loc, std::forward<Args>(args)...);
}

/// PyTorch's promotion of tensors (torch.result_type): category first (bool <
/// integer < float < complex); of one category tensors with dimensions win
/// over 0-d ones.
mlir::Type promoteTypes(llvm::ArrayRef<mlir::RankedTensorType> types);

} // namespace moelle::aten

#endif // MOELLE_DIALECTS_ATEN_H
