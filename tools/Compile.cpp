// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `moelle compile`.
#include "tools/Compile.h"
#include "tools/Diagnostics.h"
#include "tools/LoadModule.h"

#include "lib/Lower/WriteArtifact.h"
#include "mlir/Pass/PassManager.h"
#include "moelle/Pipeline.h"
#include "moelle/Register.h"
#include "moelle/runtime.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace mlir;
using namespace moelle;

bool moelle::writeFile(const std::string &path, const std::string &content) {
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << content;
    return llvm::Error::success();
  });
  if (error) {
    std::string reason;
    llvm::handleAllErrors(
        std::move(error),
        [&](const llvm::FileError &each) {
          reason = each.messageWithoutFileInfo();
        },
        [&](const llvm::ErrorInfoBase &each) { reason = each.message(); });
    fail("cannot write '" + path + "': " + reason);
    return false;
  }
  return true;
}

std::optional<std::string> moelle::compileFile(const std::string &path,
                                               const CompileOptions &options) {
  Target target{options.cpu};
  if (auto machine = createTargetMachine(target); !machine) {
    fail(llvm::toString(machine.takeError()));
    return std::nullopt;
  }
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry);
  printDiagnostics(context, options.remarks);
  showProgress("import " + path);
  auto module = loadModule(context, path);
  if (!module) {
    showProgress("");
    return std::nullopt;
  }
  PassManager pm(&context);
  if (!options.dumpDir.empty()) {
    if (std::error_code code =
            llvm::sys::fs::create_directories(options.dumpDir)) {
      fail("cannot write '" + options.dumpDir + "': " + code.message());
      return std::nullopt;
    }
    context.disableMultithreading(); // dumps show whole modules
    pm.enableIRPrintingToFileTree(
        [](Pass *, Operation *) { return false; },
        [](Pass *, Operation *) { return true; }, /*printModuleScope=*/true,
        /*printAfterOnlyOnChange=*/false, /*printAfterOnlyOnFailure=*/false,
        options.dumpDir, OpPrintingFlags().elideLargeElementsAttrs());
  }
  showProgress(pm);
  buildCompilePipeline(pm);
  FailureOr<std::string> artifact = failure();
  if (succeeded(pm.run(*module))) {
    showProgress("generate code");
    std::string source = isModuleText(path)
                             ? std::string()
                             : std::filesystem::absolute(path).string();
    artifact = writeArtifact(*module, target, source);
  }
  showProgress("");
  return failed(artifact) ? std::nullopt : std::optional(std::move(*artifact));
}

/// What the plan and the code of an artifact are, on stdout.
static int printSummary(const std::string &artifact, bool asJson) {
  moelle_program *program = nullptr;
  if (moelle_program_load_memory(artifact.data(), artifact.size(), &program) !=
      MOELLE_OK) {
    // Code for another CPU is refused here; the file is right all the same.
    std::cout << "compiled; this machine cannot run it: "
              << moelle_last_message() << "\n";
    return 0;
  }
  moelle_program_info info{};
  info.size = sizeof(info);
  moelle_program_get_info(program, &info);
  uint64_t outputs = 0;
  for (uint32_t i = 0; i < info.outputs; ++i) {
    moelle_tensor_info output{};
    output.size = sizeof(output);
    moelle_program_get_output(program, i, &output);
    outputs += output.bytes;
  }
  if (asJson) {
    std::cout << nlohmann::json{{"inputs", info.inputs},
                                {"outputs", info.outputs},
                                {"commands", info.commands},
                                {"kernels", info.kernels},
                                {"arena_bytes", info.arena_bytes},
                                {"arena_lower_bound", info.plan_lower_bound},
                                {"without_reuse", info.plan_naive_bound},
                                {"output_bytes", outputs}}
                     .dump(1)
              << "\n";
  } else {
    std::cout << info.inputs << " inputs, " << info.outputs << " outputs of "
              << outputs << " bytes, " << info.commands << " commands, "
              << info.kernels << " kernels\narena of " << info.arena_bytes
              << " bytes, lower bound " << info.plan_lower_bound
              << ", without reuse " << info.plan_naive_bound << "\n";
  }
  moelle_program_destroy(&program);
  return 0;
}

int moelle::compileCommand(const std::string &path, const std::string &output,
                           const CompileOptions &options) {
  auto artifact = compileFile(path, options);
  if (!artifact || !writeFile(output, *artifact)) {
    return 1;
  }
  return printSummary(*artifact, options.json);
}
