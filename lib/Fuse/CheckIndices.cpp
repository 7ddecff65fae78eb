// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves indices in range, and has the others checked at run time.
#include "dialects/aten/Aten.h"
#include "lib/Analysis/ValueRanges.h"
#include "moelle/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#include <map>

using namespace mlir;
using namespace moelle;

namespace moelle {
#define GEN_PASS_DEF_CHECKINDICESPASS
#include "lib/Fuse/Passes.h.inc"
} // namespace moelle

namespace {

struct CheckIndices : moelle::impl::CheckIndicesPassBase<CheckIndices> {
  void runOnOperation() override {
    func::FuncOp step = exec::getStep(getOperation());
    if (!step) {
      return signalPassFailure();
    }
    SmallVector<IndexingOpInterface> users(
        step.front().getOps<IndexingOpInterface>());
    bool isRight = true;
    for (IndexingOpInterface user : users) {
      for (const IndexBound &bound : user.getIndexBounds()) {
        isRight &= succeeded(check(user, bound));
      }
    }
    if (!isRight) {
      signalPassFailure();
    }
  }

private:
  LogicalResult check(IndexingOpInterface user, const IndexBound &bound) {
    Value index = user->getOperand(bound.operand);
    auto type = cast<RankedTensorType>(index.getType());
    if (type.getNumElements() == 0) {
      return success();
    }
    if (bound.low >= bound.high) {
      return user->emitError()
             << "operand " << bound.operand << " of '" << user->getName()
             << "' must index a dimension of at least one element, but got 0";
    }
    IntegerValueRange range = ranges.of(index);
    auto opts = remark::RemarkOpts::name("check-indices").category("fuse");
    bool isAbove = range.getValue().smin().sge(bound.low);
    bool isBelow = range.getValue().smax().slt(bound.high);
    if (isAbove && isBelow) {
      remark::passed(user->getLoc(), opts)
          << remark::add("operand {0} of '{1}' is in [{2}, {3})", bound.operand,
                         user->getName().getStringRef(), bound.low, bound.high);
      return success();
    }
    remark::missed(user->getLoc(), opts) << remark::add(
        "operand {0} of '{1}' must be in [{2}, {3}), which each "
        "run checks",
        bound.operand, user->getName().getStringRef(), bound.low, bound.high);
    if (!isAbove) {
      addCheck<aten::AminOp>(user, bound);
    }
    if (!isBelow) {
      addCheck<aten::AmaxOp>(user, bound);
    }
    return success();
  }

  /// Requires the bound of the greatest or the least index, once a tensor.
  template <typename Extremum>
  void addCheck(IndexingOpInterface user, const IndexBound &bound) {
    Value index = user->getOperand(bound.operand);
    if (!checked
             .insert({{index, Extremum::getOperationName()},
                      {bound.low, bound.high}})
             .second) {
      return;
    }
    OpBuilder b(user);
    auto type = cast<RankedTensorType>(index.getType());
    Value extremum = Extremum::create(
        b, user.getLoc(), type.clone(ArrayRef<int64_t>()), index,
        b.getDenseI64ArrayAttr({}), b.getBoolAttr(false));
    std::string what = ("operand " + Twine(bound.operand) + " of '" +
                        user->getName().getStringRef() + "'")
                           .str();
    exec::CheckRangeOp::create(
        b, user.getLoc(), extremum, b.getI64IntegerAttr(bound.low),
        b.getI64IntegerAttr(bound.high), b.getStringAttr(what));
  }

  ValueRanges ranges;
  using Key =
      std::pair<std::pair<Value, StringRef>, std::pair<int64_t, int64_t>>;
  llvm::DenseSet<Key> checked;
};

} // namespace
