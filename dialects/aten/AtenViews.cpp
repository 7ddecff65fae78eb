// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index maps of views, concatenations, gathers and scatters.
#include "dialects/aten/AtenElements.h"
#include "dialects/aten/AtenInfer.h"

using namespace mlir;
using namespace moelle;
using namespace moelle::aten;

SmallVector<AffineExpr> moelle::aten::broadcastIndex(ArrayRef<AffineExpr> index,
                                                     RankedTensorType operand) {
  SmallVector<AffineExpr> source(index.take_back(operand.getRank()));
  for (auto [i, expr] : llvm::enumerate(source)) {
    if (operand.getDimSize(i) == 1) {
      expr = getAffineConstantExpr(0, expr.getContext());
    }
  }
  return source;
}

SmallVector<AffineExpr> moelle::aten::reshapeIndex(ArrayRef<AffineExpr> index,
                                                   RankedTensorType to,
                                                   RankedTensorType from) {
  MLIRContext *context = to.getContext();
  SmallVector<AffineExpr> source;
  ArrayRef<int64_t> toShape = to.getShape(), fromShape = from.getShape();
  // Pair off groups of dimensions with equal products, so that an index that
  // passes through unchanged stays a plain dimension.
  size_t i = 0, j = 0;
  while (j < fromShape.size()) {
    size_t j0 = j;
    AffineExpr linear = getAffineConstantExpr(0, context);
    int64_t toSize = 1, fromSize = fromShape[j++];
    while (toSize != fromSize || toSize == 0) {
      if (i < toShape.size() && (toSize < fromSize || j == fromShape.size())) {
        linear = linear * toShape[i] + index[i];
        toSize *= toShape[i++];
      } else if (j < fromShape.size()) {
        fromSize *= fromShape[j++];
      } else {
        break; // empty tensors: any index will do
      }
    }
    int64_t stride = 1;
    SmallVector<AffineExpr> group;
    for (size_t k = j; k-- > j0;) {
      AffineExpr expr = linear.floorDiv(stride);
      group.push_back(k == j0 ? expr
                              : expr % std::max<int64_t>(fromShape[k], 1));
      if (fromShape[k] == 1) {
        group.back() = getAffineConstantExpr(0, context);
      }
      stride *= std::max<int64_t>(fromShape[k], 1);
    }
    source.append(group.rbegin(), group.rend());
  }
  return source;
}

Value moelle::aten::emitCat(ElementEmitter &e, ValueRange tensors, int64_t dim,
                            ArrayRef<AffineExpr> index) {
  // From the last piece backwards: `start` is where a piece begins.
  SmallVector<std::pair<Value, int64_t>> pieces;
  int64_t start = 0;
  SmallVector<RankedTensorType> types;
  for (Value tensor : tensors) {
    auto type = cast<RankedTensorType>(tensor.getType());
    types.push_back(type);
    if (type.getNumElements() != 0) {
      pieces.push_back({tensor, start});
      start += type.getDimSize(dim);
    }
  }
  Type element = promoteTypes(types);
  auto piece = [&](size_t i) {
    auto [tensor, begin] = pieces[i];
    SmallVector<AffineExpr> source(index);
    source[dim] =
        e.clamp(index[dim] - begin,
                cast<RankedTensorType>(tensor.getType()).getDimSize(dim));
    return convertScalar(e.builder, e.loc, e.read(tensor, source), element);
  };
  std::function<Value(size_t)> from = [&](size_t i) -> Value {
    if (i + 1 == pieces.size()) {
      return piece(i);
    }
    return e.select(
        index[dim], pieces[i + 1].second, [&] { return piece(i); },
        [&] { return from(i + 1); });
  };
  return from(0);
}

SliceRange SliceOp::getRange() {
  return getSliceRange(getSelf().getType(), getDim(), getStart(), getEnd());
}

SliceRange SliceScatterOp::getRange() {
  return getSliceRange(getSelf().getType(), getDim(), getStart(), getEnd());
}

