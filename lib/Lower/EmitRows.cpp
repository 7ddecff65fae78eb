// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise kernels and row-wise chains: a work item is one row, which each
// loop after the first finds in cache.
#include "lib/Lower/EmitKernels.h"

#include "dialects/aten/AtenElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace moelle;

// Elements of a row where the kernel does not say.
static constexpr int64_t kRowElements = 512;
// Elements combined before a partial result joins the total: keeps the error of
// long sums near that of pairwise summation.
static constexpr int64_t kBlock = 4096;

static int64_t numelOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

namespace {

class Rows {
public:
  explicit Rows(KernelFunction &k)
      : k(k), b(k.builder), loc(k.function.getLoc()) {}
  LogicalResult emit();

private:
  void chooseShape();
  unsigned levelOf(Value value) { return levels.of(value); }
  bool isRowValue(Value value) {
    return !reductions.empty() && width != 1 && numelOf(value) == rows;
  }
  BodyEmitter startBody(AffineExpr &row);
  void emitLoop(unsigned level);
  void emitPass(ArrayRef<ReductionOpInterface> now, ArrayRef<unsigned> stores,
                scf::ForOp loop);
  Value combine(ReductionOpInterface op, Value x, Value y);
  void storeRowValues(unsigned level);
  void check(BodyEmitter &e) { misplaced |= e.hasMisplacedRead(); }

