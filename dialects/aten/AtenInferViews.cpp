// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape and dtype inference: views, creation, gathers, scatters and products.
#include "dialects/aten/AtenInfer.h"

using namespace mlir;
using namespace moelle::aten;

LogicalResult Inference::view(Value self, Ints size) {
  RankedTensorType type = typeOf(self);
  SmallVector<int64_t> shape(size);
  int64_t known = 1, numel = type.getNumElements();
  int64_t *open = nullptr;
  for (int64_t &dim : shape) {
    if (dim >= 0) {
      known *= dim;
    } else if (dim != -1 || open) {
      return fail(
          "'size' must hold at most one -1 and no other negative value");
    } else {
      open = &dim;
    }
  }
  if (open) {
    if (known == 0 || numel % known != 0) {
      return fail("'size' must divide the " + Twine(numel) +
                  " elements, but its "
                  "known part is " +
                  Twine(known));
    }
    *open = numel / known;
  } else if (known != numel) {
    return fail("'size' must hold " + Twine(numel) + " elements, but got " +
                Twine(known));
  }
  return add(shape, type.getElementType());
}

LogicalResult Inference::permute(Value self, Ints dims) {
  RankedTensorType type = typeOf(self);
  if (static_cast<int64_t>(dims.size()) != type.getRank()) {
    return fail("'dims' must have " + Twine(type.getRank()) +
                " entries, but got " + Twine(dims.size()));
  }
  SmallVector<int64_t> shape;
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : dims) {
    if (!wrap(dim, type.getRank())) {
      return failure();
    }
    if (!seen.insert(dim).second) {
      return fail("'dims' must name each dimension once, but names " +
                  Twine(dim) + " twice");
    }
    shape.push_back(type.getDimSize(dim));
  }
  return add(shape, type.getElementType());
}

LogicalResult Inference::expand(Value self, Ints size) {
  RankedTensorType type = typeOf(self);
  int64_t offset = static_cast<int64_t>(size.size()) - type.getRank();
  if (offset < 0) {
    return fail("'size' must have at least " + Twine(type.getRank()) +
                " entries, but got " + Twine(size.size()));
  }
  SmallVector<int64_t> shape(size);
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i) {
    int64_t mine = i < offset ? 1 : type.getDimSize(i - offset);
    if (shape[i] == -1 && i >= offset) {
      shape[i] = mine;
    }
    if (shape[i] < 0 || (shape[i] != mine && mine != 1)) {
      return fail("size " + Twine(mine) + " cannot expand to " +
                  Twine(shape[i]));
    }
  }
  return add(shape, type.getElementType());
}

LogicalResult Inference::unsqueeze(Value self, int64_t dim) {
  RankedTensorType type = typeOf(self);
  if (!wrap(dim, type.getRank() + 1)) {
    return failure();
  }
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dim, 1);
  return add(shape, type.getElementType());
}

LogicalResult Inference::squeeze(Value self, Ints dims) {
  RankedTensorType type = typeOf(self);
  llvm::SmallDenseSet<int64_t> drop;
  for (int64_t dim : dims) {
    if (!wrap(dim, type.getRank())) {
      return failure();
    }
    drop.insert(dim);
  }
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (size != 1 || !drop.contains(i)) {
      shape.push_back(size);
    }
  }
  return add(shape, type.getElementType());
}

LogicalResult Inference::slice(Value self, int64_t dim,
                               std::optional<int64_t> start,
                               std::optional<int64_t> end, int64_t step) {
  RankedTensorType type = typeOf(self);
  if (type.getRank() == 0 || !wrap(dim, type.getRank())) {
    return failure();
  }
  if (step < 1) {
    return fail("'step' must be positive, but got " + Twine(step));
  }
  SliceRange range = getSliceRange(type, dim, start, end);
  SmallVector<int64_t> shape(type.getShape());
  shape[range.dim] = llvm::divideCeil(range.end - range.start, step);
  return add(shape, type.getElementType());
}

LogicalResult Inference::sliceScatter(Value self, Value source, int64_t dim,
                                      std::optional<int64_t> start,
                                      std::optional<int64_t> end,
                                      int64_t step) {
  if (failed(slice(self, dim, start, end, step))) {
    return failure();
  }
  auto part = mlir::cast<RankedTensorType>(types.pop_back_val());
  if (part.getShape() != typeOf(source).getShape()) {
    return fail("'src' must have the shape of the slice it replaces");
  }
  return same(self);
}

