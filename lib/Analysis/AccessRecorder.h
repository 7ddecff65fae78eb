// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of which tensors one element of a result is computed from.
#ifndef MOELLE_ANALYSIS_ACCESSRECORDER_H
#define MOELLE_ANALYSIS_ACCESSRECORDER_H

#include "lib/Analysis/RangedEmitter.h"

#include <functional>

namespace moelle {

/// One element read: `offset` is row-major, in terms of the recorder's
/// dimensions (loop counters) and symbols (values known at run time).
struct Access {
  mlir::Value tensor;
  mlir::AffineExpr offset;
};

/// Runs the scalar code of element ops without keeping it, down to the tensors
/// for which `isLeaf` holds and those that no element op defines. Needs the
/// arith, math and scf dialects loaded.
class AccessRecorder : public RangedEmitter {
public:
  AccessRecorder(mlir::Location loc, std::function<bool(mlir::Value)> isLeaf);

  /// A loop counter with values in [0, size).
  mlir::AffineExpr addDim(int64_t size);

  mlir::Value indexValue(mlir::AffineExpr expr) override;
  mlir::AffineExpr dynamicIndex(mlir::Value scalar, int64_t extent) override;
  std::optional<bool> isLess(mlir::AffineExpr expr, int64_t bound) override;

  llvm::ArrayRef<Access> getAccesses() const { return accesses; }
  /// Operations on elements that the code recorded so far takes.
  unsigned getCost();
  /// Whether a branch depends on the point of the iteration.
  bool hasBranches() const { return branches; }
  /// Whether an inlined op calls itself expensive.
  bool isExpensive() const { return expensive; }

private:
  mlir::Value readOnce(mlir::Value tensor,
                       llvm::ArrayRef<mlir::AffineExpr> index) override;
  mlir::Value placeholder(mlir::Type type);

  mlir::Block block; ///< holds the code until it is dropped
  mlir::OpBuilder ownBuilder;
  std::function<bool(mlir::Value)> isLeaf;
  llvm::SmallVector<Access> accesses;
  bool branches = false, expensive = false;
};

/// The strides of an offset that is a sum of dimensions times constants, one a
/// dimension of `count`; nothing when it is anything else.
std::optional<llvm::SmallVector<int64_t>> getStrides(mlir::AffineExpr offset,
                                                     unsigned count);

/// For an access in which every element of [0, elements) is read exactly once,
/// by an iteration over `shape`: the index of the iteration that reads
/// `offset`. Nothing when the strides are not those of a permutation.
std::optional<llvm::SmallVector<mlir::AffineExpr>>
invertAccess(llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> shape,
             mlir::AffineExpr offset);

} // namespace moelle

#endif // MOELLE_ANALYSIS_ACCESSRECORDER_H
