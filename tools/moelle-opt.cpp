// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mlir-opt with the dialects and passes of Moelle.
#include "moelle/Register.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  moelle::registerAll(registry);
  moelle::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Moelle optimizer driver\n", registry));
}
