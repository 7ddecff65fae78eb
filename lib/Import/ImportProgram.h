// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exported program as a module of aten ops.
#ifndef MOELLE_IMPORT_IMPORTPROGRAM_H
#define MOELLE_IMPORT_IMPORTPROGRAM_H

#include "lib/Import/Archive.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace moelle {

/// Builds a module with the function `@step`: parameters, buffers and inputs
/// as arguments, loss and gradients as results, one op a node. Emits errors,
/// all unsupported operators in one, and returns null on failure.
mlir::OwningOpRef<mlir::ModuleOp> importProgram(mlir::MLIRContext *context,
                                                const Archive &archive);

} // namespace moelle

#endif // MOELLE_IMPORT_IMPORTPROGRAM_H
