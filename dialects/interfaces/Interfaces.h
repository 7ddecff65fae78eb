// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interfaces of Interfaces.td and the emitters that their methods are
// given.
#ifndef MOELLE_DIALECTS_INTERFACES_H
#define MOELLE_DIALECTS_INTERFACES_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace moelle {

/// What an op needs to state one element of its result. The implementation
/// decides what a read becomes: a load, the operand's own code, or a record.
class ElementEmitter {
public:
  ElementEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  virtual ~ElementEmitter() = default;

  /// The element of `tensor` at `index`, a scalar of its element type.
  /// `index` must be inside the tensor's shape for every point of the
  /// iteration, so callers clamp what they read conditionally.
  virtual mlir::Value read(mlir::Value tensor,
                           llvm::ArrayRef<mlir::AffineExpr> index) = 0;

  /// `expr` as a value of index type.
  virtual mlir::Value indexValue(mlir::AffineExpr expr) = 0;

  /// An integer scalar as an index expression in [0, extent). The value is
  /// clamped into that range, so that a wrong index cannot leave a buffer.
  virtual mlir::AffineExpr dynamicIndex(mlir::Value scalar, int64_t extent) = 0;

  /// Whether `expr < bound` holds at every point (true), at none (false), or
  /// depends on the point. An emitter may arrange its loops so that a question
  /// asked once is decided the next time.
  virtual std::optional<bool> isLess(mlir::AffineExpr expr, int64_t bound) = 0;

  /// `expr < bound ? whenLess() : otherwise()`, with only the side computed
  /// that is needed where the question is decided.
  mlir::Value select(mlir::AffineExpr expr, int64_t bound,
                     llvm::function_ref<mlir::Value()> whenLess,
                     llvm::function_ref<mlir::Value()> otherwise);

  /// `expr` moved into [0, extent) where it may be outside.
  mlir::AffineExpr clamp(mlir::AffineExpr expr, int64_t extent);

  mlir::MLIRContext *getContext() const { return loc.getContext(); }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// What an op needs to write a kernel of its own: element access to its
/// operands (through fused producers) and to its results.
class KernelEmitter {
public:
  KernelEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  virtual ~KernelEmitter() = default;

  /// Loads an element of operand `number` at index values.
  virtual mlir::Value load(unsigned number, mlir::ValueRange index) = 0;
  /// Stores a scalar of the element type into result `number`.
  virtual void store(mlir::Value scalar, unsigned number,
                     mlir::ValueRange index) = 0;
  /// Loads back what this work item stored into result `number`.
  virtual mlir::Value loadResult(unsigned number, mlir::ValueRange index) = 0;
  /// `count` elements of `type` of this work item's scratch, from `byteOffset`
  /// on (a multiple of 64).
  virtual mlir::Value scratch(int64_t byteOffset, int64_t count,
                              mlir::Type type) = 0;

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// One product of a ContractionOpInterface.
struct Contraction {
  enum class Kind {
    dense,        ///< [B?,M,K] x [B?,K,N] -> [B?,M,N]
    grouped_rows, ///< [R,K] x [E,K,N] -> [R,N], rows grouped by `offsets`
    grouped_outer ///< [R,M] x [R,N] -> [E,M,N], contraction grouped by
                  ///< `offsets`
  };
  Kind kind = Kind::dense;
  unsigned lhs = 0; ///< operand number
  unsigned rhs = 1; ///< operand number
  /// Whether the last two dimensions of an operand are swapped before use.
  bool transposeLhs = false, transposeRhs = false;
  unsigned result = 0;
  /// Operand number of the inclusive offsets [E]; grouped kinds only.
  int offsets = -1;
};

/// The legal places [low, high) of one index operand of an
/// IndexingOpInterface.
struct IndexBound {
  unsigned operand = 0;
  int64_t low = 0, high = 0;
};

} // namespace moelle

#include "dialects/interfaces/Interfaces.h.inc"

#endif // MOELLE_DIALECTS_INTERFACES_H
