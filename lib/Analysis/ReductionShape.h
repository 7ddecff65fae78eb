// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements a reduction combines into which result.
#ifndef MOELLE_ANALYSIS_REDUCTIONSHAPE_H
#define MOELLE_ANALYSIS_REDUCTIONSHAPE_H

#include "dialects/interfaces/Interfaces.h"

namespace moelle {

/// The iteration space of a reduction: result element x combined element.
struct ReductionShape {
  explicit ReductionShape(ReductionOpInterface op);

  ReductionOpInterface op;
  mlir::RankedTensorType source, result;
  llvm::SmallVector<int64_t> dims; ///< reduced, ascending
  int64_t count = 1;               ///< elements combined into one result
  int64_t trailing = 1; ///< consecutive results that read consecutive elements;
                        ///< 1 wherever rows are combined

  /// Index into the source of combined element `which` of result `at`, both
  /// row-major offsets.
  llvm::SmallVector<mlir::AffineExpr> index(mlir::AffineExpr at,
                                            mlir::AffineExpr which) const;
  /// Whether each result combines `count` consecutive elements, in order.
  bool combinesRows() const;
};

/// In which of the loops over a row each value of a kernel can be computed: one
/// after those of all the reductions that it depends on.
class RowLevels {
public:
  unsigned of(mlir::Value value);

private:
  llvm::DenseMap<mlir::Value, unsigned> levels;
};

} // namespace moelle

#endif // MOELLE_ANALYSIS_REDUCTIONSHAPE_H
