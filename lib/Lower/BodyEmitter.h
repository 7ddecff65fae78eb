// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the scalar code of a kernel's values at an index.
#ifndef MOELLE_LOWER_BODYEMITTER_H
#define MOELLE_LOWER_BODYEMITTER_H

#include "dialects/exec/Exec.h"
#include "lib/Analysis/RangedEmitter.h"

namespace moelle {

/// Element type in memory: bool is a byte.
mlir::Type getStorageType(mlir::Type element);
/// The memref through which a kernel sees a buffer: all elements in a row.
mlir::MemRefType getFlatType(mlir::RankedTensorType type);

/// Emits a value's element through all fused producers down to loads from the
/// kernel's buffers. One instance is one point of one loop nest: what it
/// emitted is reused as long as the builder stays where it dominates.
class BodyEmitter : public RangedEmitter {
public:
  BodyEmitter(mlir::OpBuilder &builder, mlir::Location loc,
              const llvm::DenseMap<mlir::Value, mlir::Value> &buffers)
      : RangedEmitter(builder, loc), buffers(buffers) {}

  /// A loop counter with values in [low, high].
  mlir::AffineExpr addDim(mlir::Value counter, int64_t low, int64_t high);
  /// Any other index value with values in [low, high].
  mlir::AffineExpr addSymbol(mlir::Value value, int64_t low, int64_t high);

  /// What is known of `tensor` at offset `at`, and may be read there only.
  void setKnown(mlir::Value tensor, mlir::AffineExpr at, mlir::Value scalar) {
    known[tensor] = {at, scalar};
  }
  /// Whether a known tensor was read where it is not known: an error in the
  /// forming of the kernel.
  bool hasMisplacedRead() const { return misplaced; }

  mlir::Value indexValue(mlir::AffineExpr expr) override;
  mlir::AffineExpr dynamicIndex(mlir::Value scalar, int64_t extent) override;

  /// By how much the offset of the last load grows with `dim`; 0 where it does
  /// not, nothing where the offset is no linear function of it.
  std::optional<int64_t> lastStride(mlir::AffineExpr dim) const;
  /// The same of any offset.
  std::optional<int64_t> strideOf(mlir::AffineExpr offset,
                                  mlir::AffineExpr dim) const;

  /// Stores a scalar of the element type at an offset of a buffer.
  void store(mlir::Value scalar, mlir::Value buffer, mlir::AffineExpr offset);

private:
  mlir::Value readOnce(mlir::Value tensor,
                       llvm::ArrayRef<mlir::AffineExpr> index) override;

  const llvm::DenseMap<mlir::Value, mlir::Value>
      &buffers; ///< by kernel argument
  llvm::DenseMap<mlir::Value, std::pair<mlir::AffineExpr, mlir::Value>> known;
  bool misplaced = false;
  mlir::AffineExpr lastOffset;
  llvm::SmallVector<mlir::Value> dimValues, symbolValues;
};

} // namespace moelle

#endif // MOELLE_LOWER_BODYEMITTER_H
