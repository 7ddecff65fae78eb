// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows integers through tensor ops and through the code of their elements.
#include "lib/Analysis/ValueRanges.h"

#include "lib/Analysis/RangedEmitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace moelle;

static IntegerValueRange placesOf(IndexRange range) {
  return ConstantIntRanges::fromSigned(APInt(64, range.low, true),
                                       APInt(64, range.high, true));
}

static bool isInteger(Value value) {
  return getElementTypeOrSelf(value.getType()).isIntOrIndex();
}

namespace {

/// Writes the code of one element, whose point is any, and finds its range.
class ElementRange : public RangedEmitter {
public:
  ElementRange(Location loc, ValueRanges &tensors)
      : RangedEmitter(ownBuilder, loc), ownBuilder(loc.getContext()),
        tensors(tensors) {
    builder.setInsertionPointToStart(&block);
  }

  IntegerValueRange of(OpResult result) {
    SmallVector<AffineExpr> index;
    for (int64_t size : cast<RankedTensorType>(result.getType()).getShape()) {
      ranges.dims.push_back({0, std::max<int64_t>(size, 1) - 1});
      index.push_back(getAffineDimExpr(ranges.dims.size() - 1, getContext()));
    }
    auto op = cast<ElementOpInterface>(result.getOwner());
    Value element = op.emitElement(*this, result.getResultNumber(), index);
    visit(block);
    return lookup(element);
  }

  Value indexValue(AffineExpr expr) override {
    return known(builder.getIndexType(), placesOf(ranges.of(simplify(expr))));
  }
  AffineExpr dynamicIndex(Value, int64_t extent) override {
    ranges.symbols.push_back({0, std::max<int64_t>(extent, 1) - 1});
    return getAffineSymbolExpr(ranges.symbols.size() - 1, getContext());
  }

private:
  Value readOnce(Value tensor, ArrayRef<AffineExpr>) override {
    return known(getElementTypeOrSelf(tensor.getType()), tensors.of(tensor));
  }
  /// A scalar of which only the range is known.
  Value known(Type type, const IntegerValueRange &range) {
    Value value =
        UnrealizedConversionCastOp::create(builder, loc, type, ValueRange())
            .getResult(0);
    found[value] = range;
    return value;
  }
  IntegerValueRange lookup(Value value) {
    auto it = found.find(value);
    return it == found.end() && isInteger(value)
               ? IntegerValueRange::getMaxRange(value)
               : found.lookup(value);
  }
  void visit(Block &code) {
    for (Operation &op : code) {
      if (auto branch = dyn_cast<scf::IfOp>(op)) {
        visitBranch(branch);
      } else if (auto infer = dyn_cast<InferIntRangeInterface>(op)) {
        SmallVector<IntegerValueRange> operands;
        for (Value operand : op.getOperands()) {
          operands.push_back(lookup(operand));
        }
        infer.inferResultRangesFromOptional(
            operands, [&](Value value, const IntegerValueRange &range) {
              found[value] = range;
            });
      }
    }
  }
  void visitBranch(scf::IfOp branch) {
    for (Region &region : branch->getRegions()) {
      if (!region.empty()) {
        visit(region.front());
      }
    }
    for (auto [i, result] : llvm::enumerate(branch.getResults())) {
      found[result] =
          IntegerValueRange::join(lookup(branch.thenYield().getOperand(i)),
                                  lookup(branch.elseYield().getOperand(i)));
    }
  }

  Block block; ///< holds the code until it is dropped
  OpBuilder ownBuilder;
  ValueRanges &tensors;
  llvm::DenseMap<Value, IntegerValueRange> found;
};

} // namespace

IntegerValueRange ValueRanges::of(Value tensor) {
  // Operands first, without recursion: steps are thousands of ops deep.
  SmallVector<Value> work{tensor};
  while (!work.empty()) {
    Value next = work.back();
    Operation *op = next.getDefiningOp();
    if (ranges.contains(next)) {
      work.pop_back();
      continue;
    }
    size_t before = work.size();
    if (op && isInteger(next)) {
      for (Value operand : op->getOperands()) {
        if (!ranges.contains(operand)) {
          work.push_back(operand);
        }
      }
    }
    if (work.size() == before) {
      compute(next);
      work.pop_back();
    }
  }
  return ranges.lookup(tensor);
}

void ValueRanges::compute(Value tensor) {
  if (!isInteger(tensor)) {
    ranges[tensor] = IntegerValueRange();
    return;
  }
  IntegerValueRange range = IntegerValueRange::getMaxRange(tensor);
  Operation *op = tensor.getDefiningOp();
  if (auto infer = dyn_cast_or_null<InferIntRangeInterface>(op)) {
    SmallVector<IntegerValueRange> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(ranges.lookup(operand));
    }
    infer.inferResultRangesFromOptional(
        operands, [&](Value value, const IntegerValueRange &inferred) {
          if (value == tensor) {
            range = inferred;
          }
        });
  } else if (isa_and_nonnull<ElementOpInterface>(op)) {
    range = ElementRange(op->getLoc(), *this).of(cast<OpResult>(tensor));
  }
  ranges[tensor] = range;
}
