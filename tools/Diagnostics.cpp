// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics and progress for people.
#include "tools/Diagnostics.h"

#include "lib/Import/Locations.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <iostream>
#include <unistd.h>

using namespace mlir;
using namespace moelle;

int moelle::fail(const std::string &message) {
  std::cerr << "moelle: error: " << message << "\n";
  return 1;
}

namespace {

StringRef nameOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  return "note";
}

void print(Diagnostic &diagnostic) {
  std::string place = describe(diagnostic.getLocation());
  std::cerr << "moelle: " << nameOf(diagnostic.getSeverity()).str() << ": "
            << (place.empty() ? "" : place + ": ") << diagnostic.str() << "\n";
  for (Diagnostic &note : diagnostic.getNotes()) {
    print(note);
  }
}

/// "moelle: missed: [form-kernels] model.py:7: mul: 'aten.mul' not fused ..."
struct RemarkPrinter : remark::detail::MLIRRemarkStreamerBase {
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    showProgress("");
    std::string place = describe(remark.getLocation());
    std::cerr << "moelle: " << remark.getRemarkTypeString().lower() << ": ["
              << remark.getRemarkName().str() << "] "
              << (place.empty() ? "" : place + ": ");
    for (const remark::detail::Remark::Arg &each : remark.getArgs()) {
      std::cerr << each.val;
    }
    std::cerr << "\n";
  }
};

struct Progress : PassInstrumentation {
  void runBeforePass(Pass *pass, Operation *) override {
    showProgress(pass->getName().str());
  }
};

} // namespace

void moelle::printDiagnostics(MLIRContext &context, bool wantsRemarks) {
  context.printOpOnDiagnostic(false); // a step's text is as long as the step
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    showProgress("");
    print(diagnostic);
    return success();
  });
  if (wantsRemarks) {
    auto engine = std::make_unique<remark::detail::RemarkEngine>(
        /*printAsEmitRemarks=*/false,
        remark::RemarkCategories{".*", ".*", ".*", ".*", ".*"});
    std::string error;
    if (succeeded(engine->initialize(
            std::make_unique<RemarkPrinter>(),
            std::make_unique<remark::RemarkEmittingPolicyAll>(), &error))) {
      context.setRemarkEngine(std::move(engine));
    }
  }
}

void moelle::showProgress(PassManager &pm) {
  pm.addInstrumentation(std::make_unique<Progress>());
}

void moelle::showProgress(const std::string &what) {
  static const bool isTerminal = isatty(STDERR_FILENO);
  if (isTerminal) {
    std::cerr << "\r\x1b[K" << what << std::flush;
  }
}
