// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32 exponentials as arithmetic. Upstream's approximation gives 7e-39 for
// -inf, where a masked softmax needs 0, and is undefined for NaN.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "moelle/Passes.h"

namespace moelle {
#define GEN_PASS_DEF_EXPANDEXPPASS
#include "lib/Lower/Passes.h.inc"
} // namespace moelle

using namespace mlir;
using namespace moelle;

namespace {

// exp(r) = 1 + r + r^2 q(r) on [-ln 2 / 2, ln 2 / 2]: q is the minimax
// polynomial of relative error, 0.87 units in the last place with its rounding.
constexpr double kPolynomial[] = {0.0013814596459269524,
                                  0.0083687175065279007,
                                  0.041668388992547989,
                                  0.1666652113199234,
                                  0.49999994039535522,
                                  1.0,
                                  1.0};
// Below, a result is less than half the least subnormal; above, infinite.
constexpr double kLow = -104.5, kHigh = 89.5;
// ln 2 in two parts, the first with 15 bits: its multiples are exact.
constexpr double kLn2High = 0.693145751953125, kLn2Low = 1.42860677e-06;

struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &b) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32()) {
      return b.notifyMatchFailure(op, "only f32 is expanded");
    }
    Location loc = op.getLoc();
    auto number = [&](double value) -> Value {
      TypedAttr attr = b.getF32FloatAttr(value);
      if (auto shaped = dyn_cast<ShapedType>(type)) {
        attr = DenseElementsAttr::get(shaped, attr);
      }
      return arith::ConstantOp::create(b, loc, attr);
    };
    auto fma = [&](Value x, Value y, Value z) -> Value {
      return math::FmaOp::create(b, loc, x, y, z);
    };
    // A NaN is clamped too: an integer made of it would be undefined.
    Value x = op.getOperand();
    Value clamped = arith::MinNumFOp::create(
        b, loc, arith::MaxNumFOp::create(b, loc, x, number(kLow)),
        number(kHigh));
    Value n = math::RoundEvenOp::create(
        b, loc,
        arith::MulFOp::create(b, loc, clamped, number(1.4426950408889634)));
    Value r = fma(n, number(-kLn2Low), fma(n, number(-kLn2High), clamped));
    Value y = number(kPolynomial[0]);
    for (double coefficient : llvm::ArrayRef(kPolynomial).drop_front()) {
      y = fma(y, r, number(coefficient));
    }
    // 2^n in two factors, each a normal number: the second product rounds to a
    // subnormal, to zero or to infinity as it must.
    Type integer = b.getI32Type();
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      integer = shaped.clone(integer);
    }
    auto whole = [&](int32_t value) -> Value {
      TypedAttr attr = b.getI32IntegerAttr(value);
      if (auto shaped = dyn_cast<ShapedType>(integer)) {
        attr = DenseElementsAttr::get(shaped, attr);
      }
      return arith::ConstantOp::create(b, loc, attr);
    };
    auto power = [&](Value exponent) -> Value {
      Value bits = arith::ShLIOp::create(
          b, loc, arith::AddIOp::create(b, loc, exponent, whole(127)),
          whole(23));
      return arith::BitcastOp::create(b, loc, type, bits);
    };
    Value exponent = arith::FPToSIOp::create(b, loc, integer, n);
    Value half = arith::ShRSIOp::create(b, loc, exponent, whole(1));
    y = arith::MulFOp::create(b, loc, y, power(half));
    y = arith::MulFOp::create(
        b, loc, y, power(arith::SubIOp::create(b, loc, exponent, half)));
    Value isNan =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
    b.replaceOpWithNewOp<arith::SelectOp>(op, isNan, x, y);
    return success();
  }
};

struct ExpandExpPass : moelle::impl::ExpandExpPassBase<ExpandExpPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExp>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      getOperation()->emitError(
          "expanding exponentials must reach a fixed point");
      signalPassFailure();
    }
  }
};

} // namespace