  KernelFunction &k;
  OpBuilder &b;
  Location loc;
  int64_t rows = 1, width = 1;
  SmallVector<ReductionOpInterface> reductions;
  RowLevels levels;
  llvm::MapVector<Value, Value> known; ///< results of reductions at this row
  Value row;                           ///< counter
  bool misplaced = false;
};

void Rows::chooseShape() {
  for (Operation &op : k.kernel.getBlock().without_terminator()) {
    if (auto reduction = dyn_cast<ReductionOpInterface>(op)) {
      reductions.push_back(reduction);
    }
  }
  if (!reductions.empty()) {
    ReductionShape shape(reductions.front());
    rows = shape.result.getNumElements();
    width = shape.count;
  } else {
    auto type =
        cast<RankedTensorType>(k.kernel.getReturned().front().getType());
    for (int64_t size : llvm::reverse(type.getShape())) {
      if (width >= kRowElements ||
          (width * size > 16 * kRowElements && width > 1)) {
        break;
      }
      width *= size;
    }
    width = std::max<int64_t>(width, 1);
    rows = type.getNumElements() / width;
  }
  k.shape.items = rows;
  k.shape.grain =
      std::max<int64_t>(1, kGrainElements / std::max<int64_t>(width, 1));
}

BodyEmitter Rows::startBody(AffineExpr &at) {
  BodyEmitter e(b, loc, k.buffers);
  at = e.addDim(row, 0, rows - 1);
  for (auto [tensor, scalar] : known) {
    e.setKnown(tensor, at, scalar);
  }
  return e;
}

/// Combines; sums may be reassociated, so that they vectorise.
Value Rows::combine(ReductionOpInterface op, Value x, Value y) {
  Value value = op.emitCombine(b, loc, x, y);
  if (auto add = value.getDefiningOp<arith::AddFOp>()) {
    add.setFastmath(arith::FastMathFlags::reassoc);
  }
  return value;
}

/// The body of one loop over a row: one element of each reduction and result.
void Rows::emitPass(ArrayRef<ReductionOpInterface> now,
                    ArrayRef<unsigned> stores, scf::ForOp loop) {
  AffineExpr at;
  BodyEmitter e = startBody(at);
  AffineExpr column = e.addDim(loop.getInductionVar(), 0, width - 1);
  for (unsigned i : stores) {
    Value value = k.kernel.getReturned()[i];
    AffineExpr offset = at * width + column;
    e.store(e.read(value, delinearise(offset,
                                      cast<RankedTensorType>(value.getType()))),
            k.results[i], offset);
  }
  SmallVector<Value> next;
  for (auto [i, op] : llvm::enumerate(now)) {
    Value x = readReduced(e, ReductionShape(op), at, column);
    next.push_back(combine(op, loop.getRegionIterArg(i), x));
  }
  if (!next.empty()) {
    scf::YieldOp::create(b, loc, next);
  }
  check(e);
}

void Rows::emitLoop(unsigned level) {
  SmallVector<ReductionOpInterface> now;
  SmallVector<Value> neutral;
  for (ReductionOpInterface op : reductions) {
    if (levelOf(op->getResult(0)) == level) {
      now.push_back(op);
      neutral.push_back(arith::ConstantOp::create(b, loc, op.getNeutral()));
    }
  }
  SmallVector<unsigned> stores;
  for (auto [i, value] : llvm::enumerate(k.kernel.getReturned())) {
    bool isElement = isa<ElementOpInterface>(value.getDefiningOp());
    if (isElement && !isRowValue(value) && levelOf(value) == level) {
      stores.push_back(i);
    }
  }
  if (now.empty() && stores.empty()) {
    return;
  }
  Value zero = k.constantIndex(0);
  SmallVector<Value> totals;
  if (now.empty() || width <= kBlock) {
    auto loop = k.startLoop(zero, k.constantIndex(width), neutral);
    emitPass(now, stores, loop);
    b.setInsertionPointAfter(loop);
    totals.assign(loop.result_begin(), loop.result_end());
  } else {
    // A chain of additions is no longer than a block plus the number of blocks.
    auto outer = k.startLoop(
        zero, k.constantIndex(llvm::divideCeil(width, kBlock)), neutral);
    Value low = arith::MulIOp::create(b, loc, outer.getInductionVar(),
                                      k.constantIndex(kBlock));
    Value high = arith::AddIOp::create(b, loc, low, k.constantIndex(kBlock));
    high = arith::MinSIOp::create(b, loc, high, k.constantIndex(width));
    auto inner = k.startLoop(low, high, neutral);
    emitPass(now, stores, inner);
    b.setInsertionPointAfter(inner);
    SmallVector<Value> next;
    for (auto [i, op] : llvm::enumerate(now)) {
      next.push_back(op.emitCombine(b, loc, outer.getRegionIterArg(i),
                                    inner.getResult(i)));
    }
    scf::YieldOp::create(b, loc, next);
    b.setInsertionPointAfter(outer);
    totals.assign(outer.result_begin(), outer.result_end());
  }
  for (auto [op, total] : llvm::zip(now, totals)) {
    known[op->getResult(0)] = aten::convertScalar(
        b, loc, total,
        cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
  }
}

/// Stores the results of which a row has one, before the first loop that may
/// read them.
void Rows::storeRowValues(unsigned level) {
  for (auto [i, value] : llvm::enumerate(k.kernel.getReturned())) {
    bool isReduction = isa<ReductionOpInterface>(value.getDefiningOp());
    if ((isReduction && levelOf(value) + 1 == level) ||
        (!isReduction && isRowValue(value) && levelOf(value) == level)) {
      AffineExpr at;
      BodyEmitter e = startBody(at);
      e.store(e.read(value,
                     delinearise(at, cast<RankedTensorType>(value.getType()))),
              k.results[i], at);
      check(e);
    }
  }
}

LogicalResult Rows::emit() {
  chooseShape();
  unsigned last = 0;
  for (Value value : k.kernel.getReturned()) {
    last = std::max(last, levelOf(value));
  }
  auto items = k.startLoop(k.begin, k.end);
  row = items.getInductionVar();
  for (unsigned level = 0; level <= last + 1; ++level) {
    storeRowValues(level);
    emitLoop(level);
  }
  if (misplaced) {
    return k.kernel.emitError()
           << "'" << k.kernel.getSymName()
           << "' must read the result of a reduction at its own row only";
  }
  return success();
}

} // namespace

LogicalResult moelle::emitRows(KernelFunction &k) { return Rows(k).emit(); }
