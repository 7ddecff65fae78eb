// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of operators that are neither element-wise nor reductions.
#include "dialects/aten/AtenElements.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace moelle;
using namespace moelle::aten;

namespace {

/// Short spellings of the scalar code that kernels are written in.
struct Code {
  OpBuilder &b;
  Location l;

  Value at(int64_t value) {
    return arith::ConstantIndexOp::create(b, l, value);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, l, x, y); }
  Value mul(Value x, Value y) { return arith::MulIOp::create(b, l, x, y); }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, l, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, l, x, y); }
  Value negate(Value x) {
    return arith::XOrIOp::create(b, l, x,
                                 arith::ConstantIntOp::create(b, l, 1, 1));
  }
  Value pick(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, l, c, x, y);
  }
  Value less(Value x, Value y) {
    return arith::CmpIOp::create(b, l, arith::CmpIPredicate::slt, x, y);
  }
  Value toI64(Value x) {
    return arith::IndexCastOp::create(b, l, b.getI64Type(), x);
  }
  Value toIndex(Value x) {
    return arith::IndexCastOp::create(b, l, b.getIndexType(), x);
  }

  /// Orders scalars as PyTorch sorts them: NaN is greater than any number.
  Value greater(Value x, Value y) {
    if (!isa<FloatType>(x.getType())) {
      auto predicate = x.getType().isInteger(1) ? arith::CmpIPredicate::ugt
                                                : arith::CmpIPredicate::sgt;
      return arith::CmpIOp::create(b, l, predicate, x, y);
    }
    Value more = arith::CmpFOp::create(b, l, arith::CmpFPredicate::OGT, x, y);
    Value xNan = arith::CmpFOp::create(b, l, arith::CmpFPredicate::UNO, x, x);
    Value yNumber =
        arith::CmpFOp::create(b, l, arith::CmpFPredicate::ORD, y, y);
    return either(more, both(xNan, yNumber));
  }

  void loop(Value low, Value high, Value step,
            llvm::function_ref<void(Value)> body) {
    scf::ForOp::create(b, l, low, high, step, ValueRange(),
                       [&](OpBuilder &, Location, Value iv, ValueRange) {
                         body(iv);
                         scf::YieldOp::create(b, l);
                       });
  }
  void loop(int64_t count, llvm::function_ref<void(Value)> body) {
    loop(at(0), at(count), at(1), body);
  }
  SmallVector<Value>
  reduce(Value low, Value high, ValueRange init,
         llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
    auto loop = scf::ForOp::create(
        b, l, low, high, at(1), init,
        [&](OpBuilder &, Location, Value iv, ValueRange state) {
          scf::YieldOp::create(b, l, body(iv, state));
        });
    return SmallVector<Value>(loop.getResults());
  }
  Value load(Value memory, Value index) {
    return memref::LoadOp::create(b, l, memory, index);
  }
  void store(Value value, Value memory, Value index) {
    memref::StoreOp::create(b, l, value, memory, index);
  }
};

/// Points the kernel's builder at nested regions: scf bodies are built through
/// the emitter's own builder.
Code codeOf(KernelEmitter &emitter) { return {emitter.builder, emitter.loc}; }

/// Index of element `j` of line `item` of a tensor along `dim`.
SmallVector<Value> lineIndex(Code c, RankedTensorType type, int64_t dim,
                             Value item, Value j) {
  SmallVector<Value> index(type.getRank());
  for (int64_t i = type.getRank(); i-- > 0;) {
    if (i == dim) {
      index[i] = j;
      continue;
    }
    Value size = c.at(std::max<int64_t>(type.getDimSize(i), 1));
    index[i] = arith::RemUIOp::create(c.b, c.l, item, size);
    item = arith::DivUIOp::create(c.b, c.l, item, size);
  }
  return index;
}

int64_t lineCount(RankedTensorType type, int64_t dim) {
  int64_t count = 1;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    count *= i == dim ? 1 : type.getDimSize(i);
  }
  return count;
}

int64_t lineLength(RankedTensorType type, int64_t dim) {
  return type.getRank() == 0 ? 1 : type.getDimSize(dim);
}

} // namespace

