// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of all passes, stated once.
#ifndef MOELLE_PIPELINE_H
#define MOELLE_PIPELINE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace moelle {

/// From an imported module (`aten`, a function `@step`) to a planned one: what
/// `moelle compile` runs and `moelle-opt --moelle-compile` too.
void buildCompilePipeline(mlir::OpPassManager &pm);

} // namespace moelle

#endif // MOELLE_PIPELINE_H