Value moelle::aten::emitSliceScatter(ElementEmitter &e, SliceScatterOp op,
                                     ArrayRef<AffineExpr> index) {
  auto range = op.getRange();
  int64_t dim = range.dim, step = op.getStep();
  auto keep = [&] { return e.read(op.getSelf(), index); };
  if (range.start == range.end) {
    return keep();
  }
  Type element = op.getType().getElementType();
  auto replace = [&]() -> Value {
    SmallVector<AffineExpr> source(index);
    source[dim] = e.clamp((index[dim] - range.start).floorDiv(step),
                          op.getSrc().getType().getDimSize(dim));
    Value value =
        convertScalar(e.builder, e.loc, e.read(op.getSrc(), source), element);
    if (step == 1) {
      return value;
    }
    return e.select((index[dim] - range.start) % step, 1, [&] { return value; },
                    keep);
  };
  return e.select(index[dim], range.start, keep, [&] {
    return e.select(index[dim], range.end, replace, keep);
  });
}

Value moelle::aten::emitPad(ElementEmitter &e, ConstantPadNdOp op,
                            ArrayRef<AffineExpr> index) {
  RankedTensorType type = op.getSelf().getType();
  auto fill = [&] {
    return emitNumber(e, op.getValue(), op.getType().getElementType());
  };
  SmallVector<AffineExpr> source(index);
  std::function<Value(int64_t)> inside = [&](int64_t i) -> Value {
    if (i == static_cast<int64_t>(op.getPad().size()) / 2) {
      return type.getNumElements() == 0 ? fill() : e.read(op.getSelf(), source);
    }
    int64_t dim = type.getRank() - 1 - i, before = op.getPad()[2 * i];
    AffineExpr at = index[dim] - before;
    return e.select(at, 0, fill, [&] {
      return e.select(
          at, type.getDimSize(dim),
          [&] {
            source[dim] = e.clamp(at, type.getDimSize(dim));
            return inside(i + 1);
          },
          fill);
    });
  };
  return inside(0);
}

Value moelle::aten::emitNumber(ElementEmitter &e, Attribute number, Type type) {
  return emitConstant(e.builder, e.loc, number, type);
}

Value moelle::aten::emitZero(ElementEmitter &e, Type type) {
  return arith::ConstantOp::create(e.builder, e.loc,
                                   e.builder.getZeroAttr(type));
}

Value moelle::aten::emitArange(ElementEmitter &e, ArangeOp op,
                               AffineExpr index) {
  OpBuilder &b = e.builder;
  Type type = op.getType().getElementType();
  auto start = dyn_cast<IntegerAttr>(op.getStart()),
       step = dyn_cast<IntegerAttr>(op.getStep());
  if (start && step) {
    Value at = e.indexValue(index * step.getInt() + start.getInt());
    at = arith::IndexCastOp::create(b, e.loc, b.getI64Type(), at);
    return convertScalar(b, e.loc, at, type);
  }
  Value at =
      arith::IndexCastOp::create(b, e.loc, b.getI64Type(), e.indexValue(index));
  Type f64 = b.getF64Type();
  Value value = arith::SIToFPOp::create(b, e.loc, f64, at);
  value = arith::MulFOp::create(b, e.loc, value,
                                emitConstant(b, e.loc, op.getStep(), f64));
  value = arith::AddFOp::create(b, e.loc, value,
                                emitConstant(b, e.loc, op.getStart(), f64));
  return convertScalar(b, e.loc, value, type);
}

Value moelle::aten::emitLiteral(ElementEmitter &e, ElementsAttr value,
                                ArrayRef<AffineExpr> index) {
  auto dense = cast<DenseElementsAttr>(value);
  auto constant = [&](TypedAttr attr) -> Value {
    return arith::ConstantOp::create(e.builder, e.loc, attr);
  };
  if (dense.isSplat()) {
    return constant(cast<TypedAttr>(dense.getSplatValue<Attribute>()));
  }
  // Small tables only: a chain of selections over the linear index.
  AffineExpr linear = getAffineConstantExpr(0, e.getContext());
  for (auto [i, expr] : llvm::enumerate(index)) {
    linear = linear * dense.getType().getDimSize(i) + expr;
  }
  auto values = llvm::to_vector(dense.getValues<Attribute>());
  std::function<Value(size_t, size_t)> pick = [&](size_t low,
                                                  size_t high) -> Value {
    if (high - low == 1) {
      return constant(cast<TypedAttr>(values[low]));
    }
    size_t middle = (low + high) / 2;
    return e.select(
        linear, middle, [&] { return pick(low, middle); },
        [&] { return pick(middle, high); });
  };
  return pick(0, values.size());
}

