// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of index expressions, and the simplifications they permit.
#ifndef MOELLE_ANALYSIS_INDEXRANGE_H
#define MOELLE_ANALYSIS_INDEXRANGE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"

namespace moelle {

/// `index` as one offset in row-major order.
mlir::AffineExpr linearise(llvm::ArrayRef<mlir::AffineExpr> index,
                           mlir::RankedTensorType type);
/// The index of the element at a row-major offset.
llvm::SmallVector<mlir::AffineExpr> delinearise(mlir::AffineExpr offset,
                                                mlir::RankedTensorType type);

/// All values an index can take, both ends inclusive.
struct IndexRange {
  int64_t low = 0, high = 0;
};

/// Knows the range of every dimension and symbol of an expression.
class IndexRanges {
public:
  llvm::SmallVector<IndexRange> dims, symbols;

  IndexRange of(mlir::AffineExpr expr) const;
  /// `expr` without the divisions and remainders that the ranges decide, so
  /// that an access to consecutive elements is seen to be one.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;

private:
  /// Quotient and remainder of a simplified expression by a positive divisor.
  std::pair<mlir::AffineExpr, mlir::AffineExpr> divide(mlir::AffineExpr expr,
                                                       int64_t divisor) const;
  /// `lhs + rhs`, with quotients and remainders of one division put together.
  mlir::AffineExpr add(mlir::AffineExpr lhs, mlir::AffineExpr rhs) const;
  /// Splits a sum into the part divisible by `divisor` (already divided) and
  /// the rest.
  std::pair<mlir::AffineExpr, mlir::AffineExpr> split(mlir::AffineExpr expr,
                                                      int64_t divisor) const;
};

} // namespace moelle

#endif // MOELLE_ANALYSIS_INDEXRANGE_H
