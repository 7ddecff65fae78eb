// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A planned step as a .moelle artifact.
#ifndef MOELLE_LOWER_WRITEARTIFACT_H
#define MOELLE_LOWER_WRITEARTIFACT_H

#include "lib/Lower/EmitObject.h"

namespace moelle {

/// Compiles the kernels of a planned module and writes the command list.
/// `source` is the archive the step came from. Emits an error and fails when a
/// kernel has no lowering.
mlir::FailureOr<std::string> writeArtifact(mlir::ModuleOp module,
                                           const Target &target,
                                           llvm::StringRef source);

} // namespace moelle

#endif // MOELLE_LOWER_WRITEARTIFACT_H
