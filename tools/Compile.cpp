// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `moelle import` and `moelle compile`.
#include "tools/Compile.h"

#include "lib/Import/ImportProgram.h"
#include "lib/Lower/WriteArtifact.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "moelle/Passes.h"
#include "moelle/Register.h"

#include <filesystem>
#include <iostream>
#include <map>

using namespace mlir;
using namespace moelle;

namespace {

/// Diagnostics on stderr, one a line; remarks only where they are asked for.
void printDiagnostics(MLIRContext &context) {
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error || diagnostic.getSeverity() == DiagnosticSeverity::Warning) {
      std::string place;
      llvm::raw_string_ostream(place) << diagnostic.getLocation();
      std::string prefix = place == "loc(unknown)" ? "" : place + ": ";
      std::cerr << "moelle: " << (diagnostic.getSeverity() == DiagnosticSeverity::Error ? "error: " : "warning: ") << prefix << diagnostic.str() << "\n";
    }
    return success();
  });
}

OwningOpRef<ModuleOp> importArchive(MLIRContext &context, const std::string &path) {
  std::string error;
  auto archive = Archive::open(path, error);
  if (!archive) {
    std::cerr << "moelle: error: " << error << "\n";
    return nullptr;
  }
  return importProgram(&context, *archive);
}

/// Writes through a temporary file, so that a failure leaves nothing behind.
bool writeFile(const std::string &path, StringRef content) {
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << content;
    return llvm::Error::success();
  });
  if (error) {
    std::cerr << "moelle: error: can not write '" << path << "': " << llvm::toString(std::move(error)) << "\n";
    return false;
  }
  return true;
}

DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAll(registry);
  return registry;
}

} // namespace

std::optional<std::string> moelle::compileArchive(const std::string &path, const std::string &cpu) {
  MLIRContext context(makeRegistry());
  printDiagnostics(context);
  auto module = importArchive(context, path);
  if (!module) {
    return std::nullopt;
  }
  PassManager pm(&context);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createDecomposeAtenPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass()); // forward values that backward computes again
  pm.addPass(createFormKernelsPass());
  pm.addPass(createReuseOperandsPass());
  pm.addPass(createPlanArenaPass());
  pm.addPass(createCheckPlanPass());
  if (failed(pm.run(*module))) {
    return std::nullopt;
  }
  auto artifact = writeArtifact(*module, Target{cpu, ""}, std::filesystem::absolute(path).string());
  return failed(artifact) ? std::nullopt : std::optional(std::move(*artifact));
}

int moelle::compileCommand(const std::string &path, const std::string &output, const std::string &cpu) {
  auto artifact = compileArchive(path, cpu);
  return artifact && writeFile(output, *artifact) ? 0 : 1;
}

int moelle::importCommand(const std::string &path, const std::string &output) {
  MLIRContext context(makeRegistry());
  printDiagnostics(context);
  auto module = importArchive(context, path);
  if (!module) {
    return 1;
  }
  auto step = module->lookupSymbol<func::FuncOp>(exec::kStepName);
  std::map<std::string, int> operators, inputs, outputs;
  for (Operation &op : step.front().without_terminator()) {
    ++operators[op.getName().getStringRef().str()];
  }
  for (unsigned i = 0; i < step.getNumArguments(); ++i) {
    ++inputs[step.getArgAttrOfType<StringAttr>(i, exec::kKindAttr).str()];
  }
  for (unsigned i = 0; i < step.getNumResults(); ++i) {
    ++outputs[step.getResultAttrOfType<StringAttr>(i, exec::kKindAttr).str()];
  }
  if (!output.empty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, OpPrintingFlags().enableDebugInfo());
    if (!writeFile(output, text)) {
      return 1;
    }
  }
  for (auto &[what, table] : {std::pair("inputs", inputs), std::pair("outputs", outputs), std::pair("operators", operators)}) {
    std::cout << what << "\n";
    for (auto &[name, count] : table) {
      std::cout << "  " << name << ": " << count << "\n";
    }
  }
  return 0;
}