LogicalResult Inference::select(Value self, int64_t dim, int64_t index) {
  RankedTensorType type = typeOf(self);
  if (type.getRank() == 0 || !wrap(dim, type.getRank())) {
    return failure();
  }
  int64_t size = type.getDimSize(dim);
  if (index < -size || index >= size) {
    return fail("'index' must be in [" + Twine(-size) + ", " + Twine(size - 1) +
                "], but got " + Twine(index));
  }
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  return add(shape, type.getElementType());
}

LogicalResult Inference::split(Value self, Ints sizes, int64_t dim) {
  RankedTensorType type = typeOf(self);
  if (type.getRank() == 0 || !wrap(dim, type.getRank())) {
    return failure();
  }
  int64_t total = 0;
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t size : sizes) {
    shape[dim] = size;
    total += size;
    (void)add(shape, type.getElementType());
  }
  if (total != type.getDimSize(dim)) {
    return fail("'split_sizes' must sum to " + Twine(type.getDimSize(dim)) +
                ", but got " + Twine(total));
  }
  return success();
}

LogicalResult Inference::cat(ValueRange tensors, int64_t dim) {
  SmallVector<RankedTensorType> all;
  for (Value tensor : tensors) {
    RankedTensorType type = typeOf(tensor);
    // PyTorch skips empty one-dimensional tensors.
    if (type.getRank() != 1 || type.getDimSize(0) != 0 || tensors.size() == 1) {
      all.push_back(type);
    }
  }
  if (all.empty() || all[0].getRank() == 0 || !wrap(dim, all[0].getRank())) {
    return fail("needs at least one tensor with dimensions");
  }
  SmallVector<int64_t> shape(all[0].getShape());
  shape[dim] = 0;
  for (RankedTensorType type : all) {
    SmallVector<int64_t> other(type.getShape());
    if (other.size() != shape.size()) {
      return fail("tensors must have one rank");
    }
    int64_t size = std::exchange(other[dim], shape[dim]);
    if (other != shape) {
      return fail("tensors must agree in all dimensions but " + Twine(dim));
    }
    shape[dim] += size;
  }
  return add(shape, promoteTypes(all));
}

LogicalResult Inference::pad(Value self, Ints pad) {
  RankedTensorType type = typeOf(self);
  SmallVector<int64_t> shape(type.getShape());
  if (pad.size() % 2 != 0 || pad.size() / 2 > shape.size()) {
    return fail("'pad' must hold two entries for each of the last dimensions");
  }
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    int64_t &size = shape[shape.size() - 1 - i];
    size += pad[2 * i] + pad[2 * i + 1];
    if (size < 0) {
      return fail("padded size must not be negative, but got " + Twine(size));
    }
  }
  return add(shape, type.getElementType());
}

LogicalResult Inference::creation(Ints size, OptionalType dtype,
                                  Attribute number) {
  if (!dtype) {
    dtype =
        !number || isa<FloatAttr>(number)
            ? Type(Float32Type::get(context))
            : Type(IntegerType::get(context, isa<BoolAttr>(number) ? 1 : 64));
  }
  for (int64_t dim : size) {
    if (dim < 0) {
      return fail("'size' must not be negative, but got " + Twine(dim));
    }
  }
  return add(size, *dtype);
}

LogicalResult Inference::arange(Attribute start, Attribute end, Attribute step,
                                OptionalType dtype) {
  bool floating = false;
  auto number = [&](Attribute attr) -> double {
    if (auto value = dyn_cast<FloatAttr>(attr)) {
      floating = true;
      return value.getValueAsDouble();
    }
    return static_cast<double>(mlir::cast<IntegerAttr>(attr).getInt());
  };
  double first = number(start), last = number(end), by = number(step);
  if (!(by != 0) || !std::isfinite((last - first) / by)) {
    return fail("'step' must not be zero and the range must be finite");
  }
  int64_t count = std::max<int64_t>(0, std::ceil((last - first) / by));
  if (!dtype) {
    dtype = floating ? Type(Float32Type::get(context))
                     : Type(IntegerType::get(context, 64));
  }
  return add({count}, *dtype);
}

LogicalResult Inference::literal(ElementsAttr value) {
  types.push_back(value.getShapedType());
  return success();
}

LogicalResult Inference::embedding(Value weight, Value indices) {
  if (typeOf(weight).getRank() != 2) {
    return fail("'weight' must have 2 dimensions, but got " +
                Twine(typeOf(weight).getRank()));
  }
  SmallVector<int64_t> shape(typeOf(indices).getShape());
  shape.push_back(typeOf(weight).getDimSize(1));
  return add(shape, typeOf(weight).getElementType());
}

LogicalResult Inference::gather(Value self, int64_t dim, Value index) {
  if (failed(scatter(self, dim, index))) {
    return failure();
  }
  types.pop_back();
  return add(typeOf(index).getShape(), typeOf(self).getElementType());
}