int64_t CumsumOp::getWorkItems() {
  return lineCount(getType(), wrapDim(getDim(), getType().getRank()));
}
int64_t CumsumOp::getScratchBytes() { return 0; }
LogicalResult CumsumOp::emitItem(KernelEmitter &emitter, Value item) {
  Code c = codeOf(emitter);
  int64_t dim = wrapDim(getDim(), getType().getRank());
  Type element = getType().getElementType(), compute = getComputeType(element);
  Value zero = arith::ConstantOp::create(
      c.b, c.l, cast<TypedAttr>(c.b.getZeroAttr(compute)));
  c.reduce(
      c.at(0), c.at(lineLength(getType(), dim)), {zero},
      [&](Value j, ValueRange sum) -> SmallVector<Value> {
        auto index = lineIndex(c, getType(), dim, item, j);
        Value x = convertScalar(
            c.b, c.l, convertScalar(c.b, c.l, emitter.load(0, index), element),
            compute);
        Value next = isa<FloatType>(compute)
                         ? Value(arith::AddFOp::create(c.b, c.l, sum[0], x))
                         : c.add(sum[0], x);
        emitter.store(convertScalar(c.b, c.l, next, element), 0, index);
        return {next};
      });
  return success();
}

int64_t TopkOp::getWorkItems() {
  auto type = getSelf().getType();
  return lineCount(type, wrapDim(getDim(), type.getRank()));
}
int64_t TopkOp::getScratchBytes() { return 0; }
LogicalResult TopkOp::emitItem(KernelEmitter &emitter, Value item) {
  Code c = codeOf(emitter);
  RankedTensorType type = getSelf().getType();
  int64_t dim = wrapDim(getDim(), type.getRank());
  Value length = c.at(type.getDimSize(dim));
  auto before = [&](Value x, Value y) {
    return getLargest() ? c.greater(x, y) : c.greater(y, x);
  };
  auto read = [&](Value j) {
    return emitter.load(0, lineIndex(c, type, dim, item, j));
  };
  // Pass r finds the first element, by value and then index, that comes after
  // the one of pass r - 1; -1 stands for "none yet".
  Value none = c.at(-1);
  Value first = read(c.at(0));
  c.reduce(c.at(0), c.at(getK()), {first, none},
           [&](Value rank, ValueRange last) -> SmallVector<Value> {
             Value start = c.less(last[1], c.at(0));
             auto best = c.reduce(
                 c.at(0), length, {first, none},
                 [&](Value j, ValueRange found) -> SmallVector<Value> {
                   Value x = read(j);
                   Value later =
                       c.both(c.negate(before(x, last[0])),
                              c.either(before(last[0], x), c.less(last[1], j)));
                   Value better =
                       c.either(c.less(found[1], c.at(0)), before(x, found[0]));
                   Value take = c.both(c.either(start, later), better);
                   return {c.pick(take, x, found[0]),
                           c.pick(take, j, found[1])};
                 });
             auto to = lineIndex(c, type, dim, item, rank);
             emitter.store(best[0], 0, to);
             emitter.store(c.toI64(best[1]), 1, to);
             return best;
           });
  return success();
}

int64_t SortOp::getWorkItems() {
  auto type = getSelf().getType();
  return lineCount(type,
                   wrapDim(getDim(), std::max<int64_t>(type.getRank(), 1)));
}
int64_t SortOp::getScratchBytes() {
  auto type = getSelf().getType();
  int64_t length = lineLength(type, wrapDim(getDim(), type.getRank()));
  return 2 * llvm::alignTo(length * sizeof(int64_t), 64);
}
LogicalResult SortOp::emitItem(KernelEmitter &emitter, Value item) {
  Code c = codeOf(emitter);
  RankedTensorType type = getSelf().getType();
  int64_t dim = wrapDim(getDim(), type.getRank()), n = lineLength(type, dim);
  Value from = emitter.scratch(0, n, c.b.getIndexType());
  Value to = emitter.scratch(getScratchBytes() / 2, n, c.b.getIndexType());
  auto read = [&](Value j) {
    return emitter.load(0, lineIndex(c, type, dim, item, j));
  };
  auto before = [&](Value x, Value y) {
    return getDescending() ? c.greater(x, y) : c.greater(y, x);
  };
  c.loop(n, [&](Value i) { c.store(i, from, i); });
  Value end = c.at(n);
  for (int64_t width = 1; width < n;
       width *= 2) { // bottom-up merge sort of the order
    c.loop(c.at(0), end, c.at(2 * width), [&](Value start) {
      Value middle =
          arith::MinSIOp::create(c.b, c.l, c.add(start, c.at(width)), end);
      Value stop =
          arith::MinSIOp::create(c.b, c.l, c.add(start, c.at(2 * width)), end);
      c.reduce(start, stop, {start, middle},
               [&](Value k, ValueRange head) -> SmallVector<Value> {
                 Value leftOpen = c.less(head[0], middle),
                       rightOpen = c.less(head[1], stop);
                 Value left = c.load(from, c.pick(leftOpen, head[0], start));
                 Value right = c.load(from, c.pick(rightOpen, head[1], start));
                 Value rightFirst = c.either(
                     c.negate(leftOpen),
                     c.both(rightOpen, before(read(right), read(left))));
                 c.store(c.pick(rightFirst, right, left), to, k);
                 Value one = c.at(1);
                 return {c.pick(rightFirst, head[0], c.add(head[0], one)),
                         c.pick(rightFirst, c.add(head[1], one), head[1])};
               });
    });
    std::swap(from, to);
  }
  c.loop(n, [&](Value i) {
    Value source = c.load(from, i);
    auto index = lineIndex(c, type, dim, item, i);
    emitter.store(read(source), 0, index);
    emitter.store(c.toI64(source), 1, index);
  });
  return success();
}

