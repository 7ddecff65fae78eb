// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and products: what the interfaces ask of them.
#include "dialects/aten/AtenElements.h"

using namespace mlir;
using namespace moelle;
using namespace moelle::aten;

static SmallVector<int64_t> reducedDims(RankedTensorType type,
                                        std::optional<ArrayRef<int64_t>> dims) {
  if (!dims || dims->empty()) { // PyTorch: no dimension means all
    return llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  }
  auto result = llvm::map_to_vector(
      *dims, [&](int64_t dim) { return wrapDim(dim, type.getRank()); });
  llvm::sort(result);
  return result;
}

SmallVector<int64_t> SumOp::getReducedDims() {
  return reducedDims(getSelf().getType(), getDim());
}
Type SumOp::getAccumulatorType() {
  return getComputeType(getType().getElementType());
}
TypedAttr SumOp::getNeutral() {
  return cast<TypedAttr>(
      Builder(getContext()).getZeroAttr(getAccumulatorType()));
}
Value SumOp::emitCombine(OpBuilder &b, Location l, Value x, Value y) {
  return isa<FloatType>(x.getType()) ? Value(arith::AddFOp::create(b, l, x, y))
                                     : Value(arith::AddIOp::create(b, l, x, y));
}

/// What every number of `type` is at least (`isMax`) or at most.
static TypedAttr getExtremumNeutral(Type type, bool isMax) {
  Builder b(type.getContext());
  if (auto real = dyn_cast<FloatType>(type)) {
    return b.getFloatAttr(
        real, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/isMax));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 1) {
    return b.getIntegerAttr(type, APInt(1, isMax ? 0 : 1));
  }
  return b.getIntegerAttr(type, isMax ? APInt::getSignedMinValue(width)
                                      : APInt::getSignedMaxValue(width));
}

SmallVector<int64_t> AmaxOp::getReducedDims() {
  return reducedDims(getSelf().getType(), getDim());
}
Type AmaxOp::getAccumulatorType() {
  return getComputeType(getType().getElementType());
}
TypedAttr AmaxOp::getNeutral() {
  return getExtremumNeutral(getAccumulatorType(), /*isMax=*/true);
}
Value AmaxOp::emitCombine(OpBuilder &b, Location l, Value x, Value y) {
  if (isa<FloatType>(x.getType())) {
    return arith::MaximumFOp::create(b, l, x, y);
  }
  return x.getType().isInteger(1) ? Value(arith::OrIOp::create(b, l, x, y))
                                  : Value(arith::MaxSIOp::create(b, l, x, y));
}

SmallVector<int64_t> AminOp::getReducedDims() {
  return reducedDims(getSelf().getType(), getDim());
}
Type AminOp::getAccumulatorType() {
  return getComputeType(getType().getElementType());
}
TypedAttr AminOp::getNeutral() {
  return getExtremumNeutral(getAccumulatorType(), /*isMax=*/false);
}
Value AminOp::emitCombine(OpBuilder &b, Location l, Value x, Value y) {
  if (isa<FloatType>(x.getType())) {
    return arith::MinimumFOp::create(b, l, x, y);
  }
  return x.getType().isInteger(1) ? Value(arith::AndIOp::create(b, l, x, y))
                                  : Value(arith::MinSIOp::create(b, l, x, y));
}

SmallVector<Contraction> MmOp::getContractions() { return {Contraction()}; }
SmallVector<Contraction> BmmOp::getContractions() { return {Contraction()}; }

SmallVector<Contraction> GroupedMmOp::getContractions() {
  Contraction product;
  bool rows = getMat2().getType().getRank() == 3;
  product.kind =
      rows ? Contraction::Kind::grouped_rows : Contraction::Kind::grouped_outer;
  product.transposeLhs = !rows; // [M,R] in the schema, [R,M] in the family
  product.offsets = 2;
  return {product};
}

SmallVector<Contraction> GroupedMmFallbackOp::getContractions() {
  Contraction product;
  product.kind = Contraction::Kind::grouped_rows;
  product.offsets = 2;
  return {product};
}
