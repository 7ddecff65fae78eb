// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access patterns, read off the scalar code of element ops.
#include "lib/Analysis/AccessRecorder.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace moelle;

AccessRecorder::AccessRecorder(Location loc, std::function<bool(Value)> isLeaf)
    : RangedEmitter(ownBuilder, loc), ownBuilder(loc.getContext()),
      isLeaf(std::move(isLeaf)) {
  builder.setInsertionPointToStart(&block);
}

AffineExpr AccessRecorder::addDim(int64_t size) {
  ranges.dims.push_back({0, std::max<int64_t>(size, 1) - 1});
  return getAffineDimExpr(ranges.dims.size() - 1, getContext());
}

Value AccessRecorder::placeholder(Type type) {
  return UnrealizedConversionCastOp::create(builder, loc, type, ValueRange())
      .getResult(0);
}

Value AccessRecorder::readOnce(Value tensor, ArrayRef<AffineExpr> index) {
  auto op = tensor.getDefiningOp<ElementOpInterface>();
  if (!op || isLeaf(tensor)) {
    auto type = cast<RankedTensorType>(tensor.getType());
    accesses.push_back({tensor, ranges.simplify(linearise(index, type))});
    return placeholder(type.getElementType());
  }
  expensive |= op.isExpensive();
  return emitDefinition(tensor, index);
}

Value AccessRecorder::indexValue(AffineExpr) {
  return placeholder(builder.getIndexType());
}

AffineExpr AccessRecorder::dynamicIndex(Value, int64_t extent) {
  ranges.symbols.push_back({0, std::max<int64_t>(extent, 1) - 1});
  return getAffineSymbolExpr(ranges.symbols.size() - 1, getContext());
}

std::optional<bool> AccessRecorder::isLess(AffineExpr expr, int64_t bound) {
  std::optional<bool> less = RangedEmitter::isLess(expr, bound);
  branches |= !less;
  return less;
}

unsigned AccessRecorder::getCost() {
  unsigned cost = 0;
  block.walk([&](Operation *op) {
    bool isFree = isa<UnrealizedConversionCastOp>(op) ||
                  op->hasTrait<OpTrait::ConstantLike>();
    if (!isFree && op->getNumResults() == 1 &&
        !isa<IndexType>(op->getResult(0).getType())) {
      ++cost;
    }
  });
  return cost;
}

std::optional<SmallVector<int64_t>> moelle::getStrides(AffineExpr offset,
                                                       unsigned count) {
  SmallVector<int64_t> strides(count, 0);
  SmallVector<std::pair<AffineExpr, int64_t>> work{{offset, 1}};
  while (!work.empty()) {
    auto [expr, factor] = work.pop_back_val();
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      strides[dim.getPosition()] += factor;
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      if (constant.getValue() != 0) {
        return std::nullopt;
      }
    } else if (expr.getKind() == AffineExprKind::Add) {
      auto sum = cast<AffineBinaryOpExpr>(expr);
      work.push_back({sum.getLHS(), factor});
      work.push_back({sum.getRHS(), factor});
    } else if (expr.getKind() == AffineExprKind::Mul) {
      auto product = cast<AffineBinaryOpExpr>(expr);
      auto scale = dyn_cast<AffineConstantExpr>(product.getRHS());
      if (!scale) {
        return std::nullopt;
      }
      work.push_back({product.getLHS(), factor * scale.getValue()});
    } else {
      return std::nullopt;
    }
  }
  return strides;
}

std::optional<SmallVector<AffineExpr>>
moelle::invertAccess(ArrayRef<int64_t> strides, ArrayRef<int64_t> shape,
                     AffineExpr offset) {
  // A permutation's strides, sorted, are the products of the sizes before.
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  llvm::sort(order,
             [&](unsigned a, unsigned b) { return strides[a] < strides[b]; });
  SmallVector<AffineExpr> index(shape.size(),
                                getAffineConstantExpr(0, offset.getContext()));
  int64_t product = 1;
  for (unsigned i : order) {
    if (shape[i] == 1) {
      continue;
    }
    if (strides[i] != product) {
      return std::nullopt;
    }
    index[i] = offset.floorDiv(product) % shape[i];
    product *= shape[i];
  }
  return index;
}
