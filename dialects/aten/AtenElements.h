// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar code of the operator tables: element-wise arithmetic and index maps.
#ifndef MOELLE_DIALECTS_ATEN_ELEMENTS_H
#define MOELLE_DIALECTS_ATEN_ELEMENTS_H

#include "dialects/aten/Aten.h"

namespace moelle::aten {

enum class Predicate { eq, ne, lt, le, gt, ge };

/// `value` converted to a scalar type as PyTorch's `to` does: float to integer
/// truncates, anything to bool tests for non-zero.
mlir::Value convertScalar(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, mlir::Type type);
/// A Python number as a constant of a scalar type.
mlir::Value emitConstant(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Attribute number, mlir::Type type);
/// Type that arithmetic on `element` is done in: f32 for bf16 and f16.
mlir::Type getComputeType(mlir::Type element);

/// Scalar code of one element of an element-wise op. Operands are read at the
/// broadcast index and converted to the type that the op computes in.
class Pointwise {
public:
  using Value = mlir::Value;

  Pointwise(ElementEmitter &e, mlir::Operation *op,
            llvm::ArrayRef<mlir::AffineExpr> index);

  Value read(unsigned operand);      ///< element in the operand's own type
  Value arg(unsigned operand);       ///< element in the compute type
  Value condition(unsigned operand); ///< element as i1
  Value number(mlir::Attribute number);
  Value constant(int64_t value);
  /// Converts to the result's element type: the op's one rounding.
  Value round(Value value);

  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value divMode(Value x, Value y, std::optional<llvm::StringRef> mode);
  Value neg(Value x);
  Value abs(Value x);
  Value min(Value x, Value y); ///< NaN of either operand is the result
  Value max(Value x, Value y);
  Value pow(Value x, mlir::Attribute exponent);
  Value clampTo(Value x, mlir::Attribute min, mlir::Attribute max);
  Value scale(Value x, mlir::Attribute alpha);
  Value compare(Predicate predicate, Value x, Value y);
  Value isZero(Value x);
  Value bitAnd(Value x, Value y);
  Value bitOr(Value x, Value y);
  Value bitNot(Value x);
  Value select(Value condition, Value x, Value y);
  template <typename Op> Value unary(Value x) {
    return Op::create(e.builder, e.loc, x);
  }

private:
  bool isFloat(Value x) const {
    return llvm::isa<mlir::FloatType>(x.getType());
  }

  ElementEmitter &e;
  mlir::Operation *op;
  llvm::ArrayRef<mlir::AffineExpr> index;
  mlir::Type compute;
};

/// Index of the element of a `from`-shaped tensor that a `to`-shaped view of
/// it shows at `index`; both have the same number of elements.
llvm::SmallVector<mlir::AffineExpr>
reshapeIndex(llvm::ArrayRef<mlir::AffineExpr> index, mlir::RankedTensorType to,
             mlir::RankedTensorType from);
/// Index into an operand that broadcasts: 0 where its size is 1.
llvm::SmallVector<mlir::AffineExpr>
broadcastIndex(llvm::ArrayRef<mlir::AffineExpr> index,
               mlir::RankedTensorType operand);

mlir::Value emitCat(ElementEmitter &e, mlir::ValueRange tensors, int64_t dim,
                    llvm::ArrayRef<mlir::AffineExpr> index);
mlir::Value emitSliceScatter(ElementEmitter &e, SliceScatterOp op,
                             llvm::ArrayRef<mlir::AffineExpr> index);
mlir::Value emitPad(ElementEmitter &e, ConstantPadNdOp op,
                    llvm::ArrayRef<mlir::AffineExpr> index);
mlir::Value emitNumber(ElementEmitter &e, mlir::Attribute number,
                       mlir::Type type);
mlir::Value emitZero(ElementEmitter &e, mlir::Type type);
mlir::Value emitArange(ElementEmitter &e, ArangeOp op, mlir::AffineExpr index);
mlir::Value emitLiteral(ElementEmitter &e, mlir::ElementsAttr value,
                        llvm::ArrayRef<mlir::AffineExpr> index);
/// Index into `self` of index.Tensor at `index` of its result.
llvm::SmallVector<mlir::AffineExpr>
emitIndices(ElementEmitter &e, mlir::RankedTensorType self,
            mlir::ValueRange indices, llvm::ArrayRef<bool> present,
            llvm::ArrayRef<mlir::AffineExpr> index);
/// The element after scattering: of `source` (or `number`) where an index of
/// the line along `dim` names this place, else of `self`.
mlir::Value emitScatter(ElementEmitter &e, mlir::Value self, int64_t dim,
                        mlir::Value places, mlir::Value source,
                        mlir::Attribute number,
                        llvm::ArrayRef<mlir::AffineExpr> index);

} // namespace moelle::aten

#endif // MOELLE_DIALECTS_ATEN_ELEMENTS_H
