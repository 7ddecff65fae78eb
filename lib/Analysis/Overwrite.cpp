// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a result may take the memory of an operand.
#include "lib/Analysis/Overwrite.h"

#include "lib/Analysis/AccessRecorder.h"
#include "lib/Analysis/ReductionShape.h"

using namespace mlir;
using namespace moelle;

/// Whether `value` is computed from `argument`, through any op of the kernel.
static bool dependsOn(Value value, Value argument) {
  if (value == argument) {
    return true;
  }
  Operation *op = value.getDefiningOp();
  return op && llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, argument);
         });
}

namespace {

/// The elements that element ops read, down to arguments and to the results of
/// reductions and products, which are in registers by then.
class Reads {
public:
  explicit Reads(Location loc)
      : recorder(loc, [](Value value) {
          return !isa_and_nonnull<ElementOpInterface>(value.getDefiningOp());
        }) {}

  AffineExpr addDim(int64_t size) {
    ++dims;
    return recorder.addDim(size);
  }
  void read(Value value, ArrayRef<AffineExpr> index) {
    (void)recorder.read(value, index);
  }
  /// Whether every element of `argument` that was read is the one at `offset`.
  bool onlyAt(Value argument, AffineExpr offset) {
    offset = recorder.simplify(offset);
    return llvm::all_of(recorder.getAccesses(), [&](const Access &access) {
      return access.tensor != argument || access.offset == offset ||
             (getStrides(offset, dims) &&
              getStrides(access.offset, dims) == getStrides(offset, dims));
    });
  }
  bool reads(Value argument) {
    return llvm::any_of(recorder.getAccesses(), [&](const Access &access) {
      return access.tensor == argument;
    });
  }

private:
  AccessRecorder recorder;
  unsigned dims = 0;
};

} // namespace

/// Reads the element of `value` at counters over its shape.
static AffineExpr readElement(Reads &reads, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<AffineExpr> index;
  for (int64_t size : type.getShape()) {
    index.push_back(reads.addDim(size));
  }
  reads.read(value, index);
  return index.empty() ? getAffineConstantExpr(0, value.getContext())
                       : linearise(index, type);
}

bool moelle::mayOverwrite(exec::KernelOp kernel, unsigned number,
                          unsigned argumentNumber) {
  Value result = kernel.getReturned()[number],
        argument = kernel.getBlock().getArgument(argumentNumber);
  auto type = cast<RankedTensorType>(result.getType()),
       place = cast<RankedTensorType>(argument.getType());
  if (type.getElementType() != place.getElementType() ||
      type.getNumElements() != place.getNumElements() ||
      !isa_and_nonnull<ElementOpInterface>(result.getDefiningOp())) {
    return false;
  }
  RowLevels levels;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (isa<KernelOpInterface>(op)) {
      return false; // reads and writes in an order of its own
    }
    if (auto contraction = dyn_cast<ContractionOpInterface>(op)) {
      // Tiles are packed while other tiles are stored already.
      bool isOperand = llvm::any_of(op.getOperands(), [&](Value operand) {
        return dependsOn(operand, argument);
      });
      if (isOperand || contraction.getContractions().size() != 1) {
        return false;
      }
    } else if (auto reduction = dyn_cast<ReductionOpInterface>(op)) {
      // A row is reduced by an earlier loop than the one that stores it.
      ReductionShape shape(reduction);
      if (shape.trailing > 1) {
        return false;
      }
      Reads reads(op.getLoc());
      AffineExpr at = reads.addDim(shape.result.getNumElements()),
                 which = reads.addDim(shape.count);
      reads.read(op.getOperand(0), shape.index(at, which));
      bool isEarlier = levels.of(op.getResult(0)) < levels.of(result);
      if (reads.reads(argument) &&
          (!isEarlier || !reads.onlyAt(argument, at * shape.count + which))) {
        return false;
      }
    }
  }
  for (auto [i, other] : llvm::enumerate(kernel.getReturned())) {
    Reads reads(kernel.getLoc());
    AffineExpr offset = readElement(reads, other);
    if (i == number ? !reads.onlyAt(argument, offset) : reads.reads(argument)) {
      return false;
    }
  }
  return true;
}
