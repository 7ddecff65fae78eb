// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Archives and MLIR text.
#include "tools/LoadModule.h"
#include "tools/Diagnostics.h"

#include "lib/Import/ImportProgram.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace moelle;

bool moelle::isModuleText(const std::string &path) {
  return StringRef(path).ends_with(".mlir");
}

OwningOpRef<ModuleOp> moelle::loadModule(MLIRContext &context,
                                         const std::string &path) {
  std::string error;
  if (!isModuleText(path)) {
    auto archive = Archive::open(path, error);
    if (!archive) {
      fail(error);
      return nullptr;
    }
    return importProgram(&context, *archive);
  }
  auto file = openInputFile(path, &error);
  if (!file) {
    fail(error);
    return nullptr;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}
