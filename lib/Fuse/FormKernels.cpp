// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups the ops of the step into kernels, one for each stored value.
#include "moelle/Passes.h"

#include "dialects/interfaces/Interfaces.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Analysis/TopologicalSortUtils.h"

using namespace mlir;
using namespace moelle;

namespace moelle {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "lib/Fuse/Passes.h.inc"
} // namespace moelle

namespace {

int64_t numelOf(Value value) { return cast<RankedTensorType>(value.getType()).getNumElements(); }

class Former {
public:
  explicit Former(func::FuncOp step) : step(step), symbols(step->getParentOfType<ModuleOp>()) {}

  LogicalResult run();

private:
  bool isStored(Operation *op);
  void launch(Operation *root);

  func::FuncOp step;
  SymbolTable symbols;
  llvm::SmallPtrSet<Operation *, 16> stored;
  /// Kernels by structure: the printed body without locations.
  llvm::StringMap<exec::KernelOp> kernels;
};

bool Former::isStored(Operation *op) {
  auto element = dyn_cast<ElementOpInterface>(op);
  if (!element) {
    return true;
  }
  // Recomputing a move in every consumer costs what reading a copy would.
  bool moves = element.movesOnly();
  unsigned uses = 0;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    ++uses;
    if (isa<func::ReturnOp>(user)) {
      return true;
    }
    if (moves) {
      continue;
    }
    // Contractions and kernel ops read an element many times.
    if (isa<ContractionOpInterface, KernelOpInterface>(user)) {
      return true;
    }
    int64_t larger = 0;
    for (Value result : user->getResults()) {
      larger = std::max(larger, numelOf(result));
    }
    if (!isa<ReductionOpInterface>(user) && larger > numelOf(op->getResult(0)) && !op->getOperands().empty()) {
      return true; // broadcast: once here instead of once for each copy
    }
  }
  return !moves && uses > 1;
}

void Former::launch(Operation *root) {
  // The ops of the kernel: the root and, transitively, producers not stored.
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> inputs;
  SmallVector<Operation *> work{root};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!ops.insert(op)) {
      continue;
    }
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && !stored.contains(def) && !isa<exec::LaunchOp>(def)) {
        work.push_back(def);
      }
    }
  }
  auto ordered = topologicalSort(ops);
  for (Operation *op : ordered) {
    for (Value operand : op->getOperands()) {
      if (!ops.contains(operand.getDefiningOp())) {
        inputs.insert(operand);
      }
    }
  }
  OpBuilder b(root);
  OpBuilder top(step->getContext());
  top.setInsertionPoint(step);
  auto kernel = exec::KernelOp::create(top, root->getLoc(), "kernel", StringAttr());
  Block *body = &kernel.getBody().emplaceBlock();
  IRMapping map;
  for (Value input : inputs) {
    map.map(input, body->addArgument(input.getType(), input.getLoc()));
  }
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  for (Operation *op : ordered) {
    inner.clone(*op, map);
  }
  SmallVector<Value> results;
  for (Value result : root->getResults()) {
    results.push_back(map.lookup(result));
  }
  exec::ReturnOp::create(inner, root->getLoc(), results);
  std::string text;
  llvm::raw_string_ostream os(text);
  kernel->print(os, OpPrintingFlags().printGenericOpForm(false).enableDebugInfo(false));
  exec::KernelOp &same = kernels[text];
  if (same) {
    kernel.erase();
  } else {
    same = kernel;
    std::string name = root->getName().stripDialect().str();
    llvm::replace(name, '.', '_');
    kernel.setSymName(name);
    symbols.insert(kernel);
  }
  auto call = exec::LaunchOp::create(b, root->getLoc(), root->getResultTypes(), same.getSymName(), inputs.getArrayRef(), ValueRange());
  root->replaceAllUsesWith(call.getResults());
}

LogicalResult Former::run() {
  Block &block = step.front();
  bool failedOps = false;
  SmallVector<Operation *> order;
  for (Operation &op : block.without_terminator()) {
    if (!isa<ElementOpInterface, ReductionOpInterface, ContractionOpInterface, KernelOpInterface>(op)) {
      op.emitError() << "'" << op.getName() << "' must be an element op, a reduction, a contraction or a kernel op to become part of a kernel";
      failedOps = true;
    }
    order.push_back(&op);
  }
  if (failedOps) {
    return failure();
  }
  // The first result of split is as good as any: a split that is returned is
  // stored piece by piece, so it is cloned for each returned result.
  for (Operation *op : order) {
    if (!op->use_empty() && isStored(op)) {
      stored.insert(op);
    }
  }
  SmallVector<Operation *> roots(stored.begin(), stored.end());
  for (Operation *op : order) {
    if (stored.contains(op)) {
      launch(op);
    }
  }
  for (Operation *op : llvm::reverse(order)) {
    op->erase();
  }
  return success();
}

struct FormKernels : moelle::impl::FormKernelsPassBase<FormKernels> {
  void runOnOperation() override {
    auto step = getOperation().lookupSymbol<func::FuncOp>(exec::kStepName);
    if (!step) {
      getOperation().emitError() << "must hold a function '" << exec::kStepName << "'";
      return signalPassFailure();
    }
    if (failed(Former(step).run())) {
      signalPassFailure();
    }
  }
};

} // namespace
