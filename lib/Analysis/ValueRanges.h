// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the elements of integer tensors can be.
#ifndef MOELLE_ANALYSIS_VALUERANGES_H
#define MOELLE_ANALYSIS_VALUERANGES_H

#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"

namespace moelle {

/// Ranges that hold for every element of a tensor, from how it is made: an
/// element op's from its scalar code, any other op's from its
/// InferIntRangeInterface. Upstream's solver with this same interface would
/// need each element op to state its range a second time.
class ValueRanges {
public:
  /// The range of all elements of an integer tensor: the dtype's where nothing
  /// more is known. None for other dtypes. Needs the arith, math and scf
  /// dialects loaded.
  mlir::IntegerValueRange of(mlir::Value tensor);

private:
  void compute(mlir::Value tensor);

  llvm::DenseMap<mlir::Value, mlir::IntegerValueRange> ranges;
};

} // namespace moelle

#endif // MOELLE_ANALYSIS_VALUERANGES_H
