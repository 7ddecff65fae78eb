// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape and dtype inference: promotion, element-wise, reductions, indexing.
#include "dialects/aten/AtenInfer.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace moelle::aten;

namespace {

/// bool 0, integer 1, float 2, complex 3.
int categoryOf(Type element) {
  if (element.isInteger(1)) {
    return 0;
  }
  return isa<IntegerType>(element) ? 1 : isa<FloatType>(element) ? 2 : 3;
}

Type promotePair(Type a, Type b) {
  if (!a || a == b) {
    return b;
  }
  int ca = categoryOf(a), cb = categoryOf(b);
  if (ca != cb) {
    return ca > cb ? a : b;
  }
  if (ca == 2 && a.getIntOrFloatBitWidth() == b.getIntOrFloatBitWidth()) {
    return Float32Type::get(a.getContext()); // bf16 with f16
  }
  if (ca == 3) {
    return cast<ComplexType>(a).getElementType().getIntOrFloatBitWidth() >=
                   cast<ComplexType>(b).getElementType().getIntOrFloatBitWidth()
               ? a
               : b;
  }
  if (a.getIntOrFloatBitWidth() == b.getIntOrFloatBitWidth()) {
    return IntegerType::get(a.getContext(), 16); // uint8 with int8
  }
  return a.getIntOrFloatBitWidth() > b.getIntOrFloatBitWidth() ? a : b;
}

/// An integer or bool dtype as the default float dtype.
Type toFloat(Type element) {
  return categoryOf(element) < 2 ? Float32Type::get(element.getContext())
                                 : element;
}

bool isFloatNumber(Attribute number) {
  return isa_and_nonnull<FloatAttr>(number);
}

} // namespace

Type moelle::aten::promoteTypes(ArrayRef<RankedTensorType> types) {
  Type dimensioned, zeroDim;
  for (RankedTensorType type : types) {
    Type &into = type.getRank() == 0 ? zeroDim : dimensioned;
    into = promotePair(into, type.getElementType());
  }
  if (!dimensioned || !zeroDim) {
    return dimensioned ? dimensioned : zeroDim;
  }
  return categoryOf(zeroDim) > categoryOf(dimensioned) ? zeroDim : dimensioned;
}

SliceRange moelle::aten::getSliceRange(RankedTensorType type, int64_t dim,
                                       std::optional<int64_t> start,
                                       std::optional<int64_t> end) {
  dim = wrapDim(dim, type.getRank());
  int64_t size = type.getDimSize(dim);
  auto place = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
  };
  int64_t first = place(start.value_or(0));
  return {dim, first, std::max(first, place(end.value_or(size)))};
}

LogicalResult Inference::fail(const Twine &message) {
  return emitOptionalError(location, "'", name, "' ", message);
}

