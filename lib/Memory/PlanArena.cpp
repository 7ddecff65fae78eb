// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lifetimes of launch results, and a place for each.
#include "lib/Memory/PackBuffers.h"
#include "moelle/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

#include <deque>

using namespace mlir;
using namespace moelle;

namespace moelle {
#define GEN_PASS_DEF_PLANARENAPASS
#include "lib/Memory/Passes.h.inc"
} // namespace moelle

static MemRefType toMemRef(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

namespace {

/// The storage of a step: which values share a buffer, how long each lives.
class Storage {
public:
  explicit Storage(func::FuncOp step)
      : symbols(SymbolTable::getNearestSymbolTable(step)), step(step),
        block(step.front()) {}

  /// Finds the buffers of all launch results; reports each op that has none.
  LogicalResult collect();
  /// Gives each returned value the caller's buffer where nothing else has it.
  void placeOutputs();
  /// Offsets for all the rest; sets the figures of the plan.
  void pack();
  /// Rewrites the step onto memrefs.
  void rewrite();

  int64_t arena = 0, lent = 0, lowerBound = 0, naive = 0;

private:
  LogicalResult addLaunch(exec::LaunchOp launch);
  Value materialise(OpBuilder &b, OpResult result);

  SymbolTable symbols;
  func::FuncOp step;
  Block &block;
  std::deque<Buffer> buffers; ///< addresses stay valid
  llvm::MapVector<Value, Buffer *> places;
  llvm::DenseMap<Operation *, int64_t> position;
  llvm::DenseMap<Value, int> returned; ///< values in the output they are
  SmallVector<std::pair<Value, int>> copies;
};

} // namespace

LogicalResult Storage::addLaunch(exec::LaunchOp launch) {
  auto kernel = symbols.lookup<exec::KernelOp>(launch.getCallee());
  for (OpResult result : launch->getResults()) {
    auto type = cast<ShapedType>(result.getType());
    int64_t bytes = mem::getByteSize(type);
    if (bytes < 0) {
      return launch.emitError()
             << "the size of " << type << " must fit 63 bits";
    }
    naive += bytes;
    int64_t place =
        kernel ? kernel.getOverwritten(result.getResultNumber()) : -1;
    Buffer *buffer = nullptr;
    if (place < 0) {
      int64_t now = position[launch];
      int64_t elementBytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      buffer = &buffers.emplace_back(Buffer{bytes, now, now, elementBytes});
    } else if (auto *it = places.find(launch.getInputs()[place]);
               it != places.end()) {
      buffer = it->second;
    } else {
      return launch.emitError() << "result " << result.getResultNumber()
                                << " is written over operand " << place
                                << ", which must be the result of a launch";
    }
    for (Operation *user : result.getUsers()) {
      buffer->end = std::max(buffer->end, position[user]);
    }
    places.insert({result, buffer});
  }
  return success();
}

LogicalResult Storage::collect() {
  for (auto [i, op] : llvm::enumerate(block)) {
    position[&op] = i;
  }
  bool failed = false;
  for (Operation &op : block.without_terminator()) {
    if (isa<exec::CheckRangeOp>(op)) {
      continue; // only reads
    }
    auto launch = dyn_cast<exec::LaunchOp>(op);
    if (!launch) {
      op.emitError() << "'" << op.getName()
                     << "' must be part of a kernel before memory is planned";
    }
    failed |= !launch || mlir::failed(addLaunch(launch));
  }
  return failure(failed);
}

void Storage::placeOutputs() {
  for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
    auto *found = places.find(operand.get());
    int output = operand.getOperandNumber();
    if (found != places.end() && found->second->region == Buffer::kArena) {
      found->second->region = output;
      found->second->offset = 0;
      returned[operand.get()] = output;
    } else {
      // The caller's own tensor, or one that is another output already.
      copies.push_back({operand.get(), output});
    }
  }
}

