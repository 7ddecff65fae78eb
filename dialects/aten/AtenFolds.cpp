// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders and canonicalisations: what exporters leave behind.
#include "dialects/aten/AtenElements.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace moelle::aten;

/// The operand, where a view shows all of it unchanged.
static OpFoldResult foldSame(Value self, Type type) {
  return self.getType() == type ? self : Value();
}

/// The number that every element of a value is, where that is known.
static std::optional<double> getSplat(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto full = dyn_cast<FullOp>(op)) {
      if (auto real = dyn_cast<FloatAttr>(full.getFillValue())) {
        return real.getValueAsDouble();
      }
      auto number = cast<IntegerAttr>(full.getFillValue());
      return isa<BoolAttr>(full.getFillValue())
                 ? number.getValue().getZExtValue()
                 : number.getInt();
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

OpFoldResult AliasOp::fold(FoldAdaptor) {
  return foldSame(getSelf(), getType());
}
OpFoldResult CloneOp::fold(FoldAdaptor) {
  return foldSame(getSelf(), getType());
}
OpFoldResult DetachOp::fold(FoldAdaptor) {
  return foldSame(getSelf(), getType());
}
OpFoldResult ToCopyOp::fold(FoldAdaptor) {
  return foldSame(getSelf(), getType());
}
OpFoldResult ExpandOp::fold(FoldAdaptor) {
  return foldSame(getSelf(), getType());
}
OpFoldResult SqueezeDimsOp::fold(FoldAdaptor) {
  return foldSame(getSelf(), getType());
}
OpFoldResult UnsqueezeOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SelectOp::fold(FoldAdaptor) { return {}; }
OpFoldResult ConstantPadNdOp::fold(FoldAdaptor) {
  return foldSame(getSelf(), getType());
}
OpFoldResult LiteralOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SliceOp::fold(FoldAdaptor) {
  return foldSame(getSelf(), getType());
}
OpFoldResult CatOp::fold(FoldAdaptor) {
  return getTensors().size() == 1 ? foldSame(getTensors()[0], getType())
                                  : Value();
}
OpFoldResult SliceScatterOp::fold(FoldAdaptor) {
  return foldSame(getSrc(), getType());
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  // In dead code an op may be its own operand.
  auto inner = getSelf().getDefiningOp<ViewOp>();
  if (inner && inner != *this &&
      inner.getSelf() != getResult()) { // view(view(x)) = view(x)
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
  return exact && getSplat(getOther()) == 0.0 ? foldSame(getSelf(), getType())
                                              : Value();
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
  return exact && isNumber(getOther(), 0) ? foldSame(getSelf(), getType())
                                          : Value();
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
  return isa<FloatType>(getType().getElementType()) ||
                 getSelf().getType() == getType()
             ? foldSame(getSelf(), getType())
             : Value();
}

/// The operand of an expand whose copies are all that `op` sums, if so.
static Value getSummedCopies(SumOp op, ExpandOp expand) {
  if (!expand) {
    return nullptr;
  }
  RankedTensorType wide = expand.getType(), narrow = expand.getSelf().getType();
  int64_t added = wide.getRank() - narrow.getRank();
  auto isCopied = [&](int64_t dim) {
    return dim < added ||
           narrow.getDimSize(dim - added) != wide.getDimSize(dim);
  };
  SmallVector<int64_t> reduced = op.getReducedDims();
  for (int64_t dim = 0; dim < wide.getRank(); ++dim) {
    bool isReduced = llvm::is_contained(reduced, dim);
    if (wide.getDimSize(dim) != 1 && isReduced != isCopied(dim)) {
      return nullptr;
    }
  }
  return expand.getSelf();
}

/// A sum over dimensions of size 1 is a view; the sum of n copies is n times
/// the one, rounded once where the copies would be rounded one by one.
LogicalResult SumOp::canonicalize(SumOp op, PatternRewriter &rewriter) {
  auto type = op.getSelf().getType();
  if (type.getElementType() != op.getType().getElementType() ||
      type == op.getType()) {
    return rewriter.notifyMatchFailure(op, "dtype or shape stay");
  }
  if (Value one = getSummedCopies(op, op.getSelf().getDefiningOp<ExpandOp>())) {
    int64_t copies = 1;
    for (int64_t dim : op.getReducedDims()) {
      copies *= type.getDimSize(dim);
    }
    Value view = ViewOp::create(rewriter, op.getLoc(), op.getType(), one,
                                op.getType().getShape());
    rewriter.replaceOpWithNewOp<MulScalarOp>(
        op, op.getType(), view, rewriter.getI64IntegerAttr(copies));
    return success();
  }
  for (int64_t dim : op.getReducedDims()) {
    if (type.getDimSize(dim) != 1) {
      return rewriter.notifyMatchFailure(op, "reduces more than one element");
    }
  }
  rewriter.replaceOpWithNewOp<ViewOp>(op, op.getType(), op.getSelf(),
                                      op.getType().getShape());
  return success();
}

/// Whether a vector holds each of 0 to n - 1 once.
static bool isPermutation(Value value) {
  if (auto sort = value.getDefiningOp<SortOp>()) {
    return value == sort.getIndices() &&
           sort.getSelf().getType().getRank() == 1;
  }
  return value.getDefiningOp<InversePermutationOp>() != nullptr;
}

/// Whether a vector is 0, 1, ... n - 1.
static bool isCounter(Value value) {
  auto arange = value.getDefiningOp<ArangeOp>();
  return arange && isNumber(arange.getStart(), 0) &&
         isNumber(arange.getStep(), 1);
}

OpFoldResult InversePermutationOp::fold(FoldAdaptor) {
  auto inner = getSelf().getDefiningOp<InversePermutationOp>();
  return inner && inner != *this ? inner.getSelf() : Value();
}

/// Writes at all places of a permutation are reads by its inverse.
LogicalResult IndexPutOp::canonicalize(IndexPutOp op,
                                       PatternRewriter &rewriter) {
  if (op.getIndices().size() != 1 || op.getIndicesPresent().size() != 1) {
    return rewriter.notifyMatchFailure(op,
                                       "not one index of the first dimension");
  }
  Value places = op.getIndices().front();
  RankedTensorType type = op.getType();
  if (!isPermutation(places) ||
      cast<RankedTensorType>(places.getType()).getDimSize(0) !=
          type.getDimSize(0)) {
    return rewriter.notifyMatchFailure(op, "does not write each place once");
  }
  if (op.getValues().getType() != type) {
    return rewriter.notifyMatchFailure(op, "broadcasts its values");
  }
  if (op.getAccumulate() && getSplat(op.getSelf()) != 0.0) {
    return rewriter.notifyMatchFailure(op, "adds to what was there");
  }
  Value inverse = InversePermutationOp::create(rewriter, op.getLoc(),
                                               places.getType(), places);
  if (isCounter(op.getValues()) && type == inverse.getType()) {
    rewriter.replaceOp(op, inverse);
  } else {
    rewriter.replaceOpWithNewOp<IndexOp>(op, type, op.getValues(), inverse,
                                         op.getIndicesPresentAttr());
  }
  return success();
}

template <typename Op>
static LogicalResult replaceByFull(Op op, Attribute number,
                                   PatternRewriter &rewriter) {
  RankedTensorType type = op.getType();
  rewriter.replaceOpWithNewOp<FullOp>(
      op, type, rewriter.getDenseI64ArrayAttr(type.getShape()), number,
      TypeAttr::get(type.getElementType()));
  return success();
}

LogicalResult FullLikeOp::canonicalize(FullLikeOp op,
                                       PatternRewriter &rewriter) {
  return replaceByFull(op, op.getFillValue(), rewriter);
}
LogicalResult ScalarTensorOp::canonicalize(ScalarTensorOp op,
                                           PatternRewriter &rewriter) {
  return replaceByFull(op, op.getS(), rewriter);
}
LogicalResult EmptyOp::canonicalize(EmptyOp op, PatternRewriter &rewriter) {
  return replaceByFull(op, rewriter.getI64IntegerAttr(0), rewriter);
}
LogicalResult EmptyPermutedOp::canonicalize(EmptyPermutedOp op,
                                            PatternRewriter &rewriter) {
  return replaceByFull(op, rewriter.getI64IntegerAttr(0), rewriter);
}
LogicalResult AssertTensorMetadataOp::canonicalize(AssertTensorMetadataOp op,
                                                   PatternRewriter &rewriter) {
  rewriter.eraseOp(op);
  return success();
}
