// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a kernel of each fusion group; kernels of equal bodies become one.
#include "lib/Fuse/FusionGroups.h"
#include "moelle/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace moelle;

namespace moelle {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "lib/Fuse/Passes.h.inc"
} // namespace moelle

namespace {

/// What two kernels of the same meaning have in common, without locations.
llvm::hash_code hashBody(Block &body) {
  llvm::hash_code hash = llvm::hash_value(body.getNumArguments());
  llvm::DenseMap<Value, unsigned> numbers;
  for (BlockArgument argument : body.getArguments()) {
    numbers[argument] = numbers.size();
    hash = llvm::hash_combine(hash, argument.getType());
  }
  for (Operation &op : body) {
    hash = llvm::hash_combine(hash, op.getName(),
                              op.getDiscardableAttrDictionary(),
                              op.hashProperties());
    for (Value operand : op.getOperands()) {
      hash = llvm::hash_combine(hash, numbers.lookup(operand));
    }
    for (Value result : op.getResults()) {
      numbers[result] = numbers.size();
      hash = llvm::hash_combine(hash, result.getType());
    }
  }
  return hash;
}

class Former {
public:
  explicit Former(func::FuncOp step)
      : step(step), symbols(step->getParentOfType<ModuleOp>()), groups(step) {}

  void run();

private:
  SmallVector<unsigned> order();
  void launch(const FusionGroup &group);
  void report();
  exec::KernelOp outline(const FusionGroup &group, ArrayRef<Value> inputs,
                         ArrayRef<Operation *> ops, ArrayRef<Value> results);

  func::FuncOp step;
  SymbolTable symbols;
  FusionGroups groups;
  IRMapping values; ///< stored value -> result of its launch
  llvm::DenseMap<size_t, SmallVector<exec::KernelOp, 1>> kernels;
};

/// Groups in an order that respects their reads and, where it can, keeps the
/// program's.
SmallVector<unsigned> Former::order() {
  auto all = groups.getGroups();
  auto nodes = groups.getNodes();
  SmallVector<llvm::SmallDenseSet<unsigned>> readers(all.size());
  SmallVector<unsigned> waiting(all.size(), 0), result;
  for (const FusionNode &node : nodes) {
    for (unsigned source : node.sources) {
      if (nodes[source].group != node.group &&
          readers[nodes[source].group].insert(node.group).second) {
        ++waiting[node.group];
      }
    }
  }
  auto later = [&](unsigned a, unsigned b) {
    return all[a].nodes.back() > all[b].nodes.back();
  };
  llvm::PriorityQueue<unsigned, std::vector<unsigned>, decltype(later)> ready(
      later);
  for (unsigned i = 0; i < all.size(); ++i) {
    if (!all[i].nodes.empty() && waiting[i] == 0) {
      ready.push(i);
    }
  }
  while (!ready.empty()) {
    unsigned next = ready.top();
    ready.pop();
    result.push_back(next);
    for (unsigned reader : readers[next]) {
      if (--waiting[reader] == 0) {
        ready.push(reader);
      }
    }
  }
  return result;
}

exec::KernelOp Former::outline(const FusionGroup &group, ArrayRef<Value> inputs,
                               ArrayRef<Operation *> ops,
                               ArrayRef<Value> results) {
  OpBuilder top(step->getContext());
  Operation *last = groups.getNodes()[group.nodes.back()].op;
  auto kernel = exec::KernelOp::create(top, last->getLoc(), "kernel",
                                       StringAttr(), DenseI64ArrayAttr());
  Block *body = &kernel.getBody().emplaceBlock();
  IRMapping map;
  for (Value input : inputs) {
    map.map(input, body->addArgument(input.getType(), input.getLoc()));
  }
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  for (Operation *op : ops) {
    inner.clone(*op, map);
  }
  SmallVector<Value> returned;
  for (Value result : results) {
    returned.push_back(map.lookup(result));
  }
  exec::ReturnOp::create(inner, last->getLoc(), returned);
  auto &similar = kernels[hashBody(*body)];
  for (exec::KernelOp same : similar) {
    if (OperationEquivalence::isRegionEquivalentTo(
            &same.getBody(), &kernel.getBody(),
            OperationEquivalence::IgnoreLocations)) {
      kernel->erase();
      return same;
    }
  }
  similar.push_back(kernel);
  // Named after the op that costs most, else the last.
  for (Operation *op : ops) {
    if (isa<ContractionOpInterface>(op)) {
      last = op;
    }
  }
  std::string name = last->getName().stripDialect().str();
  llvm::replace(name, '.', '_');
  kernel.setSymName(name);
  symbols.insert(kernel, step->getIterator());
  return kernel;
}

void Former::launch(const FusionGroup &group) {
  // The ops of the kernel: the nodes and, transitively, what is not stored.
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> ops, work;
  SmallVector<Value> results;
  SmallVector<Location> locations;
  for (unsigned id : group.nodes) {
    const FusionNode &node = groups.getNodes()[id];
    work.push_back(node.op);
    locations.push_back(node.op->getLoc());
    for (Value value : node.values) {
      if (groups.isNeeded(value)) {
        results.push_back(value);
      }
    }
  }
  auto isInside = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return def && (!groups.isStored(value) ||
                   llvm::is_contained(group.nodes, groups.getNodeId(value)));
  };
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!seen.insert(op).second) {
      continue;
    }
    ops.push_back(op);
    for (Value operand : op->getOperands()) {
      if (isInside(operand)) {
        work.push_back(operand.getDefiningOp());
      }
    }
  }
  llvm::sort(ops, [&](Operation *a, Operation *b) {
    return groups.getPosition(a) < groups.getPosition(b);
  });
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands()) {
      if (!isInside(operand)) {
        inputs.insert(operand);
      }
    }
  }
  exec::KernelOp kernel = outline(group, inputs.getArrayRef(), ops, results);
  OpBuilder b(step.front().getTerminator());
  SmallVector<Value> arguments;
  for (Value input : inputs) {
    arguments.push_back(values.lookupOrDefault(input));
  }
  Location loc = locations.size() == 1
                     ? locations.front()
                     : FusedLoc::get(step->getContext(), locations);
  auto call =
      exec::LaunchOp::create(b, loc, ValueRange(results).getTypes(),
                             kernel.getSymName(), arguments, ValueRange());
  for (auto [value, result] : llvm::zip(results, call.getResults())) {
    values.map(value, result);
    // Checks follow what they look at, which need not live any longer.
    for (Operation *user : value.getUsers()) {
      if (isa<exec::CheckRangeOp>(user)) {
        b.clone(*user, values);
      }
    }
  }
}

