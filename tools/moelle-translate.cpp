// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mlir-translate for Moelle's formats: archives in, artifacts out.
#include "lib/Import/ImportProgram.h"
#include "lib/Lower/WriteArtifact.h"
#include "moelle/Register.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

static OwningOpRef<Operation *> importPt2(llvm::SourceMgr &sources,
                                          MLIRContext *context) {
  const llvm::MemoryBuffer *file =
      sources.getMemoryBuffer(sources.getMainFileID());
  std::string error;
  auto archive = moelle::Archive::open(
      std::string_view(file->getBufferStart(), file->getBufferSize()),
      file->getBufferIdentifier().str(), error);
  if (!archive) {
    emitError(UnknownLoc::get(context)) << error;
    return nullptr;
  }
  return OwningOpRef<Operation *>(
      moelle::importProgram(context, *archive).release());
}

static LogicalResult exportArtifact(Operation *op, llvm::raw_ostream &os) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module) {
    return op->emitError("must be a module to become an artifact");
  }
  auto artifact = moelle::writeArtifact(module, moelle::Target(), "");
  if (failed(artifact)) {
    return failure();
  }
  os << *artifact;
  return success();
}

int main(int argc, char **argv) {
  TranslateToMLIRRegistration import(
      "import-pt2", "the aten module of a torch.export archive", importPt2,
      [](DialectRegistry &registry) { moelle::registerAll(registry); });
  TranslateFromMLIRRegistration artifact(
      "export-artifact", "the artifact of a planned module, for this machine",
      exportArtifact,
      [](DialectRegistry &registry) { moelle::registerAll(registry); });
  return failed(mlirTranslateMain(argc, argv, "Moelle translation driver"));
}
