// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of a kernel, by the form of its body.
#include "lib/Lower/EmitKernels.h"

#include "dialects/aten/AtenElements.h"
#include "lib/Analysis/ReductionShape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/ArtifactFormat.h"

using namespace mlir;
using namespace moelle;

Value KernelFunction::getScratch(int64_t byteOffset, int64_t count, Type type) {
  Location loc = function.getLoc();
  Value offset = arith::ConstantIndexOp::create(builder, loc, byteOffset);
  return memref::ViewOp::create(builder, loc, MemRefType::get({count}, type),
                                scratch, offset, ValueRange());
}

Value KernelFunction::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, function.getLoc(), value);
}

scf::ForOp KernelFunction::startLoop(Value low, Value high, ValueRange init) {
  auto loop = scf::ForOp::create(builder, function.getLoc(), low, high,
                                 constantIndex(1), init);
  builder.setInsertionPointToStart(loop.getBody());
  return loop;
}

namespace {

/// Element access for ops that write their own kernels.
class ItemEmitter : public KernelEmitter {
public:
  ItemEmitter(KernelFunction &k, Operation *op)
      : KernelEmitter(k.builder, op->getLoc()), k(k), op(op) {}

  Value load(unsigned number, ValueRange index) override {
    BodyEmitter e(builder, loc, k.buffers);
    return e.read(op->getOperand(number),
                  symbols(e, op->getOperand(number).getType(), index));
  }
  void store(Value scalar, unsigned number, ValueRange index) override {
    BodyEmitter e(builder, loc, k.buffers);
    auto type = cast<RankedTensorType>(op->getResult(number).getType());
    e.store(scalar, k.results[number],
            linearise(symbols(e, type, index), type));
  }
  Value loadResult(unsigned number, ValueRange index) override {
    BodyEmitter e(builder, loc, k.buffers);
    auto type = cast<RankedTensorType>(op->getResult(number).getType());
    Value offset = e.indexValue(linearise(symbols(e, type, index), type));
    return memref::LoadOp::create(builder, loc, k.results[number], offset);
  }
  Value scratch(int64_t byteOffset, int64_t count, Type type) override {
    return k.getScratch(byteOffset, count, type);
  }

private:
  SmallVector<AffineExpr> symbols(BodyEmitter &e, Type type, ValueRange index) {
    SmallVector<AffineExpr> exprs;
    for (auto [i, value] : llvm::enumerate(index)) {
      exprs.push_back(e.addSymbol(
          value, 0, cast<RankedTensorType>(type).getDimSize(i) - 1));
    }
    return exprs;
  }
  KernelFunction &k;
  Operation *op;
};

} // namespace

FailureOr<KernelShape> moelle::emitKernel(exec::KernelOp kernel,
                                          ModuleOp module) {
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
  types.append({b.getIndexType(), b.getIndexType(),
                MemRefType::get({ShapedType::kDynamic}, b.getI8Type())});
  types.back() = MemRefType::get({int64_t(1) << 40}, b.getI8Type());
  k.function = func::FuncOp::create(
      b, loc, (artifact::kKernelPrefix + kernel.getSymName()).str(),
      b.getFunctionType(types, {}));
  Block *entry = k.function.addEntryBlock();
  for (unsigned i = 0; i < buffers; ++i) {
    k.function.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
  }
  k.function.setArgAttr(buffers + 2, "llvm.noalias", b.getUnitAttr());
  b.setInsertionPointToStart(entry);
  auto end = func::ReturnOp::create(b, loc);
  b.setInsertionPoint(end);
  for (auto [value, buffer] :
       llvm::zip(body.getArguments(), entry->getArguments())) {
    k.buffers[value] = buffer;
  }
  k.results.assign(entry->args_begin() + body.getNumArguments(),
                   entry->args_begin() + buffers);
  for (unsigned i = 0; i < k.results.size(); ++i) {
    if (int64_t place = kernel.getOverwritten(i); place >= 0) {
      // One name for the memory: two that may not alias would be undefined.
      k.results[i] = entry->getArgument(place);
    }
  }
  k.begin = entry->getArgument(buffers);
  k.end = entry->getArgument(buffers + 1);
  k.scratch = entry->getArgument(buffers + 2);

  ContractionOpInterface contraction;
  ReductionOpInterface reduction;
  KernelOpInterface own;
  for (Operation &op : body.without_terminator()) {
    if (auto found = dyn_cast<ContractionOpInterface>(op)) {
      contraction = found;
    } else if (auto found = dyn_cast<ReductionOpInterface>(op)) {
      reduction = found;
    } else if (auto found = dyn_cast<KernelOpInterface>(op)) {
      own = found;
    }
  }
  auto isEmpty = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements() == 0;
  };
  if (llvm::all_of(kernel.getReturned(), isEmpty)) {
    k.shape.items = 0;
    return k.shape;
  }
  LogicalResult result = success();
  if (contraction) {
    result = emitProduct(k, contraction);
  } else if (own) {
    k.shape.items = own.getWorkItems();
    k.shape.scratchBytes = own.getScratchBytes();
    auto items = k.startLoop(k.begin, k.end);
    ItemEmitter emitter(k, own);
    result = own.emitItem(emitter, items.getInductionVar());
  } else if (reduction && ReductionShape(reduction).trailing > 1) {
    emitColumns(k, reduction);
  } else {
    result = emitRows(k);
  }
  if (failed(result)) {
    return failure();
  }
  return k.shape;
}
