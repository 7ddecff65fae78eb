// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifetimes of launch results and their offsets in one arena.
#include "moelle/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace moelle;

namespace moelle {
#define GEN_PASS_DEF_PLANARENAPASS
#include "lib/Memory/Passes.h.inc"
} // namespace moelle

namespace {

/// A value that needs storage: alive at launches [start, end], both inclusive.
struct Buffer {
  Value value;
  int64_t bytes, start, end, offset = -1;
  int output = -1; ///< the caller's buffer it is written into, or -1
};

/// Offsets greedily, larger buffers first, each at the lowest place that is
/// free during its whole life (best known simple order; Pisarchyk & Lee 2020).
int64_t packBySize(MutableArrayRef<Buffer *> buffers) {
  llvm::stable_sort(buffers, [](Buffer *a, Buffer *b) { return a->bytes > b->bytes; });
  int64_t arena = 0;
  SmallVector<Buffer *> placed; // by offset
  for (Buffer *buffer : buffers) {
    int64_t at = 0;
    for (Buffer *other : placed) {
      bool together = other->start <= buffer->end && buffer->start <= other->end;
      if (together && other->offset < at + buffer->bytes && at < other->offset + other->bytes) {
        at = llvm::alignTo(other->offset + other->bytes, mem::kAlignment);
      }
    }
    buffer->offset = at;
    arena = std::max(arena, at + buffer->bytes);
    placed.insert(llvm::upper_bound(placed, buffer, [](Buffer *a, Buffer *b) { return a->offset < b->offset; }), buffer);
  }
  return llvm::alignTo(arena, mem::kAlignment);
}

MemRefType toMemRef(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

struct PlanArena : moelle::impl::PlanArenaPassBase<PlanArena> {
  void runOnOperation() override {
    auto step = getOperation().lookupSymbol<func::FuncOp>(exec::kStepName);
    if (!step || !step.getBody().hasOneBlock()) {
      getOperation().emitError() << "must hold a function '" << exec::kStepName << "' of one block";
      return signalPassFailure();
    }
    Block &block = step.front();
    Operation *terminator = block.getTerminator();
    // The first use of a value as a result of the step decides its buffer; an
    // argument, or a second use, is copied at the end.
    llvm::MapVector<Value, Buffer> buffers;
    llvm::DenseMap<Operation *, int64_t> position;
    for (auto [i, op] : llvm::enumerate(block)) {
      position[&op] = i;
    }
    for (Operation &op : block.without_terminator()) {
      if (!isa<exec::LaunchOp>(op)) {
        op.emitError() << "'" << op.getName() << "' must be part of a kernel before memory is planned";
        return signalPassFailure();
      }
      for (Value result : op.getResults()) {
        Buffer buffer{result, mem::getByteSize(cast<ShapedType>(result.getType())), position[&op], position[&op]};
        if (buffer.bytes < 0) {
          op.emitError() << "the size of " << result.getType() << " must fit 63 bits";
          return signalPassFailure();
        }
        for (Operation *user : result.getUsers()) {
          buffer.end = std::max(buffer.end, position[user]);
        }
        buffers.insert({result, buffer});
      }
    }
    OpBuilder b(terminator);
    SmallVector<std::pair<Value, int64_t>> copies;
    for (OpOperand &operand : terminator->getOpOperands()) {
      auto *found = buffers.find(operand.get());
      if (found != buffers.end() && found->second.output < 0) {
        found->second.output = operand.getOperandNumber();
      } else {
        copies.push_back({operand.get(), operand.getOperandNumber()});
      }
    }
    SmallVector<Buffer *> inArena;
    int64_t naive = 0;
    SmallVector<int64_t> live(position.size() + 1, 0);
    for (auto &[value, buffer] : buffers) {
      if (buffer.output < 0) {
        inArena.push_back(&buffer);
        naive += buffer.bytes;
        live[buffer.start] += buffer.bytes;
        live[buffer.end + 1] -= buffer.bytes;
      }
    }
    int64_t lower = 0, sum = 0;
    for (int64_t change : live) {
      sum += change;
      lower = std::max(lower, sum);
    }
    int64_t arena = packBySize(inArena);
    step->setAttr(mem::kArenaBytesAttr, b.getI64IntegerAttr(arena));
    step->setAttr("mem.lower_bound", b.getI64IntegerAttr(lower));
    step->setAttr("mem.naive_bytes", b.getI64IntegerAttr(naive));

    // Rewrite: arguments and results become memrefs.
    IRMapping map;
    for (BlockArgument argument : block.getArguments()) {
      argument.setType(toMemRef(argument.getType()));
      map.map(argument, argument);
    }
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
      auto launch = cast<exec::LaunchOp>(op);
      OpBuilder at(&op);
      SmallVector<Value> outs;
      for (Value result : launch.getResults()) {
        Buffer &buffer = buffers.find(result)->second;
        Value memory = buffer.output >= 0 ? mem::OutputOp::create(at, op.getLoc(), toMemRef(result.getType()), buffer.output).getResult()
                                          : mem::SliceOp::create(at, op.getLoc(), toMemRef(result.getType()), buffer.offset).getResult();
        map.map(result, memory);
        outs.push_back(memory);
      }
      SmallVector<Value> inputs;
      for (Value input : launch.getInputs()) {
        inputs.push_back(map.lookup(input));
      }
      exec::LaunchOp::create(at, op.getLoc(), TypeRange(), launch.getCallee(), inputs, outs);
    }
    for (auto [value, output] : copies) {
      Value source = map.lookup(value);
      Value target = mem::OutputOp::create(b, terminator->getLoc(), source.getType(), output);
      mem::CopyOp::create(b, terminator->getLoc(), source, target);
    }
    terminator->setOperands({});
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (auto launch = dyn_cast<exec::LaunchOp>(op); launch && launch->getNumResults() != 0) {
        op.erase();
      }
    }
    // The signature's result attributes stay readable on the function.
    SmallVector<Attribute> results;
    if (ArrayAttr attrs = step.getAllResultAttrs()) {
      llvm::append_range(results, attrs);
    }
    auto types = llvm::map_to_vector(step.getResultTypes(), [](Type type) -> Attribute { return TypeAttr::get(type); });
    step->setAttr("mem.output_types", b.getArrayAttr(types));
    step->setAttr("mem.outputs", b.getArrayAttr(results));
    step.removeResAttrsAttr();
    step.setFunctionType(b.getFunctionType(block.getArgumentTypes(), {}));
    step.emitRemark() << "arena of " << arena << " bytes, lower bound " << lower << ", without reuse " << naive;
  }
};

} // namespace
