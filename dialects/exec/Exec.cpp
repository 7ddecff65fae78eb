// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and verifiers of the exec dialect.
#include "dialects/exec/Exec.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace moelle::exec;

#include "dialects/exec/ExecDialect.cpp.inc"

void ExecDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/exec/ExecOps.cpp.inc"
      >();
}

func::FuncOp moelle::exec::getStep(ModuleOp module) {
  auto step = module.lookupSymbol<func::FuncOp>(kStepName);
  if (!step || !step.getBody().hasOneBlock()) {
    module.emitError() << "must hold a function '" << kStepName
                       << "' of one block";
    return nullptr;
  }
  return step;
}

LogicalResult KernelOp::verify() {
  if (getBlock().empty() || !isa<ReturnOp>(getBlock().back())) {
    return emitOpError("must end with 'exec.return'");
  }
  auto check = [&](Type type, StringRef what,
                   unsigned i) -> LogicalResult { // C1
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape()) {
      return emitOpError()
             << what << " " << i
             << " must be a ranked tensor of static shape, but got " << type;
    }
    return success();
  };
  for (auto [i, argument] : llvm::enumerate(getBlock().getArguments())) {
    if (failed(check(argument.getType(), "argument", i))) {
      return failure();
    }
  }
  for (auto [i, value] : llvm::enumerate(getReturned())) {
    if (failed(check(value.getType(), "result", i))) {
      return failure();
    }
  }
  auto places = getInPlace();
  if (!places) {
    return success();
  }
  if (places->size() != getReturned().size()) { // C2
    return emitOpError() << "'in_place' must have " << getReturned().size()
                         << " entries, one a result, but got "
                         << places->size();
  }
  llvm::SmallDenseSet<int64_t> taken;
  for (auto [i, place] : llvm::enumerate(*places)) {
    if (place == -1) {
      continue;
    }
    auto result = cast<RankedTensorType>(getReturned()[i].getType());
    bool exists = place >= 0 && place < getBlock().getNumArguments() &&
                  taken.insert(place).second;
    auto argument =
        exists ? cast<RankedTensorType>(getBlock().getArgument(place).getType())
               : result;
    if (!exists || argument.getElementType() != result.getElementType() ||
        argument.getNumElements() != result.getNumElements()) { // C2
      return emitOpError()
             << "entry " << i
             << " of 'in_place' must be -1 or one free argument like " << result
             << ", but got " << place;
    }
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<KernelOp>(*this, getCalleeAttr());
  if (!kernel) { // C1
    return emitOpError() << "'" << getCallee()
                         << "' must name an 'exec.kernel'";
  }
  if (!getResults().empty() && !getOuts().empty()) { // C3
    return emitOpError("must have results or 'outs', but got both");
  }
  auto match = [&](TypeRange mine, TypeRange theirs,
                   StringRef what) -> LogicalResult {
    if (mine.size() != theirs.size()) { // C2
      return emitOpError() << "number of " << what << " must be "
                           << theirs.size() << " as in '" << getCallee()
                           << "', but got " << mine.size();
    }
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(mine, theirs))) {
      auto a = dyn_cast<ShapedType>(std::get<0>(pair));
      auto b = cast<ShapedType>(std::get<1>(pair));
      if (!a || a.getShape() != b.getShape() ||
          a.getElementType() != b.getElementType()) {
        return emitOpError()
               << what << " " << i << " must be " << b << " as in '"
               << getCallee() << "', but got " << std::get<0>(pair);
      }
    }
    return success();
  };
  if (failed(match(getInputs().getTypes(), kernel.getBlock().getArgumentTypes(),
                   "inputs"))) {
    return failure();
  }
  return match(getOuts().empty() ? TypeRange(getResults().getTypes())
                                 : TypeRange(getOuts().getTypes()),
               kernel.getReturned().getTypes(), "results");
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable()) {
    if (isa<MemRefType>(operand.get().getType())) {
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    }
  }
  for (OpOperand &operand : getOutsMutable()) {
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

LogicalResult CheckRangeOp::verify() {
  int64_t low = getLowAttr().getInt(), high = getHighAttr().getInt();
  if (low >= high) { // C1
    return emitOpError() << "'low' must be less than 'high', but got " << low
                         << " and " << high;
  }
  return success();
}

void CheckRangeOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<MemRefType>(getValue().getType())) {
    effects.emplace_back(MemoryEffects::Read::get(), &getValueMutable());
  }
  // Ending the run is seen from outside, so the op is never dead.
  effects.emplace_back(MemoryEffects::Write::get());
}

#define GET_OP_CLASSES
#include "dialects/exec/ExecOps.cpp.inc"
