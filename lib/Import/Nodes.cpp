// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates ops as their schemas say.
#include "lib/Import/Nodes.h"
#include "lib/Import/Constants.h"
#include "lib/Import/Locations.h"
#include "lib/Import/ProgramJson.h"

#include "dialects/aten/Aten.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace moelle;
using nlohmann::json;

/// Name of a node's op without the dialect's.
static std::string nameOf(const json &node) {
  std::string name = text(field(node, "target"));
  for (StringRef prefix : {"torch.ops.aten.", "torch.ops."}) {
    if (StringRef(name).starts_with(prefix)) {
      name = name.substr(prefix.size());
      break;
    }
  }
  if (StringRef(name).ends_with(".default")) {
    name.resize(name.size() - 8);
  }
  // A Python number in place of a tensor means the Scalar overload.
  for (const json &input : field(node, "inputs")) {
    const json &value = field(input, "arg");
    bool number = value.contains("as_int") || value.contains("as_float") ||
                  value.contains("as_bool");
    if (text(field(input, "name")) == "other" && number) {
      size_t at = name.find(".Tensor");
      if (at != std::string::npos) {
        name.replace(at, 7, ".Scalar");
      }
    }
  }
  return name;
}

LogicalResult NodeImporter::operand(const std::string &name,
                                    OperationState &state) {
  Value value = values.lookup(name);
  if (!value) {
    return emitError(state.location)
           << "reads '" << name << "' before any node makes it";
  }
  state.addOperands(value);
  return success();
}

/// A Python number in place of a tensor: one of no dimensions, whose dtype
/// gives way to that of tensors of its category, as Python numbers do.
LogicalResult NodeImporter::number(const json &value,
                                   const SchemaArgument &schema,
                                   OperationState &state) {
  SchemaArgument scalar;
  scalar.type = "Scalar";
  Attribute attr = getConstant(b, value, scalar);
  if (!attr) {
    return emitError(state.location)
           << "argument '" << schema.name << "' of '"
           << state.name.stripDialect()
           << "' must be a tensor or a number, but got " << value.dump();
  }
  Type type = isa<BoolAttr>(attr)      ? Type(b.getI1Type())
              : isa<IntegerAttr>(attr) ? Type(b.getI64Type())
                                       : Type(b.getF32Type());
  Value tensor = aten::ScalarTensorOp::create(b, state.location,
                                              RankedTensorType::get({}, type),
                                              attr, TypeAttr::get(type));
  state.addOperands(tensor);
  return success();
}

LogicalResult NodeImporter::argument(const json &value,
                                     const SchemaArgument &schema,
                                     OperationState &state) {
  bool isNone = value.is_null() || value.contains("as_none");
  if (schema.isDropped()) {
    return success();
  }
  if (!schema.isTensor()) {
    if (isNone && schema.optional) {
      return success();
    }
    Attribute attr = getConstant(b, value, schema);
    if (!attr) {
      return emitError(state.location)
             << "argument '" << schema.name << "' of '"
             << state.name.stripDialect() << "' must be a constant of type '"
             << schema.type << "', but got " << value.dump();
    }
    state.addAttribute(schema.name, attr);
    return success();
  }
  if (!schema.list) {
    const json &tensor = field(value, "as_tensor");
    if (isNone && schema.optional) {
      return success();
    }
    if (!tensor.is_object()) {
      return number(value, schema, state);
    }
    return operand(text(field(tensor, "name")), state);
  }
  const json &plain = field(value, "as_tensors"),
             &optional = field(value, "as_optional_tensors");
  SmallVector<bool> present;
  for (const json &entry : plain.is_array() ? plain : optional) {
    const json &tensor = plain.is_array() ? entry : field(entry, "as_tensor");
    present.push_back(tensor.is_object());
    if (tensor.is_object() &&
        failed(operand(text(field(tensor, "name")), state))) {
      return failure();
    }
  }
  if (schema.elementsOptional) {
    state.addAttribute((schema.name + "_present").str(),
                       b.getDenseBoolArrayAttr(present));
  }
  return success();
}