int64_t InversePermutationOp::getWorkItems() { return 1; }
int64_t InversePermutationOp::getScratchBytes() { return 0; }
LogicalResult InversePermutationOp::emitItem(KernelEmitter &emitter,
                                             Value item) {
  Code c = codeOf(emitter);
  int64_t count = getType().getNumElements();
  c.loop(count, [&](Value i) {
    // What is no permutation must not leave the buffer.
    Value place = arith::MaxSIOp::create(
        c.b, c.l, c.toIndex(emitter.load(0, i)), c.at(0));
    place = arith::MinSIOp::create(c.b, c.l, place, c.at(count - 1));
    emitter.store(c.toI64(i), 0, place);
  });
  return success();
}

int64_t HistcOp::getWorkItems() { return 1; }
int64_t HistcOp::getScratchBytes() { return 0; }
LogicalResult HistcOp::emitItem(KernelEmitter &emitter, Value item) {
  Code c = codeOf(emitter);
  RankedTensorType type = getSelf().getType();
  Type element = getType().getElementType(), f64 = c.b.getF64Type();
  Type compute = isa<FloatType>(element) ? getComputeType(element) : f64;
  Value bins = c.at(getBins());
  Value zero = arith::ConstantOp::create(
      c.b, c.l, cast<TypedAttr>(c.b.getZeroAttr(element)));
  Value one = isa<FloatType>(element)
                  ? Value(arith::ConstantOp::create(
                        c.b, c.l, c.b.getFloatAttr(element, 1)))
                  : Value(arith::ConstantOp::create(
                        c.b, c.l, c.b.getIntegerAttr(element, 1)));
  c.loop(getBins(), [&](Value i) { emitter.store(zero, 0, i); });
  Value low = emitConstant(c.b, c.l, getMin(), compute),
        high = emitConstant(c.b, c.l, getMax(), compute);
  Value width = arith::SubFOp::create(c.b, c.l, high, low);
  Value count = arith::SIToFPOp::create(c.b, c.l, compute, c.toI64(bins));
  c.loop(type.getNumElements(), [&](Value at) {
    SmallVector<Value> index(type.getRank());
    Value rest = at;
    for (int64_t i = type.getRank(); i-- > 0;) {
      index[i] =
          arith::RemUIOp::create(c.b, c.l, rest, c.at(type.getDimSize(i)));
      rest = arith::DivUIOp::create(c.b, c.l, rest, c.at(type.getDimSize(i)));
    }
    Value x = convertScalar(c.b, c.l, emitter.load(0, index), compute);
    Value inside = c.both(
        arith::CmpFOp::create(c.b, c.l, arith::CmpFPredicate::OGE, x, low),
        arith::CmpFOp::create(c.b, c.l, arith::CmpFPredicate::OLE, x, high));
    Value safe = c.pick(inside, x, low);
    Value place = arith::MulFOp::create(
        c.b, c.l, arith::SubFOp::create(c.b, c.l, safe, low), count);
    place = arith::DivFOp::create(c.b, c.l, place, width);
    Value bin =
        c.toIndex(arith::FPToSIOp::create(c.b, c.l, c.b.getI64Type(), place));
    bin = arith::MinSIOp::create(c.b, c.l, bin,
                                 c.at(getBins() - 1)); // the last bin is closed
    Value old = emitter.loadResult(0, bin);
    Value more = isa<FloatType>(element)
                     ? Value(arith::AddFOp::create(c.b, c.l, old, one))
                     : c.add(old, one);
    emitter.store(c.pick(inside, more, old), 0, bin);
  });
  return success();
}

