// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MLIR language server with the dialects of Moelle, for editors.
#include "moelle/Register.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  moelle::registerAll(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
