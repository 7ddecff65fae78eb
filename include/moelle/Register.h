// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one registration that every tool uses.
#ifndef MOELLE_REGISTER_H
#define MOELLE_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moelle {

/// All dialects that Moelle reads and writes, its own and upstream's.
void registerAll(mlir::DialectRegistry &registry);
/// All passes and pipelines under their command-line names. Call once.
void registerAllPasses();

} // namespace moelle

#endif // MOELLE_REGISTER_H
