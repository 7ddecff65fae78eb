// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads input and output specs.
#include "lib/Import/Signature.h"
#include "lib/Import/ProgramJson.h"

#include "dialects/exec/Exec.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moelle;
using nlohmann::json;

/// Names by the file of the storage that they view.
using NamesOfStorage = std::map<std::string, SmallVector<std::string>>;

/// The other names of a tied weight: equal views of one storage. Weights that
/// merely share a storage are not tied.
static SmallVector<StringRef> aliasesOf(const std::string &name,
                                        const Archive &archive,
                                        const NamesOfStorage &shared) {
  SmallVector<StringRef> aliases;
  auto found = archive.getWeights().find(name);
  if (found == archive.getWeights().end()) {
    return aliases;
  }
  const WeightView &mine = found->second;
  for (const std::string &other : shared.at(mine.member)) {
    const WeightView &view = archive.getWeights().at(other);
    if (other != name && view.sizes == mine.sizes &&
        view.strides == mine.strides &&
        view.storageOffset == mine.storageOffset) {
      aliases.push_back(other);
    }
  }
  return aliases;
}

FailureOr<func::FuncOp> moelle::importInputs(OpBuilder &b,
                                             const Archive &archive,
                                             const json &signature,
                                             GraphValues &values) {
  auto fail = [&](const Twine &message) {
    return emitError(b.getUnknownLoc()) << message;
  };
  const json &specs = field(signature, "input_specs");
  if (!specs.is_array()) {
    return fail("the signature must list 'input_specs'");
  }
  NamesOfStorage shared;
  for (const auto &[name, view] : archive.getWeights()) {
    shared[view.member].push_back(name);
  }
  SmallVector<Type> types;
  SmallVector<std::pair<std::string, NamedAttrList>> arguments;
  for (const json &spec : specs) {
    if (!spec.is_object() || spec.size() != 1) {
      return fail("an input spec must be one of the known kinds, but got " +
                  spec.dump());
    }
    std::string kind = spec.begin().key();
    const json &body = spec.begin().value();
    std::string value = text(field(field(body, "arg"), "name")), name = value,
                role = "input";
    if (kind == "user_input") {
      value = name =
          text(field(field(field(body, "arg"), "as_tensor"), "name"));
    } else if (kind == "constant_input") {
      continue; // a Python number or None, which the nodes repeat
    } else if (kind == "parameter" || kind == "buffer" ||
               kind == "tensor_constant") {
      role = kind == "tensor_constant" ? "constant" : kind;
      name = text(field(body, (kind + "_name").c_str()));
    } else {
      return fail("input kind '" + kind +
                  "' is not supported: inputs must be tensors");
    }
    if (value.empty()) {
      return fail("input '" + name + "' must be a tensor, but got " +
                  spec.dump());
    }
    auto type = values.typeOf(value);
    if (failed(type)) {
      return failure();
    }
    types.push_back(*type);
    NamedAttrList attrs;
    attrs.set(exec::kNameAttr, b.getStringAttr(name));
    attrs.set(exec::kKindAttr, b.getStringAttr(role));
    auto weight = archive.getWeights().find(name);
    if (role != "input" && weight != archive.getWeights().end() &&
        (weight->second.sizes != std::vector<int64_t>(type->getShape()) ||
         getElementType(b.getContext(), weight->second.dtype) !=
             type->getElementType())) {
      return fail("weight '" + name + "' must have the graph's type " +
                  llvm::formatv("{0}", *type).str() +
                  ", but is stored with dtype code " +
                  std::to_string(weight->second.dtype) + " and " +
                  std::to_string(weight->second.sizes.size()) +
                  " dimensions [" +
                  llvm::formatv("{0:$[, ]}",
                                llvm::make_range(weight->second.sizes.begin(),
                                                 weight->second.sizes.end()))
                      .str() +
                  "]");
    }
    if (role == "parameter") {
      auto aliases = aliasesOf(name, archive, shared);
      if (!aliases.empty()) {
        attrs.set(exec::kAliasesAttr, b.getStrArrayAttr(aliases));
      }
    }
    arguments.push_back({value, attrs});
  }
  auto step =
      func::FuncOp::create(b, UnknownLoc::get(b.getContext()), exec::kStepName,
                           b.getFunctionType(types, {}));
  Block *entry = step.addEntryBlock();
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    step.setArgAttrs(i, argument.second.getDictionary(b.getContext()));
    values.define(argument.first, entry->getArgument(i));
    entry->getArgument(i).setLoc(NameLoc::get(b.getStringAttr(argument.first)));
  }
  b.setInsertionPointToEnd(entry);
  return step;
}

LogicalResult moelle::importOutputs(OpBuilder &b, func::FuncOp step,
                                    const json &signature,
                                    const GraphValues &values) {
  auto fail = [&](const Twine &message) {
    return emitError(b.getUnknownLoc()) << message;
  };
  SmallVector<Value> returned;
  SmallVector<DictionaryAttr> attrs;
  for (const json &spec : field(signature, "output_specs")) {
    if (!spec.is_object() || spec.size() != 1) {
      return fail("an output spec must be one of the known kinds, but got " +
                  spec.dump());
    }
    std::string kind = spec.begin().key();
    const json &body = spec.begin().value();
    const json &arg = field(body, "arg");
    std::string value = text(field(arg, "name")), name, role;
    if (value.empty()) {
      value = text(field(field(arg, "as_tensor"), "name"));
    }
    if (kind == "loss_output") {
      name = role = "loss";
    } else if (kind == "gradient_to_parameter") {
      name = "grad." + text(field(body, "parameter_name"));
      role = "gradient";
    } else if (kind == "gradient_to_user_input") {
      name = "grad_input." + text(field(body, "user_input_name"));
      role = "input_gradient";
    } else if (kind == "buffer_mutation") {
      name = "mutation." + text(field(body, "buffer_name"));
      role = "mutation";
    } else if (kind == "user_output") {
      name = value;
      role = "output";
    } else {
      return fail("output kind '" + kind + "' is not supported");
    }
    Value result = values.lookup(value);
    if (!result) {
      return fail("output '" + name + "' must be a tensor of the graph, but '" +
                  value + "' is none");
    }
    returned.push_back(result);
    attrs.push_back(b.getDictionaryAttr(
        {b.getNamedAttr(exec::kNameAttr, b.getStringAttr(name)),
         b.getNamedAttr(exec::kKindAttr, b.getStringAttr(role))}));
  }
  func::ReturnOp::create(b, UnknownLoc::get(b.getContext()), returned);
  step.setFunctionType(b.getFunctionType(step.getArgumentTypes(),
                                         ValueRange(returned).getTypes()));
  for (auto [i, attr] : llvm::enumerate(attrs)) {
    step.setResultAttrs(i, attr);
  }
  return success();
}
