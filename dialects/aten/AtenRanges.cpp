// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of integers: of results, and of the places that indices may name.
#include "dialects/aten/AtenInfer.h"

using namespace mlir;
using namespace moelle;
using namespace moelle::aten;

/// Places of a dimension of `count` elements, for results of int64.
static IntegerValueRange placesOf(int64_t count) {
  return ConstantIntRanges::fromSigned(
      APInt(64, 0), APInt(64, std::max<int64_t>(count, 1) - 1));
}

static int64_t dimSize(RankedTensorType type, int64_t dim) {
  return type.getRank() == 0 ? 1
                             : type.getDimSize(wrapDim(dim, type.getRank()));
}

void AmaxOp::inferResultRangesFromOptional(ArrayRef<IntegerValueRange> ranges,
                                           SetIntLatticeFn set) {
  set(getResult(), ranges[0]);
}

void AminOp::inferResultRangesFromOptional(ArrayRef<IntegerValueRange> ranges,
                                           SetIntLatticeFn set) {
  set(getResult(), ranges[0]);
}

void TopkOp::inferResultRangesFromOptional(ArrayRef<IntegerValueRange> ranges,
                                           SetIntLatticeFn set) {
  set(getValues(), ranges[0]);
  set(getIndices(), placesOf(dimSize(getSelf().getType(), getDim())));
}

void SortOp::inferResultRangesFromOptional(ArrayRef<IntegerValueRange> ranges,
                                           SetIntLatticeFn set) {
  set(getValues(), ranges[0]);
  set(getIndices(), placesOf(dimSize(getSelf().getType(), getDim())));
}

void IndexPutOp::inferResultRangesFromOptional(
    ArrayRef<IntegerValueRange> ranges, SetIntLatticeFn set) {
  set(getResult(),
      getAccumulate() ? IntegerValueRange::getMaxRange(getResult())
                      : IntegerValueRange::join(ranges.front(), ranges.back()));
}

void InversePermutationOp::inferResultRangesFromOptional(
    ArrayRef<IntegerValueRange>, SetIntLatticeFn set) {
  set(getResult(), placesOf(getType().getNumElements()));
}

/// Bounds of the index tensors of `index.Tensor` and `index_put`, of which
/// negative ones count from the end.
static SmallVector<IndexBound> indexBounds(RankedTensorType self,
                                           ArrayRef<bool> present) {
  SmallVector<IndexBound> bounds;
  for (auto [dim, isPresent] : llvm::enumerate(present)) {
    if (isPresent) {
      int64_t size = self.getDimSize(dim);
      bounds.push_back({static_cast<unsigned>(bounds.size() + 1), -size, size});
    }
  }
  return bounds;
}

SmallVector<IndexBound> IndexOp::getIndexBounds() {
  return indexBounds(getSelf().getType(), getIndicesPresent());
}
SmallVector<IndexBound> IndexPutOp::getIndexBounds() {
  return indexBounds(getSelf().getType(), getIndicesPresent());
}
SmallVector<IndexBound> EmbeddingOp::getIndexBounds() {
  return {{1, 0, getWeight().getType().getDimSize(0)}};
}
SmallVector<IndexBound> GatherOp::getIndexBounds() {
  return {{1, 0, dimSize(getSelf().getType(), getDim())}};
}
SmallVector<IndexBound> ScatterSrcOp::getIndexBounds() {
  return {{1, 0, dimSize(getSelf().getType(), getDim())}};
}
SmallVector<IndexBound> ScatterValueOp::getIndexBounds() {
  return {{1, 0, dimSize(getSelf().getType(), getDim())}};
}
SmallVector<IndexBound> InversePermutationOp::getIndexBounds() {
  return {{0, 0, getType().getNumElements()}};
}