LogicalResult Inference::scatter(Value self, int64_t dim, Value index) {
  RankedTensorType type = typeOf(self), places = typeOf(index);
  if (type.getRank() != places.getRank() || !wrap(dim, type.getRank())) {
    return fail("'index' must have the rank " + Twine(type.getRank()) +
                " of 'self', but got " + Twine(places.getRank()));
  }
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i != dim && places.getDimSize(i) > type.getDimSize(i)) {
      return fail("'index' must not exceed 'self' in dimension " + Twine(i) +
                  ", but got " + Twine(places.getDimSize(i)) + " over " +
                  Twine(type.getDimSize(i)));
    }
  }
  return same(self);
}

LogicalResult Inference::index(Value self, ValueRange indices,
                               ArrayRef<bool> present) {
  RankedTensorType type = typeOf(self);
  if (static_cast<int64_t>(present.size()) > type.getRank()) {
    return fail("has " + Twine(present.size()) + " indices for " +
                Twine(type.getRank()) + " dimensions");
  }
  auto places = broadcast(SmallVector<Value>(indices));
  if (failed(places)) {
    return failure();
  }
  // The broadcast index dimensions stand where the indexed ones were when
  // those are adjacent, in front otherwise.
  const auto *first = llvm::find(present, true);
  const auto *last = std::find(first, present.end(), false);
  bool adjacent = std::find(last, present.end(), true) == present.end();
  size_t at = adjacent ? first - present.begin() : 0;
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i >= static_cast<int64_t>(present.size()) || !present[i]) {
      shape.push_back(type.getDimSize(i));
    }
  }
  shape.insert(shape.begin() + at, places->begin(), places->end());
  return add(shape, type.getElementType());
}

LogicalResult Inference::indexPut(Value self, ValueRange indices,
                                  ArrayRef<bool> present, Value values) {
  if (failed(index(self, indices, present))) {
    return failure();
  }
  auto slots = mlir::cast<RankedTensorType>(types.pop_back_val());
  auto shape = broadcast({values});
  ArrayRef<int64_t> given = *shape;
  bool fits = given.size() <= static_cast<size_t>(slots.getRank());
  for (size_t i = 0; fits && i < given.size(); ++i) {
    int64_t mine = given[given.size() - 1 - i];
    fits = mine == 1 || mine == slots.getDimSize(slots.getRank() - 1 - i);
  }
  if (!fits) {
    return fail("'values' must broadcast to the indexed shape");
  }
  return same(self);
}

LogicalResult Inference::product(Value lhs, Value rhs, int64_t rank) {
  RankedTensorType a = typeOf(lhs), b = typeOf(rhs);
  if (a.getRank() != rank || b.getRank() != rank) {
    return fail("operands must have " + Twine(rank) + " dimensions, but got " +
                Twine(a.getRank()) + " and " + Twine(b.getRank()));
  }
  if (a.getDimSize(rank - 1) != b.getDimSize(rank - 2) ||
      (rank == 3 && a.getDimSize(0) != b.getDimSize(0))) {
    return fail("contracted and batch dimensions must agree");
  }
  if (a.getElementType() != b.getElementType()) {
    return fail("operands must have one dtype");
  }
  SmallVector<int64_t> shape(a.getShape());
  shape.back() = b.getDimSize(rank - 1);
  return add(shape, a.getElementType());
}

LogicalResult Inference::groupedMm(Value lhs, Value rhs, Value offsets) {
  RankedTensorType a = typeOf(lhs), b = typeOf(rhs);
  RankedTensorType groups = typeOf(offsets);
  if (a.getRank() != 2 || (b.getRank() != 2 && b.getRank() != 3) ||
      groups.getRank() != 1) {
    return fail(
        "operands must be 2-d rows, 3-d weights or 2-d rows, and 1-d offsets");
  }
  if (a.getElementType() != b.getElementType()) {
    return fail("operands must have one dtype");
  }
  if (b.getRank() == 3) {
    if (a.getDimSize(1) != b.getDimSize(1) ||
        groups.getDimSize(0) != b.getDimSize(0)) {
      return fail("contracted dimensions and numbers of groups must agree");
    }
    return add({a.getDimSize(0), b.getDimSize(2)}, a.getElementType());
  }
  if (a.getDimSize(1) != b.getDimSize(0)) {
    return fail("contracted dimensions must agree");
  }
  return add({groups.getDimSize(0), a.getDimSize(0), b.getDimSize(1)},
             a.getElementType());
}

LogicalResult Inference::groupedMmBackward(Value input, Value weight) {
  types.push_back(input.getType());
  types.push_back(weight.getType());
  return success();
}
