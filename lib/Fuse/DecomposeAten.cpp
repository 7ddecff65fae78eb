// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes composite aten operators as reductions and element-wise ones.
#include "dialects/aten/Aten.h"
#include "dialects/aten/AtenInfer.h"
#include "moelle/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace moelle;
using namespace moelle::aten;

namespace moelle {
#define GEN_PASS_DEF_DECOMPOSEATENPASS
#include "lib/Fuse/Passes.h.inc"
} // namespace moelle

namespace {

struct Maker {
  PatternRewriter &b;
  Location l;

  Value reduceKeep(bool isMax, Value x, int64_t dim) {
    auto type = cast<RankedTensorType>(x.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (!shape.empty()) {
      shape[wrapDim(dim, shape.size())] = 1;
    }
    auto dims = b.getDenseI64ArrayAttr(shape.empty() ? ArrayRef<int64_t>()
                                                     : ArrayRef<int64_t>(dim));
    auto result = type.clone(shape);
    if (isMax) {
      return AmaxOp::create(b, l, result, x, dims, b.getBoolAttr(true));
    }
    return SumOp::create(b, l, result, x, dims, b.getBoolAttr(true),
                         TypeAttr());
  }
  Value sub(Value x, Value y) {
    return SubTensorOp::create(b, l, x.getType(), x, y, b.getI64IntegerAttr(1));
  }
  Value cast_(Value x, Type element) {
    auto type = cast<RankedTensorType>(x.getType());
    return type.getElementType() == element
               ? x
               : ToCopyOp::create(b, l, type.clone(element), x,
                                  TypeAttr::get(element))
                     .getResult();
  }
};

/// Softmax over `dim` in f32: exp(x - max) / sum, or x - max - log(sum exp(x -
/// max)).
template <typename Op> struct Softmax : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    Maker make{b, op.getLoc()};
    Type element = op.getType().getElementType();
    Value x = op.getSelf();
    bool narrow =
        element.isBF16() || element.isF16() ||
        cast<RankedTensorType>(x.getType()).getElementType() != element;
    x = narrow ? make.cast_(x, b.getF32Type()) : x;
    Value shifted = make.sub(x, make.reduceKeep(true, x, op.getDim()));
    Value e = ExpOp::create(b, op.getLoc(), shifted.getType(), shifted);
    Value sum = make.reduceKeep(false, e, op.getDim());
    Value result;
    if constexpr (std::is_same_v<Op, SoftmaxOp>) {
      result = DivTensorOp::create(b, op.getLoc(), e.getType(), e, sum);
    } else {
      result =
          make.sub(shifted, LogOp::create(b, op.getLoc(), sum.getType(), sum));
    }
    b.replaceOp(op, make.cast_(result, element));
    return success();
  }
};

/// A mean is the sum divided by the number of summed elements.
template <typename Op> struct Mean : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    DenseI64ArrayAttr dims;
    bool keep = false;
    if constexpr (std::is_same_v<Op, MeanDimOp>) {
      dims = op.getDimAttr();
      keep = op.getKeepdim();
    }
    Maker make{b, op.getLoc()};
    Type element = op.getType().getElementType();
    Type wide = element.isBF16() || element.isF16() ? b.getF32Type() : element;
    Value x = make.cast_(op.getSelf(), wide);
    auto sum = SumOp::create(b, op.getLoc(), op.getType().clone(wide), x, dims,
                             b.getBoolAttr(keep), TypeAttr());
    int64_t count = 1;
    for (int64_t dim : sum.getReducedDims()) {
      count *= op.getSelf().getType().getDimSize(dim);
    }
    Value mean = DivScalarOp::create(b, op.getLoc(), sum.getType(), sum,
                                     b.getI64IntegerAttr(count));
    b.replaceOp(op, make.cast_(mean, element));
    return success();
  }
};

/// dX = dY W^T by rows; dW = X^T dY by groups.
struct GroupedBackward : OpRewritePattern<GroupedMmFallbackBackwardOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GroupedMmFallbackBackwardOp op,
                                PatternRewriter &b) const override {
    auto transpose = [&](Value x) -> Value {
      auto type = cast<RankedTensorType>(x.getType());
      SmallVector<int64_t> shape(type.getShape()),
          dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
      std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
      std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
      return PermuteOp::create(b, op.getLoc(), type.clone(shape), x,
                               b.getDenseI64ArrayAttr(dims));
    };
    Value rows = GroupedMmOp::create(
        b, op.getLoc(), op.getGradInput().getType(), op.getGradOutput(),
        transpose(op.getWeight()), op.getOffs(), TypeAttr());
    Value weights = GroupedMmOp::create(
        b, op.getLoc(), op.getGradWeight().getType(), transpose(op.getInput()),
        op.getGradOutput(), op.getOffs(), TypeAttr());
    b.replaceOp(op, {rows, weights});
    return success();
  }
};

/// Repeated places of narrow floats add up in f32, rounded once: a sum in bf16
/// stops growing at 256 times its addend.
struct WideIndexPut : OpRewritePattern<IndexPutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IndexPutOp op,
                                PatternRewriter &b) const override {
    Type element = op.getType().getElementType();
    if (!op.getAccumulate() || !(element.isBF16() || element.isF16())) {
      return b.notifyMatchFailure(op, "nothing is rounded before the end");
    }
    Maker make{b, op.getLoc()};
    Value wide = IndexPutOp::create(
        b, op.getLoc(), op.getType().clone(b.getF32Type()),
        make.cast_(op.getSelf(), b.getF32Type()), op.getIndices(),
        make.cast_(op.getValues(), b.getF32Type()), op.getAccumulateAttr(),
        op.getIndicesPresentAttr());
    b.replaceOp(op, make.cast_(wide, element));
    return success();
  }
};

struct DecomposeAten : moelle::impl::DecomposeAtenPassBase<DecomposeAten> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<Softmax<SoftmaxOp>, Softmax<LogSoftmaxOp>, Mean<MeanOp>,
                 Mean<MeanDimOp>, GroupedBackward, WideIndexPut>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      getOperation()->emitError(
          "decomposition of aten operators must end, but did not");
      signalPassFailure();
    }
  }
};

} // namespace