// A work item of index_put owns this many consecutive trailing elements.
static constexpr int64_t kColumns = 64;

static int64_t trailingCount(IndexPutOp op) {
  int64_t count = 1;
  for (int64_t size :
       op.getType().getShape().drop_front(op.getIndicesPresent().size())) {
    count *= size;
  }
  return count;
}

int64_t IndexPutOp::getWorkItems() {
  return llvm::divideCeil(trailingCount(*this), kColumns);
}
int64_t IndexPutOp::getScratchBytes() { return 0; }
LogicalResult IndexPutOp::emitItem(KernelEmitter &emitter, Value item) {
  Code c = codeOf(emitter);
  RankedTensorType type = getType(), valuesType = getValues().getType();
  int64_t indexed = getIndicesPresent().size();
  Value begin = c.mul(item, c.at(kColumns));
  Value end = arith::MinSIOp::create(c.b, c.l, c.add(begin, c.at(kColumns)),
                                     c.at(trailingCount(*this)));
  auto split = [&](Value linear, ArrayRef<int64_t> shape) {
    SmallVector<Value> index(shape.size());
    for (size_t i = shape.size(); i-- > 0;) {
      index[i] = arith::RemUIOp::create(c.b, c.l, linear,
                                        c.at(std::max<int64_t>(shape[i], 1)));
      linear = arith::DivUIOp::create(c.b, c.l, linear,
                                      c.at(std::max<int64_t>(shape[i], 1)));
    }
    return index;
  };
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rows = 1;
  for (int64_t size : shape.take_front(indexed)) {
    rows *= size;
  }
  c.loop(rows, [&](Value row) {
    auto index = split(row, shape.take_front(indexed));
    c.loop(begin, end, c.at(1), [&](Value column) {
      auto full = index;
      llvm::append_range(full, split(column, shape.drop_front(indexed)));
      emitter.store(emitter.load(0, full), 0, full);
    });
  });
  SmallVector<int64_t> places; // broadcast shape of the index tensors
  for (Value tensor : getIndices()) {
    ArrayRef<int64_t> other =
        cast<RankedTensorType>(tensor.getType()).getShape();
    if (other.size() > places.size()) {
      places.insert(places.begin(), other.size() - places.size(), 1);
    }
    for (size_t i = 0; i < other.size(); ++i) {
      int64_t &mine = places[places.size() - 1 - i];
      mine = mine == 1 ? other[other.size() - 1 - i] : mine;
    }
  }
  int64_t slots = 1;
  for (int64_t size : places) {
    slots *= size;
  }
  auto broadcast = [&](ArrayRef<Value> index, RankedTensorType to) {
    SmallVector<Value> result(index.take_back(to.getRank()));
    for (auto [i, value] : llvm::enumerate(result)) {
      value = to.getDimSize(i) == 1 ? c.at(0) : value;
    }
    return result;
  };
  c.loop(slots, [&](Value slot) {
    auto place = split(slot, places);
    SmallVector<Value> target;
    for (auto [i, tensor] : llvm::enumerate(getIndices())) {
      Value raw = emitter.load(
          1 + i, broadcast(place, cast<RankedTensorType>(tensor.getType())));
      Value at = c.toIndex(convertScalar(c.b, c.l, raw, c.b.getI64Type()));
      Value size = c.at(shape[i]);
      at = c.pick(c.less(at, c.at(0)), c.add(at, size), at);
      // A wrong index must not leave the buffer.
      at = arith::MaxSIOp::create(c.b, c.l, at, c.at(0));
      target.push_back(
          arith::MinSIOp::create(c.b, c.l, at, c.at(shape[i] - 1)));
    }
    c.loop(begin, end, c.at(1), [&](Value column) {
      auto rest = split(column, shape.drop_front(indexed));
      auto to = target;
      llvm::append_range(to, rest);
      auto source = place;
      llvm::append_range(source, rest);
      Value value =
          emitter.load(1 + getIndices().size(), broadcast(source, valuesType));
      if (getAccumulate()) {
        Value old = emitter.loadResult(0, to);
        value = isa<FloatType>(value.getType())
                    ? Value(arith::AddFOp::create(c.b, c.l, old, value))
                    : c.add(old, value);
      }
      emitter.store(value, 0, to);
    });
  });
  return success();
}
