// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval arithmetic on index expressions.
#include "lib/Analysis/IndexRange.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace moelle;

AffineExpr moelle::linearise(ArrayRef<AffineExpr> index,
                             RankedTensorType type) {
  AffineExpr offset = getAffineConstantExpr(0, type.getContext());
  for (auto [i, expr] : llvm::enumerate(index)) {
    offset = offset * type.getDimSize(i) + expr;
  }
  return offset;
}

SmallVector<AffineExpr> moelle::delinearise(AffineExpr offset,
                                            RankedTensorType type) {
  SmallVector<AffineExpr> index(type.getRank());
  int64_t stride = 1;
  for (int64_t i = type.getRank(); i-- > 0;) {
    int64_t size = std::max<int64_t>(type.getDimSize(i), 1);
    AffineExpr expr = offset.floorDiv(stride);
    index[i] = i == 0 ? expr : expr % size;
    stride *= size;
  }
  return index;
}

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
    return {llvm::divideFloorSigned(a.low, b.low),
            llvm::divideFloorSigned(a.high, b.low)};
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(a.low, b.low),
            llvm::divideCeilSigned(a.high, b.low)};
  default: // remainder
    return {0, b.low - 1};
  }
}

std::pair<AffineExpr, AffineExpr> IndexRanges::split(AffineExpr expr,
                                                     int64_t divisor) const {
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
            getAffineConstantExpr(constant.getValue() - quotient * divisor,
                                  expr.getContext())};
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

/// A term of a sum: `factor * base`.
static std::pair<AffineExpr, int64_t> asTerm(AffineExpr expr) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (product && expr.getKind() == AffineExprKind::Mul) {
    if (auto factor = dyn_cast<AffineConstantExpr>(product.getRHS())) {
      return {product.getLHS(), factor.getValue()};
    }
  }
  return {expr, 1};
}

/// The numerator and the constant divisor of a division of `kind`.
static std::pair<AffineExpr, int64_t> asDivision(AffineExpr expr,
                                                 AffineExprKind kind) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == kind) {
    if (auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS())) {
      return {binary.getLHS(), divisor.getValue()};
    }
  }
  return {AffineExpr(), 0};
}

AffineExpr IndexRanges::add(AffineExpr lhs, AffineExpr rhs) const {
  llvm::SmallVector<AffineExpr> work{lhs, rhs}, terms;
  while (!work.empty()) {
    AffineExpr next = work.pop_back_val();
    if (next.getKind() == AffineExprKind::Add) {
      work.push_back(cast<AffineBinaryOpExpr>(next).getRHS());
      work.push_back(cast<AffineBinaryOpExpr>(next).getLHS());
    } else {
      terms.push_back(next);
    }
  }
  // c (x mod k) + c k (x / k) = c x, and
  // c (x mod k) + c k ((x / k) mod m) = c (x mod k m).
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < terms.size() && !changed; ++i) {
      auto [base, factor] = asTerm(terms[i]);
      auto [x, k] = asDivision(base, AffineExprKind::Mod);
      for (size_t j = 0; x && j < terms.size(); ++j) {
        auto [other, otherFactor] = asTerm(terms[j]);
        if (i == j || otherFactor != factor * k) {
          continue;
        }
        auto [quotient, m] = asDivision(other, AffineExprKind::Mod);
        if (other == x.floorDiv(k)) {
          terms[i] = x * factor;
        } else if (quotient && quotient == x.floorDiv(k)) {
          terms[i] = (x % (k * m)) * factor;
        } else {
          continue;
        }
        terms.erase(terms.begin() + j);
        changed = true;
        break;
      }
    }
  }
  AffineExpr sum = terms.front();
  for (AffineExpr term : llvm::drop_begin(terms)) {
    sum = sum + term;
  }
  return sum;
}

std::pair<AffineExpr, AffineExpr> IndexRanges::divide(AffineExpr expr,
                                                      int64_t divisor) const {
  auto [quotient, rest] = split(expr, divisor);
  auto isBelow = [&](AffineExpr part, int64_t bound) {
    IndexRange range = of(part);
    return range.low >= 0 && range.high < bound;
  };
  if (isBelow(rest, divisor)) {
    return {quotient, rest};
  }
  // Where rest = f a + b with 0 <= b < f and f divides the divisor d:
  // rest / d = a / (d / f), rest mod d = f (a mod (d / f)) + b.
  llvm::SmallVector<AffineExpr> work{rest};
  while (!work.empty()) {
    AffineExpr next = work.pop_back_val();
    if (next.getKind() == AffineExprKind::Add) {
      work.push_back(cast<AffineBinaryOpExpr>(next).getLHS());
      work.push_back(cast<AffineBinaryOpExpr>(next).getRHS());
      continue;
    }
    int64_t factor = std::gcd(asTerm(next).second, divisor);
    if (factor <= 1 || factor == divisor) {
      continue;
    }
    auto [multiple, small] = split(rest, factor);
    if (isBelow(small, factor)) {
      auto [above, remainder] = divide(simplify(multiple), divisor / factor);
      return {add(quotient, above), add(simplify(remainder * factor), small)};
    }
  }
  return {add(quotient, rest.floorDiv(divisor)), rest % divisor};
}

AffineExpr IndexRanges::simplify(AffineExpr expr) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    IndexRange range = of(expr);
    return range.low == range.high
               ? getAffineConstantExpr(range.low, expr.getContext())
               : expr;
  }
  AffineExpr lhs = simplify(binary.getLHS()), rhs = simplify(binary.getRHS());
  auto constant = dyn_cast<AffineConstantExpr>(rhs);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(lhs, rhs);
  case AffineExprKind::Mul: {
    // Distribute, so that sums stay flat for `split`.
    if (lhs.getKind() == AffineExprKind::Add && constant) {
      auto sum = cast<AffineBinaryOpExpr>(lhs);
      return simplify(sum.getLHS() * rhs) + simplify(sum.getRHS() * rhs);
    }
    return lhs * rhs;
  }
  case AffineExprKind::FloorDiv:
    return constant && constant.getValue() > 0
               ? divide(lhs, constant.getValue()).first
               : lhs.floorDiv(rhs);
  case AffineExprKind::Mod:
    return constant && constant.getValue() > 0
               ? divide(lhs, constant.getValue()).second
               : lhs % rhs;
  default:
    return lhs.ceilDiv(rhs);
  }
}
