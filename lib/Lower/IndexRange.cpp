// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval arithmetic on index expressions.
#include "lib/Lower/IndexRange.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moelle;

IndexRange IndexRanges::of(AffineExpr expr) const {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    return dims[dim.getPosition()];
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    return symbols[symbol.getPosition()];
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    return {constant.getValue(), constant.getValue()};
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  IndexRange a = of(binary.getLHS()), b = of(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {a.low + b.low, a.high + b.high};
  case AffineExprKind::Mul: {
    int64_t x = a.low * b.low, y = a.high * b.low;
    return {std::min(x, y), std::max(x, y)};
  }
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(a.low, b.low), llvm::divideFloorSigned(a.high, b.low)};
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(a.low, b.low), llvm::divideCeilSigned(a.high, b.low)};
  default: // remainder
    return {0, b.low - 1};
  }
}

std::pair<AffineExpr, AffineExpr> IndexRanges::split(AffineExpr expr, int64_t divisor) const {
  AffineExpr zero = getAffineConstantExpr(0, expr.getContext());
  if (expr.getKind() == AffineExprKind::Add) {
    auto sum = cast<AffineBinaryOpExpr>(expr);
    auto [q1, r1] = split(sum.getLHS(), divisor);
    auto [q2, r2] = split(sum.getRHS(), divisor);
    return {q1 + q2, r1 + r2};
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    int64_t quotient = llvm::divideFloorSigned(constant.getValue(), divisor);
    return {getAffineConstantExpr(quotient, expr.getContext()),
            getAffineConstantExpr(constant.getValue() - quotient * divisor, expr.getContext())};
  }
  if (expr.getKind() == AffineExprKind::Mul) {
    auto product = cast<AffineBinaryOpExpr>(expr);
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (factor && factor.getValue() % divisor == 0) {
      return {product.getLHS() * (factor.getValue() / divisor), zero};
    }
  }
  return {zero, expr};
}

AffineExpr IndexRanges::simplify(AffineExpr expr) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    IndexRange range = of(expr);
    return range.low == range.high ? getAffineConstantExpr(range.low, expr.getContext()) : expr;
  }
  AffineExpr lhs = simplify(binary.getLHS()), rhs = simplify(binary.getRHS());
  auto constant = dyn_cast<AffineConstantExpr>(rhs);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul: {
    // Distribute, so that sums stay flat for `split`.
    if (lhs.getKind() == AffineExprKind::Add && constant) {
      auto sum = cast<AffineBinaryOpExpr>(lhs);
      return simplify(sum.getLHS() * rhs) + simplify(sum.getRHS() * rhs);
    }
    return lhs * rhs;
  }
  case AffineExprKind::FloorDiv: {
    if (constant && constant.getValue() > 0) {
      auto [quotient, rest] = split(lhs, constant.getValue());
      IndexRange range = of(rest);
      if (range.low >= 0 && range.high < constant.getValue()) {
        return quotient;
      }
      return quotient + rest.floorDiv(rhs);
    }
    return lhs.floorDiv(rhs);
  }
  case AffineExprKind::Mod: {
    if (constant && constant.getValue() > 0) {
      auto [quotient, rest] = split(lhs, constant.getValue());
      IndexRange range = of(rest);
      if (range.low >= 0 && range.high < constant.getValue()) {
        return rest;
      }
      return rest % rhs;
    }
    return lhs % rhs;
  }
  default:
    return lhs.ceilDiv(rhs);
  }
}
