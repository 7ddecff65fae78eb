// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver prints on stderr: errors, warnings, remarks, progress.
#ifndef MOELLE_TOOLS_DIAGNOSTICS_H
#define MOELLE_TOOLS_DIAGNOSTICS_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace moelle {

/// Prints "moelle: error: <message>" and returns the exit status 1.
int fail(const std::string &message);

/// Diagnostics of `context` go to stderr, one a line; remarks where wanted.
void printDiagnostics(mlir::MLIRContext &context, bool wantsRemarks);

/// Shows the pass that runs, on a terminal only.
void showProgress(mlir::PassManager &pm);
/// Shows `what` in place of the last thing shown; an empty text clears it.
void showProgress(const std::string &what);

} // namespace moelle

#endif // MOELLE_TOOLS_DIAGNOSTICS_H
