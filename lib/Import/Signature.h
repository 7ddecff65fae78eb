// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signature of an exported program: arguments and results of `@step`.
#ifndef MOELLE_IMPORT_SIGNATURE_H
#define MOELLE_IMPORT_SIGNATURE_H

#include "lib/Import/Archive.h"
#include "lib/Import/GraphValues.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace moelle {

/// Creates `@step` with an argument for each tensor input, with name, role and
/// the other names of a tied parameter; inserts into its body from then on.
/// Emits an error and fails on a spec that is not understood, and where a
/// stored weight is not of the graph's type.
mlir::FailureOr<mlir::func::FuncOp>
importInputs(mlir::OpBuilder &b, const Archive &archive,
             const nlohmann::json &signature, GraphValues &values);

/// Returns the outputs: the loss, `grad.<parameter>`, `grad_input.<input>`,
/// `mutation.<buffer>` and what the model returns besides.
mlir::LogicalResult importOutputs(mlir::OpBuilder &b, mlir::func::FuncOp step,
                                  const nlohmann::json &signature,
                                  const GraphValues &values);

} // namespace moelle

#endif // MOELLE_IMPORT_SIGNATURE_H