LogicalResult Inference::add(Ints shape, Type element) {
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

bool Inference::wrap(int64_t &dim, int64_t rank) {
  int64_t limit = std::max<int64_t>(rank, 1);
  if (dim < -limit || dim >= limit) {
    (void)fail("dimension must be in [" + Twine(-limit) + ", " +
               Twine(limit - 1) + "], but got " + Twine(dim));
    return false;
  }
  dim = dim < 0 ? dim + limit : dim;
  return true;
}

FailureOr<SmallVector<int64_t>> Inference::broadcast(Tensors values) {
  SmallVector<int64_t> shape;
  for (Value value : values) {
    ArrayRef<int64_t> other = typeOf(value).getShape();
    if (other.size() > shape.size()) {
      shape.insert(shape.begin(), other.size() - shape.size(), 1);
    }
    for (auto [i, size] : llvm::enumerate(llvm::reverse(other))) {
      int64_t &mine = shape[shape.size() - 1 - i];
      if (mine != size && mine != 1 && size != 1) {
        return fail("operands must broadcast together, but got sizes " +
                    Twine(mine) + " and " + Twine(size));
      }
      mine = mine == 1 ? size : mine;
    }
  }
  return shape;
}

LogicalResult Inference::pointwise(Tensors values) {
  auto shape = broadcast(values);
  if (failed(shape)) {
    return failure();
  }
  return add(*shape, promoteTypes(llvm::map_to_vector(
                         values, [&](Value v) { return typeOf(v); })));
}

LogicalResult Inference::floating(Tensors values) {
  if (failed(pointwise(values))) {
    return failure();
  }
  auto type = mlir::cast<RankedTensorType>(types.back());
  types.back() = type.clone(toFloat(type.getElementType()));
  return success();
}

LogicalResult Inference::predicate(Tensors values) {
  if (failed(pointwise(values))) {
    return failure();
  }
  types.back() = mlir::cast<RankedTensorType>(types.back())
                     .clone(IntegerType::get(context, 1));
  return success();
}

LogicalResult Inference::withNumber(Value self, Attribute number) {
  Type element = typeOf(self).getElementType();
  if (isFloatNumber(number)) {
    element = toFloat(element);
  } else if (element.isInteger(1) && isa<IntegerAttr>(number) &&
             !isa<BoolAttr>(number)) {
    element = IntegerType::get(context, 64);
  }
  return add(typeOf(self).getShape(), element);
}

LogicalResult Inference::floatingWithNumber(Value self, Attribute number) {
  return add(typeOf(self).getShape(), toFloat(typeOf(self).getElementType()));
}

LogicalResult Inference::predicateWithNumber(Value self, Attribute number) {
  return add(typeOf(self).getShape(), IntegerType::get(context, 1));
}

LogicalResult Inference::division(Tensors values,
                                  std::optional<StringRef> mode) {
  return mode ? pointwise(values) : floating(values);
}

LogicalResult Inference::divisionWithNumber(Value self, Attribute number,
                                            std::optional<StringRef> mode) {
  return mode ? withNumber(self, number) : floatingWithNumber(self, number);
}

LogicalResult Inference::where(Value condition, Tensors values) {
  auto shape = broadcast({condition, values[0], values[1]});
  if (failed(shape)) {
    return failure();
  }
  return add(*shape, promoteTypes({typeOf(values[0]), typeOf(values[1])}));
}

LogicalResult Inference::cast(Value self, OptionalType dtype) {
  return add(typeOf(self).getShape(),
             dtype.value_or(typeOf(self).getElementType()));
}

LogicalResult Inference::same(Value self) {
  types.push_back(self.getType());
  return success();
}

LogicalResult Inference::reduce(Value self, OptionalInts dims, bool keepdim,
                                OptionalType dtype) {
  RankedTensorType type = typeOf(self);
  llvm::SmallDenseSet<int64_t> reduced;
  for (int64_t dim : dims.value_or(Ints())) {
    if (!wrap(dim, type.getRank())) {
      return failure();
    }
    if (!reduced.insert(dim).second) {
      return fail("dimension " + Twine(dim) +
                  " must appear once, but got it twice");
    }
  }
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (reduced.empty() || reduced.contains(i)) {
      if (keepdim) {
        shape.push_back(1);
      }
    } else {
      shape.push_back(size);
    }
  }
  return add(shape, dtype.value_or(type.getElementType()));
}

LogicalResult Inference::sum(Value self, OptionalInts dims, bool keepdim,
                             OptionalType dtype) {
  Type element = typeOf(self).getElementType();
  if (!dtype && categoryOf(element) < 2) {
    dtype = IntegerType::get(context, 64);
  }
  return reduce(self, dims, keepdim, dtype);
}

LogicalResult Inference::mean(Value self, OptionalInts dims, bool keepdim,
                              OptionalType dtype) {
  Type element = dtype.value_or(typeOf(self).getElementType());
  if (categoryOf(element) < 2) {
    return fail("operand must have a floating dtype, or 'dtype' must give one");
  }
  return reduce(self, dims, keepdim, dtype);
}

LogicalResult Inference::softmax(Value self, int64_t dim, bool halfToFloat) {
  if (!wrap(dim, typeOf(self).getRank())) {
    return failure();
  }
  return cast(self, halfToFloat ? OptionalType(Float32Type::get(context))
                                : std::nullopt);
}

LogicalResult Inference::cumsum(Value self, int64_t dim, OptionalType dtype) {
  if (!wrap(dim, typeOf(self).getRank())) {
    return failure();
  }
  if (!dtype && categoryOf(typeOf(self).getElementType()) < 2) {
    dtype = IntegerType::get(context, 64);
  }
  return cast(self, dtype);
}

LogicalResult Inference::topk(Value self, int64_t k, int64_t dim) {
  RankedTensorType type = typeOf(self);
  if (type.getRank() == 0 || !wrap(dim, type.getRank())) {
    return failure();
  }
  if (k < 0 || k > type.getDimSize(dim)) {
    return fail("'k' must be in [0, " + Twine(type.getDimSize(dim)) +
                "], but got " + Twine(k));
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = k;
  (void)add(shape, type.getElementType());
  return add(shape, IntegerType::get(context, 64));
}

LogicalResult Inference::sort(Value self, int64_t dim) {
  if (!wrap(dim, typeOf(self).getRank())) {
    return failure();
  }
  types.push_back(self.getType());
  return add(typeOf(self).getShape(), IntegerType::get(context, 64));
}

LogicalResult Inference::permutation(Value self) {
  RankedTensorType type = typeOf(self);
  if (type.getRank() != 1 || !type.getElementType().isInteger(64)) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return fail("'self' must be a vector of int64, but got " + text);
  }
  return add(type.getShape(), type.getElementType());
}

LogicalResult Inference::histc(Value self, int64_t bins) {
  if (bins <= 0) {
    return fail("'bins' must be positive, but got " + Twine(bins));
  }
  return add({bins}, typeOf(self).getElementType());
}