/// A remark for each kernel, and for each value that is stored although its
/// reader is not a matter of another thread's work.
void Former::report() {
  auto opts = remark::RemarkOpts::name("form-kernels").category("fuse");
  for (const DeclinedFusion &each : groups.getDeclined()) {
    const FusionNode &reader = groups.getNodes()[each.reader],
                     &source = groups.getNodes()[each.source];
    if (reader.group != source.group) {
      remark::missed(reader.op->getLoc(), opts)
          << remark::add("'{0}' not fused with '{1}': {2}",
                         reader.op->getName().getStringRef(),
                         source.op->getName().getStringRef(), each.reason);
    }
  }
  llvm::MapVector<StringRef, SmallVector<Location>> launches;
  for (auto launch : step.front().getOps<exec::LaunchOp>()) {
    launches[launch.getCallee()].push_back(launch.getLoc());
  }
  for (auto &[name, places] : launches) {
    auto kernel = symbols.lookup<exec::KernelOp>(name);
    SmallVector<StringRef> ops;
    for (Operation &op : kernel.getBlock().without_terminator()) {
      ops.push_back(op.getName().stripDialect());
    }
    remark::passed(places.front(), opts) << remark::add(
        "kernel '{0}' of {1}: {2} {3}", name, llvm::join(ops, ", "),
        places.size(), places.size() == 1 ? "launch" : "launches");
  }
}

void Former::run() {
  Block &block = step.front();
  SmallVector<Operation *> old;
  for (Operation &op : block.without_terminator()) {
    old.push_back(&op);
  }
  for (unsigned group : order()) {
    launch(groups.getGroups()[group]);
  }
  for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
    operand.set(values.lookupOrDefault(operand.get()));
  }
  report();
  for (Operation *op : llvm::reverse(old)) {
    op->erase();
  }
}

struct FormKernels : moelle::impl::FormKernelsPassBase<FormKernels> {
  void runOnOperation() override {
    func::FuncOp step = exec::getStep(getOperation());
    if (!step) {
      return signalPassFailure();
    }
    bool fits = true;
    for (Operation &op : step.front().without_terminator()) {
      if (!isa<ElementOpInterface, ReductionOpInterface, ContractionOpInterface,
               KernelOpInterface, exec::CheckRangeOp>(op)) {
        op.emitError() << "'" << op.getName()
                       << "' must be an element op, a reduction, a contraction "
                          "or a kernel op to become part of a kernel";
        fits = false;
      }
    }
    if (!fits) {
      return signalPassFailure();
    }
    Former(step).run();
  }
};

} // namespace