SmallVector<AffineExpr> moelle::aten::emitIndices(ElementEmitter &e,
                                                  RankedTensorType self,
                                                  ValueRange indices,
                                                  ArrayRef<bool> present,
                                                  ArrayRef<AffineExpr> index) {
  int64_t rank = 0; // of the broadcast index tensors
  for (Value tensor : indices) {
    rank = std::max(rank, cast<RankedTensorType>(tensor.getType()).getRank());
  }
  const auto *first = llvm::find(present, true);
  const auto *last = std::find(first, present.end(), false);
  bool adjacent = std::find(last, present.end(), true) == present.end();
  size_t at = adjacent ? first - present.begin() : 0;
  ArrayRef<AffineExpr> place = index.slice(at, rank);
  SmallVector<AffineExpr> rest(index.take_front(at));
  llvm::append_range(rest, index.drop_front(at + rank));

  SmallVector<AffineExpr> source;
  unsigned nextIndex = 0, nextRest = 0;
  for (int64_t dim = 0; dim < self.getRank(); ++dim) {
    if (dim >= static_cast<int64_t>(present.size()) || !present[dim]) {
      source.push_back(rest[nextRest++]);
      continue;
    }
    Value tensor = indices[nextIndex++];
    Value value =
        e.read(tensor,
               broadcastIndex(place, cast<RankedTensorType>(tensor.getType())));
    OpBuilder &b = e.builder;
    Value wide = convertScalar(b, e.loc, value, b.getI64Type());
    Value zero = arith::ConstantIntOp::create(b, e.loc, 0, 64);
    Value size =
        arith::ConstantIntOp::create(b, e.loc, self.getDimSize(dim), 64);
    Value negative =
        arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::slt, wide, zero);
    Value wrapped = arith::AddIOp::create(b, e.loc, wide, size);
    wide = arith::SelectOp::create(b, e.loc, negative, wrapped, wide);
    source.push_back(e.dynamicIndex(wide, self.getDimSize(dim)));
  }
  return source;
}

Value moelle::aten::emitScatter(ElementEmitter &e, Value self, int64_t dim,
                                Value places, Value source, Attribute number,
                                ArrayRef<AffineExpr> index) {
  OpBuilder &b = e.builder;
  auto type = cast<RankedTensorType>(self.getType());
  auto placesType = cast<RankedTensorType>(places.getType());
  Value result = e.read(self, index);
  Value here = arith::IndexCastOp::create(b, e.loc, b.getI64Type(),
                                          e.indexValue(index[dim]));
  for (int64_t k = 0; k < placesType.getDimSize(dim); ++k) {
    SmallVector<AffineExpr> at(index);
    at[dim] = getAffineConstantExpr(k, e.getContext());
    Value inside; // whether the index tensor covers this line at all
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (i == dim || placesType.getDimSize(i) == type.getDimSize(i)) {
        continue;
      }
      Value limit =
          arith::ConstantIndexOp::create(b, e.loc, placesType.getDimSize(i));
      Value less = arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::slt,
                                         e.indexValue(index[i]), limit);
      inside =
          inside ? Value(arith::AndIOp::create(b, e.loc, inside, less)) : less;
      at[i] = e.clamp(index[i], placesType.getDimSize(i));
    }
    Value place = convertScalar(b, e.loc, e.read(places, at), b.getI64Type());
    Value hit =
        arith::CmpIOp::create(b, e.loc, arith::CmpIPredicate::eq, place, here);
    hit = inside ? Value(arith::AndIOp::create(b, e.loc, hit, inside)) : hit;
    Value value = source ? convertScalar(b, e.loc, e.read(source, at),
                                         type.getElementType())
                         : emitNumber(e, number, type.getElementType());
    result = arith::SelectOp::create(b, e.loc, hit, value, result);
  }
  return result;
}
