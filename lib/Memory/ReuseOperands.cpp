// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results written over operands that die at their launch.
#include "lib/Analysis/Overwrite.h"
#include "moelle/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace moelle;

namespace moelle {
#define GEN_PASS_DEF_REUSEOPERANDSPASS
#include "lib/Memory/Passes.h.inc"
} // namespace moelle

namespace {

class Reuse {
public:
  explicit Reuse(exec::KernelOp kernel) : kernel(kernel) {}

  /// For each result of `launch` the operand it is written over, or -1.
  SmallVector<int64_t> choose(exec::LaunchOp launch) {
    SmallVector<int64_t> places(launch.getNumResults(), -1);
    for (OpResult result : launch.getResults()) {
      bool isOutput = llvm::any_of(result.getUsers(), [](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>();
      });
      if (isOutput) {
        continue; // the caller's buffer is its place
      }
      for (auto [i, operand] : llvm::enumerate(launch.getInputs())) {
        int64_t place = i;
        if (!llvm::is_contained(places, place) && diesAt(operand, launch) &&
            isAllowed(result.getResultNumber(), place)) {
          places[result.getResultNumber()] = place;
          break;
        }
      }
    }
    return places;
  }

private:
  static bool diesAt(Value operand, exec::LaunchOp launch) {
    if (!operand.getDefiningOp<exec::LaunchOp>() ||
        llvm::count(launch.getInputs(), operand) != 1) {
      return false; // the caller's, or read under another name too
    }
    return llvm::all_of(operand.getUsers(), [&](Operation *user) {
      return user == launch || user->isBeforeInBlock(launch);
    });
  }
  bool isAllowed(unsigned result, int64_t place) {
    auto [it, isNew] = allowed.try_emplace({result, place}, false);
    if (isNew) {
      it->second = mayOverwrite(kernel, result, place);
    }
    return it->second;
  }

  exec::KernelOp kernel;
  std::map<std::pair<unsigned, int64_t>, bool> allowed;
};

struct ReuseOperands : moelle::impl::ReuseOperandsPassBase<ReuseOperands> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    func::FuncOp step = exec::getStep(getOperation());
    if (!step) {
      return signalPassFailure();
    }
    llvm::MapVector<Operation *, Reuse> kernels;
    // The launches of a kernel by what they overwrite: one kernel each.
    llvm::MapVector<Operation *,
                    std::map<SmallVector<int64_t>, SmallVector<exec::LaunchOp>>>
        uses;
    for (auto launch : step.front().getOps<exec::LaunchOp>()) {
      auto kernel = symbols.lookup<exec::KernelOp>(launch.getCallee());
      Reuse &reuse = kernels.insert({kernel, Reuse(kernel)}).first->second;
      uses[kernel][reuse.choose(launch)].push_back(launch);
    }
    int64_t count = 0, bytes = 0;
    for (auto &[op, variants] : uses) {
      auto kernel = cast<exec::KernelOp>(op);
      auto original = kernel.clone();
      bool isFirst = true;
      for (auto &[places, launches] : variants) {
        auto variant = isFirst ? kernel : original.clone();
        if (!isFirst) {
          symbols.insert(variant, std::next(kernel->getIterator()));
        }
        isFirst = false;
        for (exec::LaunchOp launch : launches) {
          launch.setCallee(variant.getSymName());
          for (auto [result, place] : llvm::zip(launch.getResults(), places)) {
            count += place >= 0;
            bytes += place >= 0
                         ? mem::getByteSize(cast<ShapedType>(result.getType()))
                         : 0;
          }
        }
        if (llvm::any_of(places, [](int64_t place) { return place >= 0; })) {
          variant.setInPlace(places);
        }
      }
      original.erase();
    }
    remark::passed(
        step.getLoc(),
        remark::RemarkOpts::name("reuse-operands").category("memory"))
        << remark::add("{0} results of {1} bytes are written over operands "
                       "that die there",
                       count, bytes);
  }
};

} // namespace