void Storage::pack() {
  int64_t last = position[block.getTerminator()];
  SmallVector<Lender> lenders;
  for (auto [i, type] : llvm::enumerate(step.getResultTypes())) {
    auto shaped = cast<ShapedType>(type);
    lenders.push_back(
        {int(i), mem::getByteSize(shaped), last,
         int64_t(llvm::divideCeil(shaped.getElementTypeBitWidth(), 8))});
  }
  SmallVector<Buffer *> inner;
  for (Buffer &buffer : buffers) {
    if (buffer.region == Buffer::kArena) {
      inner.push_back(&buffer);
    } else {
      lenders[buffer.region].written = buffer.start;
      naive -= buffer.bytes;
    }
  }
  borrowOutputs(inner, lenders);
  lowerBound = getLowerBound(inner);
  for (Buffer *buffer : inner) {
    lent += buffer->region == Buffer::kArena ? 0 : buffer->bytes;
  }
  arena = packBySize(inner);
}

Value Storage::materialise(OpBuilder &b, OpResult result) {
  MemRefType type = toMemRef(result.getType());
  if (auto it = returned.find(result); it != returned.end()) {
    return mem::OutputOp::create(b, result.getLoc(), type, it->second);
  }
  const Buffer &buffer = *places.find(result)->second;
  IntegerAttr output;
  if (buffer.region != Buffer::kArena) {
    output = b.getI64IntegerAttr(buffer.region);
  }
  return mem::SliceOp::create(b, result.getLoc(), type,
                              b.getI64IntegerAttr(buffer.offset), output);
}

void Storage::rewrite() {
  IRMapping map;
  for (BlockArgument argument : block.getArguments()) {
    argument.setType(toMemRef(argument.getType()));
    map.map(argument, argument);
  }
  Operation *terminator = block.getTerminator();
  SmallVector<exec::LaunchOp> launches;
  for (Operation &op : block) {
    if (auto check = dyn_cast<exec::CheckRangeOp>(op)) {
      check.getValueMutable().assign(map.lookup(check.getValue()));
    }
    auto launch = dyn_cast<exec::LaunchOp>(op);
    if (!launch) {
      continue;
    }
    launches.push_back(launch);
    OpBuilder b(launch);
    SmallVector<Value> inputs, outs;
    for (OpResult result : launch->getResults()) {
      outs.push_back(materialise(b, result));
      map.map(result, outs.back());
    }
    for (Value input : launch.getInputs()) {
      inputs.push_back(map.lookup(input));
    }
    exec::LaunchOp::create(b, launch.getLoc(), TypeRange(), launch.getCallee(),
                           inputs, outs);
  }
  OpBuilder b(terminator);
  for (auto [value, output] : copies) {
    Value source = map.lookup(value);
    Value target = mem::OutputOp::create(b, terminator->getLoc(),
                                         source.getType(), output);
    mem::CopyOp::create(b, terminator->getLoc(), source, target);
  }
  terminator->setOperands({});
  for (exec::LaunchOp launch : llvm::reverse(launches)) {
    launch.erase();
  }
}

/// The signature's results stay readable on the function, as attributes.
static void recordOutputs(func::FuncOp step) {
  Builder b(step.getContext());
  SmallVector<Attribute> results;
  if (ArrayAttr attrs = step.getAllResultAttrs()) {
    llvm::append_range(results, attrs);
  }
  step->setAttr(mem::kOutputTypesAttr,
                b.getTypeArrayAttr(step.getResultTypes()));
  step->setAttr("mem.outputs", b.getArrayAttr(results));
  step.removeResAttrsAttr();
}

namespace {

struct PlanArena : moelle::impl::PlanArenaPassBase<PlanArena> {
  void runOnOperation() override {
    func::FuncOp step = exec::getStep(getOperation());
    if (!step) {
      return signalPassFailure();
    }
    Storage storage(step);
    if (failed(storage.collect())) {
      return signalPassFailure();
    }
    storage.placeOutputs();
    storage.pack();

    OpBuilder b(step);
    step->setAttr(mem::kArenaBytesAttr, b.getI64IntegerAttr(storage.arena));
    step->setAttr("mem.lower_bound", b.getI64IntegerAttr(storage.lowerBound));
    step->setAttr("mem.naive_bytes", b.getI64IntegerAttr(storage.naive));
    storage.rewrite();
    recordOutputs(step);
    step.setFunctionType(
        b.getFunctionType(step.front().getArgumentTypes(), {}));
    remark::analysis(step.getLoc(),
                     remark::RemarkOpts::name("plan-arena").category("memory"))
        << remark::add("arena of {0} bytes, lower bound {1}, without reuse "
                       "{2}; outputs not yet written hold {3} bytes more",
                       storage.arena, storage.lowerBound, storage.naive,
                       storage.lent);
  }
};

} // namespace
