// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders and canonicalisations: what exporters leave behind.
#include "dialects/aten/AtenElements.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace moelle::aten;

/// The operand, where a view shows all of it unchanged.
static OpFoldResult foldSame(Value self, Type type) { return self.getType() == type ? self : Value(); }

/// The number that every element of a value is, where that is known.
static std::optional<double> getSplat(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto full = dyn_cast<FullOp>(op)) {
      if (auto real = dyn_cast<FloatAttr>(full.getFillValue())) {
        return real.getValueAsDouble();
      }
      auto number = cast<IntegerAttr>(full.getFillValue());
      return isa<BoolAttr>(full.getFillValue()) ? number.getValue().getZExtValue() : number.getInt();
    }
    if (!isa<ViewOp, ExpandOp, AliasOp, CloneOp, UnsqueezeOp, PermuteOp>(op)) {
      return std::nullopt;
    }
    value = op->getOperand(0);
  }
  return std::nullopt;
}

static bool isNumber(Attribute attr, double number) {
  if (auto real = dyn_cast<FloatAttr>(attr)) {
    return real.getValueAsDouble() == number;
  }
  auto whole = cast<IntegerAttr>(attr);
  return !isa<BoolAttr>(attr) && static_cast<double>(whole.getInt()) == number;
}

OpFoldResult AliasOp::fold(FoldAdaptor) { return foldSame(getSelf(), getType()); }
OpFoldResult CloneOp::fold(FoldAdaptor) { return foldSame(getSelf(), getType()); }
OpFoldResult DetachOp::fold(FoldAdaptor) { return foldSame(getSelf(), getType()); }
OpFoldResult ToCopyOp::fold(FoldAdaptor) { return foldSame(getSelf(), getType()); }
OpFoldResult ExpandOp::fold(FoldAdaptor) { return foldSame(getSelf(), getType()); }
OpFoldResult SqueezeDimsOp::fold(FoldAdaptor) { return foldSame(getSelf(), getType()); }
OpFoldResult UnsqueezeOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SelectOp::fold(FoldAdaptor) { return {}; }
OpFoldResult ConstantPadNdOp::fold(FoldAdaptor) { return foldSame(getSelf(), getType()); }
OpFoldResult LiteralOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SliceOp::fold(FoldAdaptor) { return foldSame(getSelf(), getType()); }
OpFoldResult CatOp::fold(FoldAdaptor) { return getTensors().size() == 1 ? foldSame(getTensors()[0], getType()) : Value(); }
OpFoldResult SliceScatterOp::fold(FoldAdaptor) { return foldSame(getSrc(), getType()); }

OpFoldResult ViewOp::fold(FoldAdaptor) {
  // In dead code an op may be its own operand.
  auto inner = getSelf().getDefiningOp<ViewOp>();
  if (inner && inner != *this && inner.getSelf() != getResult()) { // view(view(x)) = view(x)
    getSelfMutable().assign(inner.getSelf());
    setSize(getType().getShape());
    return getResult();
  }
  return foldSame(getSelf(), getType());
}

OpFoldResult PermuteOp::fold(FoldAdaptor) {
  int64_t rank = getType().getRank();
  auto inner = getSelf().getDefiningOp<PermuteOp>();
  if (inner && inner != *this && inner.getSelf() != getResult()) {
    SmallVector<int64_t> dims; // permute(permute(x, p), q)[i] = x's dim p[q[i]]
    for (int64_t dim : getDims()) {
      dims.push_back(wrapDim(inner.getDims()[wrapDim(dim, rank)], rank));
    }
    getSelfMutable().assign(inner.getSelf());
    setDims(dims);
    return getResult();
  }
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (wrapDim(dim, rank) != static_cast<int64_t>(i)) {
      return {};
    }
  }
  return getSelf();
}

