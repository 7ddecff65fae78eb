// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What emitters of scalar code share: ranges of indices, each element once.
#ifndef MOELLE_ANALYSIS_RANGEDEMITTER_H
#define MOELLE_ANALYSIS_RANGEDEMITTER_H

#include "dialects/interfaces/Interfaces.h"
#include "lib/Analysis/IndexRange.h"

namespace moelle {

/// Simplifies every index by the ranges of its dimensions and symbols, decides
/// from them what it can, and reads an element at most once.
class RangedEmitter : public ElementEmitter {
public:
  using ElementEmitter::ElementEmitter;

  mlir::Value read(mlir::Value tensor,
                   llvm::ArrayRef<mlir::AffineExpr> index) final;
  std::optional<bool> isLess(mlir::AffineExpr expr, int64_t bound) override;
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const {
    return ranges.simplify(expr);
  }

protected:
  /// The element at a simplified index that was not read before.
  virtual mlir::Value readOnce(mlir::Value tensor,
                               llvm::ArrayRef<mlir::AffineExpr> index) = 0;
  /// The element by the code of the element op that defines `tensor`.
  mlir::Value emitDefinition(mlir::Value tensor,
                             llvm::ArrayRef<mlir::AffineExpr> index);

  IndexRanges ranges;

private:
  llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, mlir::Value> memo;
};

} // namespace moelle

#endif // MOELLE_ANALYSIS_RANGEDEMITTER_H
