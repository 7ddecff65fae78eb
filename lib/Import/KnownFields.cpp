// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks for fields of newer schemas.
#include "lib/Import/KnownFields.h"
#include "lib/Import/ProgramJson.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace moelle;
using nlohmann::json;

// Schema 8.20, which torch 2.15 writes.
static constexpr const char *kProgram[] = {
    "graph_module", "opset_version", "range_constraints", "schema_version",
    "verifiers",    "torch_version", "guards_code",       "example_inputs"};
static constexpr const char *kModule[] = {"graph", "signature",
                                          "module_call_graph", "metadata",
                                          "treespec_namedtuple_fields"};
static constexpr const char *kGraph[] = {
    "inputs",           "outputs",           "nodes",
    "tensor_values",    "sym_int_values",    "sym_bool_values",
    "sym_float_values", "custom_obj_values", "is_single_tensor_return"};
static constexpr const char *kNode[] = {
    "target", "inputs", "outputs", "metadata", "is_hop_single_tensor_return",
    "name"};
static constexpr const char *kSignature[] = {"input_specs", "output_specs"};

void moelle::reportUnknownFields(mlir::MLIRContext *context,
                                 const json &program) {
  std::set<std::string> unknown;
  auto compare = [&](const json &object, llvm::ArrayRef<const char *> known,
                     const char *where) {
    if (!object.is_object()) {
      return;
    }
    for (auto it = object.begin(); it != object.end(); ++it) {
      if (!llvm::is_contained(known, it.key())) {
        unknown.insert("'" + it.key() + "' of " + where);
      }
    }
  };
  const json &module = field(program, "graph_module"),
             &graph = field(module, "graph");
  compare(program, kProgram, "the program");
  compare(module, kModule, "the graph module");
  compare(graph, kGraph, "the graph");
  compare(field(module, "signature"), kSignature, "the signature");
  for (const json &node : field(graph, "nodes")) {
    compare(node, kNode, "a node");
  }
  if (!unknown.empty()) {
    mlir::remark::analysis(
        mlir::UnknownLoc::get(context),
        mlir::remark::RemarkOpts::name("known-fields").category("import"))
        << mlir::remark::add("ignored fields of a newer schema: {0}",
                             llvm::join(unknown, ", "));
  }
}
