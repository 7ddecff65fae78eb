// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions whose neighbouring results read neighbouring elements.
#include "lib/Lower/EmitKernels.h"

#include "dialects/aten/AtenElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace moelle;

// Consecutive results that a work item owns.
static constexpr int64_t kColumns = 64;
// Additions in a row before the partial sum joins the total, which is of twice
// the precision: the error of a sum is that of a few rows, however many it has.
static constexpr int64_t kBlock = 16;

Value moelle::readReduced(BodyEmitter &e, const ReductionShape &r,
                          AffineExpr at, AffineExpr which) {
  Value x = e.read(r.op->getOperand(0), r.index(at, which));
  ReductionOpInterface op = r.op;
  x = aten::convertScalar(e.builder, e.loc, x, r.result.getElementType());
  return aten::convertScalar(e.builder, e.loc, x, op.getAccumulatorType());
}

/// `kColumns` consecutive results an item, summed together row by row.
void moelle::emitColumns(KernelFunction &k, ReductionOpInterface op) {
  ReductionShape r(op);
  OpBuilder &b = k.builder;
  Location loc = r.op.getLoc();
  Type type = r.op.getAccumulatorType();
  int64_t groups = llvm::divideCeil(r.trailing, kColumns);
  int64_t leading = r.result.getNumElements() / r.trailing;
  k.shape.items = leading * groups;
  k.shape.grain = std::max<int64_t>(
      1, kGrainElements / (kColumns * std::max<int64_t>(r.count, 1)));
  k.shape.scratchBytes = 2 * llvm::alignTo(kColumns * 8, 64);
  Type wide = type.isF32() ? b.getF64Type() : type;
  auto widen = [&](Value x) { return aten::convertScalar(b, loc, x, wide); };
  Value total = k.getScratch(0, kColumns, wide),
        part = k.getScratch(kColumns * 8, kColumns, type);
  Value neutral = arith::ConstantOp::create(b, loc, r.op.getNeutral());
  auto items = k.startLoop(k.begin, k.end);
  Value perGroup = k.constantIndex(groups);
  Value lead =
      arith::DivUIOp::create(b, loc, items.getInductionVar(), perGroup);
  Value first = arith::MulIOp::create(
      b, loc, arith::RemUIOp::create(b, loc, items.getInductionVar(), perGroup),
      k.constantIndex(kColumns));
  Value width = arith::MinSIOp::create(
      b, loc, k.constantIndex(kColumns),
      arith::SubIOp::create(b, loc, k.constantIndex(r.trailing), first));
  Value zero = k.constantIndex(0);
  auto forColumns = [&](llvm::function_ref<void(Value)> body) {
    auto loop = k.startLoop(zero, width);
    body(loop.getInductionVar());
    b.setInsertionPointAfter(loop);
  };
  forColumns([&](Value c) {
    memref::StoreOp::create(b, loc, widen(neutral), total, c);
  });
  auto resultOffset = [&](BodyEmitter &e, Value column) {
    AffineExpr l = e.addDim(lead, 0, leading - 1),
               f = e.addDim(first, 0, r.trailing - 1);
    return l * r.trailing + f + e.addDim(column, 0, kColumns - 1);
  };
  auto at = [&](BodyEmitter &e, Value column) {
    // first + column is one coordinate of the trailing dimensions.
    AffineExpr l = e.addDim(lead, 0, leading - 1);
    Value sum = arith::AddIOp::create(b, loc, first, column);
    return l * r.trailing + e.addDim(sum, 0, r.trailing - 1);
  };
  int64_t blocks = llvm::divideCeil(r.count, kBlock);
  auto outer = k.startLoop(zero, k.constantIndex(blocks));
  forColumns(
      [&](Value c) { memref::StoreOp::create(b, loc, neutral, part, c); });
  Value low = arith::MulIOp::create(b, loc, outer.getInductionVar(),
                                    k.constantIndex(kBlock));
  Value high = arith::MinSIOp::create(
      b, loc, arith::AddIOp::create(b, loc, low, k.constantIndex(kBlock)),
      k.constantIndex(r.count));
  auto rows = k.startLoop(low, high);
  forColumns([&](Value c) {
    BodyEmitter e(b, loc, k.buffers);
    AffineExpr which = e.addDim(rows.getInductionVar(), 0, r.count - 1);
    Value x = readReduced(e, r, at(e, c), which);
    Value old = memref::LoadOp::create(b, loc, part, c);
    memref::StoreOp::create(b, loc, r.op.emitCombine(b, loc, old, x), part, c);
  });
  b.setInsertionPointAfter(rows);
  forColumns([&](Value c) {
    Value sum =
        r.op.emitCombine(b, loc, memref::LoadOp::create(b, loc, total, c),
                         widen(memref::LoadOp::create(b, loc, part, c)));
    memref::StoreOp::create(b, loc, sum, total, c);
  });
  b.setInsertionPointAfter(outer);
  forColumns([&](Value c) {
    BodyEmitter e(b, loc, k.buffers);
    Value value =
        aten::convertScalar(b, loc, memref::LoadOp::create(b, loc, total, c),
                            r.result.getElementType());
    e.store(value, k.results[0], resultOffset(e, c));
  });
}
