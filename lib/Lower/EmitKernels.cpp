// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise kernels, reductions and kernels that ops write themselves.
#include "lib/Lower/EmitKernels.h"

#include "dialects/aten/AtenElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace moelle;

// Elements a work item computes, and a thread should take, at least.
static constexpr int64_t kItemElements = 512;
static constexpr int64_t kGrainElements = 8192;
// Consecutive results that a work item of a strided reduction owns.
static constexpr int64_t kColumns = 64;
// Additions in a row before the partial sum joins the total: keeps the error
// of long sums near that of pairwise summation.
static constexpr int64_t kBlock = 32;

Value KernelFunction::getScratch(int64_t byteOffset, int64_t count, Type type) {
  Location loc = function.getLoc();
  Value offset = arith::ConstantIndexOp::create(builder, loc, byteOffset);
  return memref::ViewOp::create(builder, loc, MemRefType::get({count}, type), scratch, offset, ValueRange());
}

namespace {

Value constantIndex(OpBuilder &b, Location loc, int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

/// A loop whose body is written at the builder's place.
scf::ForOp startLoop(OpBuilder &b, Location loc, Value low, Value high, ValueRange init = {}) {
  auto loop = scf::ForOp::create(b, loc, low, high, constantIndex(b, loc, 1), init);
  b.setInsertionPointToStart(loop.getBody());
  return loop;
}

/// Items are rows of `width` consecutive result elements.
LogicalResult emitElements(KernelFunction &k, OpResult root) {
  OpBuilder &b = k.builder;
  Location loc = root.getLoc();
  auto type = cast<RankedTensorType>(root.getType());
  int64_t numel = type.getNumElements(), width = 1;
  for (int64_t size : llvm::reverse(type.getShape())) {
    if (width * size > 16 * kItemElements && width > 1) {
      break;
    }
    width *= size;
    if (width >= kItemElements) {
      break;
    }
  }
  width = std::max<int64_t>(width, 1);
  k.shape.items = numel / width;
  k.shape.grain = std::max<int64_t>(1, kGrainElements / width);
  auto rows = startLoop(b, loc, k.begin, k.end);
  auto columns = startLoop(b, loc, constantIndex(b, loc, 0), constantIndex(b, loc, width));
  BodyEmitter e(b, loc, k.buffers);
  AffineExpr row = e.addDim(rows.getInductionVar(), 0, k.shape.items - 1);
  AffineExpr column = e.addDim(columns.getInductionVar(), 0, width - 1);
  AffineExpr offset = row * width + column;
  e.store(e.read(root, delinearise(offset, type)), k.results[0], offset);
  return success();
}

struct Reduction {
  ReductionOpInterface op;
  RankedTensorType source, result;
  SmallVector<int64_t> dims;
  int64_t count = 1;    ///< elements combined into one
  int64_t trailing = 1; ///< consecutive results that read consecutive elements

  explicit Reduction(ReductionOpInterface op)
      : op(op), source(cast<RankedTensorType>(op->getOperand(0).getType())),
        result(cast<RankedTensorType>(op->getResult(0).getType())), dims(op.getReducedDims()) {
    for (int64_t dim : dims) {
      count *= source.getDimSize(dim);
    }
    for (int64_t i = source.getRank(); i-- > 0 && !llvm::is_contained(dims, i);) {
      trailing *= source.getDimSize(i);
    }
  }

  /// Index into the source: result element `at`, reduced element `which`.
  SmallVector<AffineExpr> index(AffineExpr at, AffineExpr which) const {
    SmallVector<int64_t> kept, gone;
    for (int64_t i = 0; i < source.getRank(); ++i) {
      (llvm::is_contained(dims, i) ? gone : kept).push_back(source.getDimSize(i));
    }
    auto keptIndex = delinearise(at, RankedTensorType::get(kept, source.getElementType()));
    auto goneIndex = delinearise(which, RankedTensorType::get(gone, source.getElementType()));
    SmallVector<AffineExpr> all;
    unsigned nextKept = 0, nextGone = 0;
    for (int64_t i = 0; i < source.getRank(); ++i) {
      all.push_back(llvm::is_contained(dims, i) ? goneIndex[nextGone++] : keptIndex[nextKept++]);
    }
    return all;
  }

  Value element(BodyEmitter &e, AffineExpr at, AffineExpr which) {
    Value x = e.read(op->getOperand(0), index(at, which));
    x = aten::convertScalar(e.builder, e.loc, x, result.getElementType());
    return aten::convertScalar(e.builder, e.loc, x, op.getAccumulatorType());
  }

  /// Combines; sums may be reassociated, so that they vectorise.
  Value combine(OpBuilder &b, Location loc, Value x, Value y) {
    Value value = op.emitCombine(b, loc, x, y);
    if (auto add = value.getDefiningOp<arith::AddFOp>()) {
      add.setFastmath(arith::FastMathFlags::reassoc);
    }
    return value;
  }
};

/// One result element an item: its elements are consecutive or few.
void emitRowReduction(KernelFunction &k, Reduction &r) {
  OpBuilder &b = k.builder;
  Location loc = r.op.getLoc();
  k.shape.items = r.result.getNumElements();
  k.shape.grain = std::max<int64_t>(1, kGrainElements / std::max<int64_t>(r.count, 1));
  auto items = startLoop(b, loc, k.begin, k.end);
  Value neutral = arith::ConstantOp::create(b, loc, r.op.getNeutral());
  // Blocks of the reduced elements: a chain of adds is never longer than one
  // block plus the number of blocks.
  int64_t block = std::min<int64_t>(std::max<int64_t>(r.count, 1), 4096);
  int64_t blocks = llvm::divideCeil(r.count, block);
  auto outer = startLoop(b, loc, constantIndex(b, loc, 0), constantIndex(b, loc, blocks), neutral);
  Value low = arith::MulIOp::create(b, loc, outer.getInductionVar(), constantIndex(b, loc, block));
  Value high = arith::MinSIOp::create(b, loc, arith::AddIOp::create(b, loc, low, constantIndex(b, loc, block)), constantIndex(b, loc, r.count));
  auto inner = startLoop(b, loc, low, high, neutral);
  {
    BodyEmitter e(b, loc, k.buffers);
    AffineExpr at = e.addDim(items.getInductionVar(), 0, k.shape.items - 1);
    AffineExpr which = e.addDim(inner.getInductionVar(), 0, r.count - 1);
    Value next = r.combine(b, loc, inner.getRegionIterArg(0), r.element(e, at, which));
    scf::YieldOp::create(b, loc, next);
  }
  b.setInsertionPointAfter(inner);
  scf::YieldOp::create(b, loc, r.op.emitCombine(b, loc, outer.getRegionIterArg(0), inner.getResult(0)));
  b.setInsertionPointAfter(outer);
  BodyEmitter e(b, loc, k.buffers);
  AffineExpr at = e.addDim(items.getInductionVar(), 0, k.shape.items - 1);
  e.store(aten::convertScalar(b, loc, outer.getResult(0), r.result.getElementType()), k.results[0], at);
}

/// `kColumns` consecutive results an item, summed together row by row.
void emitColumnReduction(KernelFunction &k, Reduction &r) {
  OpBuilder &b = k.builder;
  Location loc = r.op.getLoc();
  Type type = r.op.getAccumulatorType();
  int64_t groups = llvm::divideCeil(r.trailing, kColumns);
  int64_t leading = r.result.getNumElements() / r.trailing;
  k.shape.items = leading * groups;
  k.shape.grain = std::max<int64_t>(1, kGrainElements / (kColumns * std::max<int64_t>(r.count, 1)));
  k.shape.scratchBytes = 2 * llvm::alignTo(kColumns * 8, 64);
  Value total = k.getScratch(0, kColumns, type), part = k.getScratch(kColumns * 8, kColumns, type);
  Value neutral = arith::ConstantOp::create(b, loc, r.op.getNeutral());
  auto items = startLoop(b, loc, k.begin, k.end);
  Value perGroup = constantIndex(b, loc, groups);
  Value lead = arith::DivUIOp::create(b, loc, items.getInductionVar(), perGroup);
  Value first = arith::MulIOp::create(b, loc, arith::RemUIOp::create(b, loc, items.getInductionVar(), perGroup), constantIndex(b, loc, kColumns));
  Value width = arith::MinSIOp::create(b, loc, constantIndex(b, loc, kColumns), arith::SubIOp::create(b, loc, constantIndex(b, loc, r.trailing), first));
  Value zero = constantIndex(b, loc, 0);
  auto forColumns = [&](llvm::function_ref<void(Value)> body) {
    auto loop = startLoop(b, loc, zero, width);
    body(loop.getInductionVar());
    b.setInsertionPointAfter(loop);
  };
  forColumns([&](Value c) { memref::StoreOp::create(b, loc, neutral, total, c); });
  auto resultOffset = [&](BodyEmitter &e, Value column) {
    AffineExpr l = e.addDim(lead, 0, leading - 1), f = e.addDim(first, 0, r.trailing - 1);
    return l * r.trailing + f + e.addDim(column, 0, kColumns - 1);
  };
  auto at = [&](BodyEmitter &e, Value column) {
    // first + column is one coordinate of the trailing dimensions.
    AffineExpr l = e.addDim(lead, 0, leading - 1);
    Value sum = arith::AddIOp::create(b, loc, first, column);
    return l * r.trailing + e.addDim(sum, 0, r.trailing - 1);
  };
  int64_t blocks = llvm::divideCeil(r.count, kBlock);
  auto outer = startLoop(b, loc, zero, constantIndex(b, loc, blocks));
  forColumns([&](Value c) { memref::StoreOp::create(b, loc, neutral, part, c); });
  Value low = arith::MulIOp::create(b, loc, outer.getInductionVar(), constantIndex(b, loc, kBlock));
  Value high = arith::MinSIOp::create(b, loc, arith::AddIOp::create(b, loc, low, constantIndex(b, loc, kBlock)), constantIndex(b, loc, r.count));
  auto rows = startLoop(b, loc, low, high);
  forColumns([&](Value c) {
    BodyEmitter e(b, loc, k.buffers);
    AffineExpr which = e.addDim(rows.getInductionVar(), 0, r.count - 1);
    Value x = r.element(e, at(e, c), which);
    Value old = memref::LoadOp::create(b, loc, part, c);
    memref::StoreOp::create(b, loc, r.op.emitCombine(b, loc, old, x), part, c);
  });
  b.setInsertionPointAfter(rows);
  forColumns([&](Value c) {
    Value sum = r.op.emitCombine(b, loc, memref::LoadOp::create(b, loc, total, c), memref::LoadOp::create(b, loc, part, c));
    memref::StoreOp::create(b, loc, sum, total, c);
  });
  b.setInsertionPointAfter(outer);
  forColumns([&](Value c) {
    BodyEmitter e(b, loc, k.buffers);
    Value value = aten::convertScalar(b, loc, memref::LoadOp::create(b, loc, total, c), r.result.getElementType());
    e.store(value, k.results[0], resultOffset(e, c));
  });
}

/// Element access for ops that write their own kernels.
class ItemEmitter : public KernelEmitter {
public:
  ItemEmitter(KernelFunction &k, Operation *op) : KernelEmitter(k.builder, op->getLoc()), k(k), op(op) {}

  Value load(unsigned number, ValueRange index) override {
    BodyEmitter e(builder, loc, k.buffers);
    return e.read(op->getOperand(number), symbols(e, op->getOperand(number).getType(), index));
  }
  void store(Value scalar, unsigned number, ValueRange index) override {
    BodyEmitter e(builder, loc, k.buffers);
    auto type = cast<RankedTensorType>(op->getResult(number).getType());
    e.store(scalar, k.results[number], linearise(symbols(e, type, index), type));
  }
  Value loadResult(unsigned number, ValueRange index) override {
    BodyEmitter e(builder, loc, k.buffers);
    auto type = cast<RankedTensorType>(op->getResult(number).getType());
    Value offset = e.indexValue(linearise(symbols(e, type, index), type));
    return memref::LoadOp::create(builder, loc, k.results[number], offset);
  }
  Value scratch(int64_t byteOffset, int64_t count, Type type) override { return k.getScratch(byteOffset, count, type); }

private:
  SmallVector<AffineExpr> symbols(BodyEmitter &e, Type type, ValueRange index) {
    SmallVector<AffineExpr> exprs;
    for (auto [i, value] : llvm::enumerate(index)) {
      exprs.push_back(e.addSymbol(value, 0, cast<RankedTensorType>(type).getDimSize(i) - 1));
    }
    return exprs;
  }
  KernelFunction &k;
  Operation *op;
};

} // namespace

FailureOr<KernelShape> moelle::emitKernel(exec::KernelOp kernel, ModuleOp module) {
  Location loc = kernel.getLoc();
  KernelFunction k(kernel, OpBuilder::atBlockEnd(module.getBody()));
  OpBuilder &b = k.builder;
  Block &body = kernel.getBlock();
  SmallVector<Type> types;
  for (Value value : body.getArguments()) {
    types.push_back(getFlatType(cast<RankedTensorType>(value.getType())));
  }
  for (Value value : kernel.getReturned()) {
    types.push_back(getFlatType(cast<RankedTensorType>(value.getType())));
  }
  unsigned buffers = types.size();
  types.append({b.getIndexType(), b.getIndexType(), MemRefType::get({ShapedType::kDynamic}, b.getI8Type())});
  types.back() = MemRefType::get({int64_t(1) << 40}, b.getI8Type());
  k.function = func::FuncOp::create(b, loc, kernel.getSymName(), b.getFunctionType(types, {}));
  Block *entry = k.function.addEntryBlock();
  for (unsigned i = 0; i < buffers; ++i) {
    k.function.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
  }
  k.function.setArgAttr(buffers + 2, "llvm.noalias", b.getUnitAttr());
  b.setInsertionPointToStart(entry);
  auto end = func::ReturnOp::create(b, loc);
  b.setInsertionPoint(end);
  for (auto [value, buffer] : llvm::zip(body.getArguments(), entry->getArguments())) {
    k.buffers[value] = buffer;
  }
  k.results.assign(entry->args_begin() + body.getNumArguments(), entry->args_begin() + buffers);
  k.begin = entry->getArgument(buffers);
  k.end = entry->getArgument(buffers + 1);
  k.scratch = entry->getArgument(buffers + 2);

  Operation *root = kernel.getReturned().front().getDefiningOp();
  LogicalResult result = failure();
  if (root && isa<ElementOpInterface>(root) && kernel.getReturned().size() == 1) {
    result = emitElements(k, cast<OpResult>(kernel.getReturned().front()));
  } else if (auto op = dyn_cast_or_null<ReductionOpInterface>(root)) {
    Reduction r(op);
    r.trailing > 1 ? emitColumnReduction(k, r) : emitRowReduction(k, r);
    result = success();
  } else if (auto op = dyn_cast_or_null<ContractionOpInterface>(root)) {
    result = emitProduct(k, op);
  } else if (auto op = dyn_cast_or_null<KernelOpInterface>(root)) {
    k.shape.items = op.getWorkItems();
    k.shape.scratchBytes = op.getScratchBytes();
    auto items = startLoop(b, loc, k.begin, k.end);
    ItemEmitter emitter(k, root);
    result = op.emitItem(emitter, items.getInductionVar());
  } else {
    kernel.emitError() << "'" << kernel.getSymName() << "' must end in an op with a lowering";
  }
  if (failed(result)) {
    return failure();
  }
  // Every tensor empty: nothing to do, and no loop to enter.
  k.shape.items = std::max<int64_t>(k.shape.items, 0);
  return k.shape;
}
