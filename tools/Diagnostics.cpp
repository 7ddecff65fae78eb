// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics and progress for people.
#include "tools/Diagnostics.h"

#include "mlir/IR/Diagnostics.h"
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

// A kernel comes from many nodes; the first few tell where to look.
constexpr size_t kShownNodes = 3;

/// What the parts of a location say.
struct Places {
  SmallVector<std::string> nodes;
  std::string file, modules;

  void add(Location location);
};

void Places::add(Location location) {
  if (auto name = dyn_cast<NameLoc>(location)) {
    nodes.push_back(name.getName().str());
    add(name.getChildLoc());
  } else if (auto place = dyn_cast<FileLineColLoc>(location)) {
    if (file.empty()) {
      file = place.getFilename().str() + ":" + std::to_string(place.getLine());
    }
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    auto path = dyn_cast_or_null<StringAttr>(fused.getMetadata());
    if (path && modules.empty()) {
      modules = path.str();
    }
    for (Location part : fused.getLocations()) {
      add(part);
    }
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    add(call.getCallee());
  }
}

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

struct Progress : PassInstrumentation {
  void runBeforePass(Pass *pass, Operation *) override {
    showProgress(pass->getName().str());
  }
};

} // namespace

std::string moelle::describe(Location location) {
  Places places;
  places.add(location);
  std::string text = places.file;
  size_t count = places.nodes.size();
  for (size_t i = 0; i < std::min(count, kShownNodes); ++i) {
    text += (i ? ", " : text.empty() ? "" : ": ") + places.nodes[i];
  }
  if (count > kShownNodes) {
    text += " and " + std::to_string(count - kShownNodes) + " more";
  }
  return places.modules.empty() ? text : text + " (" + places.modules + ")";
}

void moelle::printDiagnostics(MLIRContext &context, bool wantsRemarks) {
  context.printOpOnDiagnostic(false); // a step's text is as long as the step
  context.getDiagEngine().registerHandler([=](Diagnostic &diagnostic) {
    if (wantsRemarks ||
        diagnostic.getSeverity() != DiagnosticSeverity::Remark) {
      showProgress("");
      print(diagnostic);
    }
    return success();
  });
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