OpFoldResult AddTensorOp::fold(FoldAdaptor) {
  // x + 0 is x for integers only: -0.0 + 0 is 0.
  bool exact = isa<IntegerType>(getType().getElementType());
  return exact && getSplat(getOther()) == 0.0 ? foldSame(getSelf(), getType()) : Value();
}
OpFoldResult SubTensorOp::fold(FoldAdaptor) {
  return getSplat(getOther()) == 0.0 ? foldSame(getSelf(), getType()) : Value();
}
OpFoldResult MulTensorOp::fold(FoldAdaptor) {
  if (getSplat(getOther()) == 1.0) {
    return foldSame(getSelf(), getType());
  }
  return getSplat(getSelf()) == 1.0 ? foldSame(getOther(), getType()) : Value();
}
OpFoldResult DivTensorOp::fold(FoldAdaptor) {
  return getSplat(getOther()) == 1.0 ? foldSame(getSelf(), getType()) : Value();
}
OpFoldResult BitwiseAndOp::fold(FoldAdaptor) {
  if (!getType().getElementType().isInteger(1)) {
    return {};
  }
  if (getSplat(getOther()) == 1.0) {
    return foldSame(getSelf(), getType());
  }
  return getSplat(getSelf()) == 1.0 ? foldSame(getOther(), getType()) : Value();
}
OpFoldResult AddScalarOp::fold(FoldAdaptor) {
  bool exact = isa<IntegerType>(getType().getElementType());
  return exact && isNumber(getOther(), 0) ? foldSame(getSelf(), getType()) : Value();
}
OpFoldResult MulScalarOp::fold(FoldAdaptor) {
  return isNumber(getOther(), 1) ? foldSame(getSelf(), getType()) : Value();
}
OpFoldResult DivScalarOp::fold(FoldAdaptor) {
  return isNumber(getOther(), 1) ? foldSame(getSelf(), getType()) : Value();
}
OpFoldResult PowTensorScalarOp::fold(FoldAdaptor) {
  return isNumber(getExponent(), 1) ? foldSame(getSelf(), getType()) : Value();
}
OpFoldResult WhereOp::fold(FoldAdaptor) {
  if (std::optional<double> condition = getSplat(getCondition())) {
    return foldSame(*condition != 0 ? getSelf() : getOther(), getType());
  }
  return {};
}
OpFoldResult SumOp::fold(FoldAdaptor) {
  // A sum over dimensions of size 1 that keeps them is the operand.
  return isa<FloatType>(getType().getElementType()) || getSelf().getType() == getType()
             ? foldSame(getSelf(), getType())
             : Value();
}

/// sum(expand(x)) over exactly the expanded dimensions = x * count would change
/// rounding; a sum whose reduced dimensions all have size 1 is a view.
LogicalResult SumOp::canonicalize(SumOp op, PatternRewriter &rewriter) {
  auto type = op.getSelf().getType();
  if (type.getElementType() != op.getType().getElementType() || type == op.getType()) {
    return rewriter.notifyMatchFailure(op, "dtype or shape stay");
  }
  for (int64_t dim : op.getReducedDims()) {
    if (type.getDimSize(dim) != 1) {
      return rewriter.notifyMatchFailure(op, "reduces more than one element");
    }
  }
  rewriter.replaceOpWithNewOp<ViewOp>(op, op.getType(), op.getSelf(), op.getType().getShape());
  return success();
}

template <typename Op>
static LogicalResult replaceByFull(Op op, Attribute number, PatternRewriter &rewriter) {
  RankedTensorType type = op.getType();
  rewriter.replaceOpWithNewOp<FullOp>(op, type, rewriter.getDenseI64ArrayAttr(type.getShape()), number,
                                      TypeAttr::get(type.getElementType()));
  return success();
}

LogicalResult FullLikeOp::canonicalize(FullLikeOp op, PatternRewriter &rewriter) {
  return replaceByFull(op, op.getFillValue(), rewriter);
}
LogicalResult ScalarTensorOp::canonicalize(ScalarTensorOp op, PatternRewriter &rewriter) {
  return replaceByFull(op, op.getS(), rewriter);
}
LogicalResult EmptyOp::canonicalize(EmptyOp op, PatternRewriter &rewriter) {
  return replaceByFull(op, rewriter.getI64IntegerAttr(0), rewriter);
}
LogicalResult EmptyPermutedOp::canonicalize(EmptyPermutedOp op, PatternRewriter &rewriter) {
  return replaceByFull(op, rewriter.getI64IntegerAttr(0), rewriter);
}
LogicalResult AssertTensorMetadataOp::canonicalize(AssertTensorMetadataOp op, PatternRewriter &rewriter) {
  rewriter.eraseOp(op);
  return success();
}
