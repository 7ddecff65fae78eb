// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step from a file, as exported or as MLIR text.
#ifndef MOELLE_TOOLS_LOADMODULE_H
#define MOELLE_TOOLS_LOADMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace moelle {

/// Whether the name says MLIR text (.mlir) and not an archive.
bool isModuleText(const std::string &path);

/// The module of an archive (.pt2) or of MLIR text (.mlir); null with errors on
/// stderr.
mlir::OwningOpRef<mlir::ModuleOp> loadModule(mlir::MLIRContext &context,
                                             const std::string &path);

} // namespace moelle

#endif // MOELLE_TOOLS_LOADMODULE_H
