// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `moelle import`.
#include "tools/Compile.h"
#include "tools/Diagnostics.h"
#include "tools/LoadModule.h"

#include "dialects/exec/Exec.h"
#include "dialects/mem/Mem.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moelle/Register.h"

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

using namespace mlir;
using namespace moelle;
using nlohmann::json;

/// One input or output as an object.
static json describeTensor(Type type, DictionaryAttr attrs) {
  auto shaped = cast<ShapedType>(type);
  auto text = [&](StringRef key) {
    auto attr = attrs ? attrs.getAs<StringAttr>(key) : StringAttr();
    return attr ? attr.str() : std::string();
  };
  std::string dtype;
  llvm::raw_string_ostream(dtype) << shaped.getElementType();
  json tensor = {{"name", text(exec::kNameAttr)},
                 {"kind", text(exec::kKindAttr)},
                 {"dtype", dtype},
                 {"shape", shaped.getShape().vec()}};
  auto aliases = attrs ? attrs.getAs<ArrayAttr>(exec::kAliasesAttr) : nullptr;
  if (aliases) {
    for (auto alias : aliases.getAsRange<StringAttr>()) {
      tensor["aliases"].push_back(alias.str());
    }
  }
  return tensor;
}

/// The step as one object: inputs, outputs, operators with their counts.
static json describeStep(func::FuncOp step) {
  json found = {{"inputs", json::array()},
                {"outputs", json::array()},
                {"operators", json::object()}};
  for (unsigned i = 0; i < step.getNumArguments(); ++i) {
    found["inputs"].push_back(
        describeTensor(step.getArgumentTypes()[i], step.getArgAttrDict(i)));
  }
  for (unsigned i = 0; i < step.getNumResults(); ++i) {
    found["outputs"].push_back(
        describeTensor(step.getResultTypes()[i], step.getResultAttrDict(i)));
  }
  std::map<std::string, int> operators;
  for (Operation &op : step.front().without_terminator()) {
    ++operators[op.getName().getStringRef().str()];
  }
  found["operators"] = operators;
  return found;
}

/// Counts and elements by kind, then operators by count.
static void printStep(const json &found) {
  for (const char *side : {"inputs", "outputs"}) {
    std::map<std::string, std::pair<int, int64_t>> kinds;
    for (const json &tensor : found[side]) {
      auto &[count, elements] = kinds[tensor["kind"].get<std::string>()];
      int64_t product = 1;
      for (const json &size : tensor["shape"]) {
        product *= size.get<int64_t>();
      }
      ++count;
      elements += product;
    }
    std::cout << side << "\n";
    for (const auto &[kind, sums] : kinds) {
      std::cout << "  " << (kind.empty() ? "tensor" : kind) << ": "
                << sums.first << ", " << sums.second << " elements\n";
    }
  }
  std::vector<std::pair<std::string, int>> operators;
  int total = 0;
  for (const auto &[name, count] : found["operators"].items()) {
    operators.push_back({name, count.get<int>()});
    total += operators.back().second;
  }
  llvm::stable_sort(operators,
                    [](auto &a, auto &b) { return a.second > b.second; });
  std::cout << "operators: " << total << " of " << operators.size()
            << " kinds\n";
  for (const auto &[name, count] : operators) {
    std::cout << "  " << name << ": " << count << "\n";
  }
}

int moelle::importCommand(const std::string &path, const std::string &output,
                          bool asJson) {
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry);
  printDiagnostics(context, /*wantsRemarks=*/true);
  auto module = loadModule(context, path);
  if (!module) {
    return 1;
  }
  auto step = module->lookupSymbol<func::FuncOp>(exec::kStepName);
  if (!step || !step.getBody().hasOneBlock()) {
    return fail("'" + path + "' must hold a function 'step' of one block");
  }
  for (Type type : llvm::concat<const Type>(step.getArgumentTypes(),
                                            step.getResultTypes())) {
    if (!isa<ShapedType>(type)) {
      return fail("'" + path + "' must have tensors as inputs and outputs");
    }
  }
  if (!output.empty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, OpPrintingFlags().enableDebugInfo());
    if (!writeFile(output, text)) {
      return 1;
    }
  }
  json found = describeStep(step);
  if (asJson) {
    std::cout << found.dump(1) << "\n";
  } else {
    printStep(found);
  }
  return 0;
}