LogicalResult NodeImporter::results(const json &node, OperationState &state,
                                    SmallVector<std::string> &names) {
  for (const json &output : field(node, "outputs")) {
    const json &single = field(output, "as_tensor"),
               &many = field(output, "as_tensors");
    if (single.is_object()) {
      names.push_back(text(field(single, "name")));
    } else if (many.is_array()) {
      for (const json &entry : many) {
        names.push_back(text(field(entry, "name")));
      }
    } else {
      return emitError(state.location)
             << "result must be a tensor, but got " << output.dump();
    }
  }
  for (const std::string &name : names) {
    auto type = values.typeOf(name);
    if (failed(type)) {
      return failure();
    }
    state.addTypes(*type);
  }
  return success();
}

/// Whether an operand was not made because its op is unsupported.
bool NodeImporter::readsUnknown(const json &node) {
  auto unknown = [&](const json &tensor) {
    std::string name = text(field(tensor, "name"));
    return !name.empty() && !values.lookup(name);
  };
  for (const json &input : field(node, "inputs")) {
    const json &value = field(input, "arg");
    bool found = unknown(field(value, "as_tensor"));
    for (const json &entry : field(value, "as_tensors")) {
      found |= unknown(entry);
    }
    for (const json &entry : field(value, "as_optional_tensors")) {
      found |= unknown(field(entry, "as_tensor"));
    }
    if (found) {
      return true;
    }
  }
  return false;
}

LogicalResult NodeImporter::arguments(const json &node, OperationState &state) {
  StringRef name = state.name.stripDialect();
  auto &schema = schemas[name];
  if (schema.empty()) {
    schema = parseSchema(
        state.name.getInterface<aten::AtenOpInterface>()->getSchema());
  }
  llvm::StringMap<const json *> byName;
  for (const json &input : field(node, "inputs")) {
    byName[text(field(input, "name"))] = &field(input, "arg");
  }
  SmallVector<int32_t> segments; // operands of each tensor argument
  for (const SchemaArgument &argument : schema) {
    size_t before = state.operands.size();
    llvm::scope_exit record([&] {
      if (argument.isTensor()) {
        segments.push_back(state.operands.size() - before);
      }
    });
    auto found = byName.find(argument.name);
    if (found != byName.end()) {
      const json &value = *found->second;
      byName.erase(found);
      if (name == "_assert_tensor_metadata" && argument.name != "a" &&
          argument.name != "dtype") {
        continue; // sizes and strides: types already state the former
      }
      if (failed(this->argument(value, argument, state))) {
        return failure();
      }
    } else if (argument.hasDefault && !argument.isTensor() &&
               !argument.isDropped()) {
      if (Attribute attr = getDefault(b, argument)) {
        state.addAttribute(argument.name, attr);
      }
    } else if (!argument.optional && !argument.hasDefault) {
      return emitError(state.location) << "argument '" << argument.name
                                       << "' of '" << name << "' must be given";
    }
  }
  if (state.name.hasTrait<OpTrait::AttrSizedOperandSegments>()) {
    state.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr(segments));
  }
  for (auto &entry : byName) {
    // Placement, which an op may also leave out of its schema.
    static constexpr StringLiteral placement[] = {
        "non_blocking", "layout", "device", "memory_format", "pin_memory"};
    if (!llvm::is_contained(placement, entry.getKey())) {
      return emitError(state.location)
             << "argument '" << entry.getKey() << "' of '" << name
             << "' is not part of its schema";
    }
  }
  return success();
}

LogicalResult NodeImporter::import(const json &node) {
  Location loc = getLocation(b.getContext(), node);
  auto op =
      RegisteredOperationName::lookup("aten." + nameOf(node), b.getContext());
  if (!op) {
    Unsupported &entry = unsupported[text(field(node, "target"))];
    if (entry.count++ == 0) {
      entry.first = loc;
    }
    return success();
  }
  if (!unsupported.empty() && readsUnknown(node)) {
    return success(); // only the list of unsupported operators matters now
  }
  OperationState state(loc, *op);
  SmallVector<std::string> names;
  if (failed(arguments(node, state)) || failed(results(node, state, names))) {
    return failure();
  }
  Operation *created = b.create(state);
  for (auto [result, name] : llvm::zip(created->getResults(), names)) {
    values.define(name, result);
  }
  return success();
}

LogicalResult NodeImporter::finish() {
  if (unsupported.empty()) {
    return success();
  }
  InFlightDiagnostic error =
      emitError(b.getUnknownLoc())
      << "the program must use supported operators only, but uses:";
  for (auto &[target, entry] : unsupported) {
    error << "\n  " << target << ": " << entry.count
          << (entry.count == 1 ? " use" : " uses") << ", first at "
          << describe(entry.first);
  }
  return error;
}
