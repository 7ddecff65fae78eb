// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the aten module of an exported program.
#include "lib/Import/ImportProgram.h"
#include "lib/Import/KnownFields.h"
#include "lib/Import/Nodes.h"
#include "lib/Import/ProgramJson.h"
#include "lib/Import/Signature.h"

#include "dialects/aten/Aten.h"
#include "dialects/exec/Exec.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace moelle;
using nlohmann::json;

OwningOpRef<ModuleOp> moelle::importProgram(MLIRContext *context,
                                            const Archive &archive) {
  context
      ->loadDialect<aten::AtenDialect, exec::ExecDialect, func::FuncDialect>();
  OpBuilder b(context);
  const json &root = field(archive.getProgram(), "graph_module");
  const json &graph = field(root, "graph"),
             &signature = field(root, "signature"),
             &nodes = field(graph, "nodes");
  if (!nodes.is_array() || !signature.is_object()) {
    emitError(b.getUnknownLoc())
        << "the program must hold a graph and a signature";
    return nullptr;
  }
  reportUnknownFields(context, archive.getProgram());
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToEnd(module->getBody());
  GraphValues values(context, graph);
  auto step = importInputs(b, archive, signature, values);
  if (failed(step)) {
    return nullptr;
  }
  NodeImporter importer(b, values);
  for (const json &node : nodes) {
    if (failed(importer.import(node))) {
      return nullptr;
    }
  }
  if (failed(importer.finish()) ||
      failed(importOutputs(b, *step, signature, values)) ||
      failed(verify(*module))) {
    return nullptr;
  }
  return module;
}
