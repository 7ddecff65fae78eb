// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads locations out of stack traces, and writes them for people.
#include "lib/Import/Locations.h"
#include "lib/Import/ProgramJson.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace moelle;
using nlohmann::json;

Location moelle::getLocation(MLIRContext *context, const json &node) {
  Location place = UnknownLoc::get(context);
  std::string trace = text(field(field(node, "metadata"), "stack_trace"));
  // Below generated code come PyTorch's own frames, which say nothing.
  trace.resize(std::min(trace.size(), trace.find("File \"<eval_with_key>")));
  size_t at = trace.rfind("File \""); // of the innermost frame
  size_t quote = at == std::string::npos ? at : trace.find('"', at + 6);
  size_t line = at == std::string::npos ? at : trace.find("line ", at);
  if (quote != std::string::npos && line != std::string::npos) {
    place = FileLineColLoc::get(context, trace.substr(at + 6, quote - at - 6),
                                std::atoi(trace.c_str() + line + 5), 0);
  }
  std::string modules = text(field(field(node, "metadata"), "nn_module_stack"));
  if (!modules.empty()) {
    place = FusedLoc::get(context, {place}, StringAttr::get(context, modules));
  }
  return NameLoc::get(StringAttr::get(context, text(field(node, "name"))),
                      place);
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
