// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as functions over flat buffers.
#ifndef MOELLE_LOWER_EMITKERNELS_H
#define MOELLE_LOWER_EMITKERNELS_H

#include "lib/Analysis/ReductionShape.h"
#include "lib/Lower/BodyEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace moelle {

/// How a kernel is launched, as the artifact records it.
struct KernelShape {
  int64_t items = 1;        ///< independent work items
  int64_t grain = 1;        ///< items a thread should take at least
  int64_t scratchBytes = 0; ///< per thread
};

/// What the emission of one kernel works on. The function has one flat memref
/// an operand, then begin and end of the work items (index) and the thread's
/// scratch (memref<?xi8>).
struct KernelFunction {
  KernelFunction(exec::KernelOp kernel, mlir::OpBuilder builder)
      : kernel(kernel), builder(builder) {}

  exec::KernelOp kernel;
  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers; ///< by kernel argument
  llvm::SmallVector<mlir::Value> results;           ///< buffer of each result
  mlir::Value begin, end, scratch;
  KernelShape shape;

  /// `count` elements of `type` of the scratch from `byteOffset` on.
  mlir::Value getScratch(int64_t byteOffset, int64_t count, mlir::Type type);
  mlir::Value constantIndex(int64_t value);
  /// A loop of step 1 whose body is written at the builder's place.
  mlir::scf::ForOp startLoop(mlir::Value low, mlir::Value high,
                             mlir::ValueRange init = {});
};

/// Elements a thread should compute, at least.
constexpr int64_t kGrainElements = 8192;

/// Writes @`kernel` into `module` as a function and returns how to launch it.
/// Emits an error and fails when the body has no lowering.
mlir::FailureOr<KernelShape> emitKernel(exec::KernelOp kernel,
                                        mlir::ModuleOp module);

/// Loops over elements, or over rows with their reductions; any number of
/// results.
mlir::LogicalResult emitRows(KernelFunction &k);
/// One reduction over other than the last dimensions.
void emitColumns(KernelFunction &k, ReductionOpInterface op);
/// One contraction, with what is fused into its operands and its result.
mlir::LogicalResult emitProduct(KernelFunction &k, ContractionOpInterface op);

/// Element `which` of what result `at` of a reduction combines, in the type of
/// the accumulator.
mlir::Value readReduced(BodyEmitter &e, const ReductionShape &r,
                        mlir::AffineExpr at, mlir::AffineExpr which);

} // namespace moelle

#endif // MOELLE_LOWER_EMITKERNELS_H
