// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar code of a kernel's values at an index.
#include "lib/Lower/BodyEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace moelle;

Type moelle::getStorageType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

MemRefType moelle::getFlatType(RankedTensorType type) {
  return MemRefType::get({type.getNumElements()},
                         getStorageType(type.getElementType()));
}

AffineExpr BodyEmitter::addDim(Value counter, int64_t low, int64_t high) {
  dimValues.push_back(counter);
  ranges.dims.push_back({low, std::max(low, high)});
  return getAffineDimExpr(dimValues.size() - 1, getContext());
}

AffineExpr BodyEmitter::addSymbol(Value value, int64_t low, int64_t high) {
  symbolValues.push_back(value);
  ranges.symbols.push_back({low, std::max(low, high)});
  return getAffineSymbolExpr(symbolValues.size() - 1, getContext());
}

Value BodyEmitter::indexValue(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    return dimValues[dim.getPosition()];
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    return symbolValues[symbol.getPosition()];
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = indexValue(binary.getLHS()), rhs = indexValue(binary.getRHS());
  bool positive = ranges.of(binary.getLHS()).low >= 0;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return positive
               ? Value(arith::DivUIOp::create(builder, loc, lhs, rhs))
               : Value(arith::FloorDivSIOp::create(builder, loc, lhs, rhs));
  case AffineExprKind::Mod: {
    if (positive) {
      return arith::RemUIOp::create(builder, loc, lhs, rhs);
    }
    Value quotient = arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
    return arith::SubIOp::create(
        builder, loc, lhs, arith::MulIOp::create(builder, loc, quotient, rhs));
  }
  default:
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs);
  }
}

AffineExpr BodyEmitter::dynamicIndex(Value scalar, int64_t extent) {
  if (!isa<IndexType>(scalar.getType())) {
    scalar = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        scalar);
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
  scalar = arith::MaxSIOp::create(builder, loc, scalar, zero);
  scalar = arith::MinSIOp::create(builder, loc, scalar, last);
  return addSymbol(scalar, 0, extent - 1);
}

Value BodyEmitter::readOnce(Value tensor, ArrayRef<AffineExpr> index) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto it = known.find(tensor); it != known.end()) {
    auto [place, scalar] = it->second;
    misplaced |=
        ranges.simplify(linearise(index, type)) != ranges.simplify(place);
    return scalar;
  }
  Value buffer = buffers.lookup(tensor);
  if (!buffer) {
    return emitDefinition(tensor, index);
  }
  lastOffset = ranges.simplify(linearise(index, type));
  Value result =
      memref::LoadOp::create(builder, loc, buffer, indexValue(lastOffset));
  if (type.getElementType().isInteger(1)) {
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
    result = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                   result, zero);
  }
  return result;
}

std::optional<int64_t> BodyEmitter::lastStride(AffineExpr dim) const {
  return lastOffset ? strideOf(lastOffset, dim) : std::nullopt;
}

std::optional<int64_t> BodyEmitter::strideOf(AffineExpr offset,
                                             AffineExpr dim) const {
  unsigned position = cast<AffineDimExpr>(dim).getPosition();
  AffineExpr zero = getAffineConstantExpr(0, getContext());
  auto at = [&](int64_t value) {
    llvm::DenseMap<AffineExpr, AffineExpr> point;
    for (unsigned i = 0; i < dimValues.size(); ++i) {
      point[getAffineDimExpr(i, getContext())] =
          i == position ? getAffineConstantExpr(value, getContext()) : zero;
    }
    for (unsigned i = 0; i < symbolValues.size(); ++i) {
      point[getAffineSymbolExpr(i, getContext())] = zero;
    }
    return ranges.of(offset.replace(point)).low;
  };
  int64_t first = at(1) - at(0);
  return at(2) - at(1) == first ? std::optional(first) : std::nullopt;
}

void BodyEmitter::store(Value scalar, Value buffer, AffineExpr offset) {
  if (scalar.getType().isInteger(1)) {
    scalar = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), scalar);
  }
  memref::StoreOp::create(builder, loc, scalar, buffer,
                          indexValue(ranges.simplify(offset)));
}
