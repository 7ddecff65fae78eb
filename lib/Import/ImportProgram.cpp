// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the aten module of an exported program, generic over operators.
#include "lib/Import/ImportProgram.h"
#include "lib/Import/Schema.h"

#include "dialects/aten/Aten.h"
#include "dialects/exec/Exec.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace moelle;
using nlohmann::json;

namespace {

/// A field of an object, or null: exported JSON never omits one, damaged does.
const json &field(const json &object, const char *name) {
  static const json null;
  if (!object.is_object()) {
    return null;
  }
  auto it = object.find(name);
  return it == object.end() ? null : *it;
}

std::string text(const json &value) { return value.is_string() ? value.get<std::string>() : std::string(); }

class Importer {
public:
  Importer(MLIRContext *context, const Archive &archive) : b(context), archive(archive) {}
  OwningOpRef<ModuleOp> run();

private:
  LogicalResult fail(const Twine &message) { return emitError(UnknownLoc::get(b.getContext())) << message; }
  Type elementType(int64_t code);
  FailureOr<RankedTensorType> typeOf(const std::string &name);
  Location locationOf(const json &node);
  std::string nameOf(const json &node);
  void report(const json &node);
  bool readsUnknown(const json &node);
  LogicalResult inputs();
  LogicalResult node(const json &node);
  LogicalResult outputs();
  LogicalResult argument(const json &value, const SchemaArgument &schema, OperationState &state, const std::string &node);
  Attribute attribute(const json &value, const SchemaArgument &schema);
  Attribute defaultOf(const SchemaArgument &schema);
  LogicalResult results(const json &node, OperationState &state, SmallVector<std::string> &names);
  LogicalResult operand(const std::string &name, OperationState &state);

  OpBuilder b;
  const Archive &archive;
  const json *graph = nullptr, *signature = nullptr;
  func::FuncOp step;
  llvm::StringMap<Value> values;
  llvm::StringMap<SmallVector<SchemaArgument>> schemas;
  struct Unsupported {
    int count = 0;
    std::string where;
  };
  llvm::MapVector<std::string, Unsupported, std::map<std::string, unsigned>> unsupported;
};

Type Importer::elementType(int64_t code) {
  switch (code) {
  case 1: return b.getIntegerType(8, false);
  case 2: return b.getI8Type();
  case 3: return b.getI16Type();
  case 4: return b.getI32Type();
  case 5: return b.getI64Type();
  case 6: return b.getF16Type();
  case 7: return b.getF32Type();
  case 8: return b.getF64Type();
  case 10: return ComplexType::get(b.getF32Type());
  case 11: return ComplexType::get(b.getF64Type());
  case 12: return b.getI1Type();
  case 13: return b.getBF16Type();
  default: return nullptr;
  }
}

FailureOr<RankedTensorType> Importer::typeOf(const std::string &name) {
  const json &meta = field(field(*graph, "tensor_values"), name.c_str());
  const json &dtype = field(meta, "dtype"), &sizes = field(meta, "sizes");
  Type element = dtype.is_number_integer() ? elementType(dtype.get<int64_t>()) : Type();
  if (!element || !sizes.is_array()) {
    return fail("value '" + name + "' must have recorded sizes and a supported dtype, but got dtype code " + dtype.dump());
  }
  SmallVector<int64_t> shape;
  int64_t numel = 1;
  for (const json &size : sizes) {
    const json &value = field(size, "as_int");
    if (!value.is_number_integer() || value.get<int64_t>() < 0) {
      return fail("value '" + name + "' must have constant sizes, but got " + size.dump());
    }
    shape.push_back(value.get<int64_t>());
    if (__builtin_mul_overflow(numel, std::max<int64_t>(shape.back(), 1), &numel) || numel > int64_t(1) << 56) {
      return fail("value '" + name + "' must have fewer than 2^56 elements");
    }
  }
  return RankedTensorType::get(shape, element);
}

Location Importer::locationOf(const json &node) {
  Location place = UnknownLoc::get(b.getContext());
  std::string trace = text(field(field(node, "metadata"), "stack_trace"));
  // The innermost frame of a file; joint exports record generated code only.
  size_t at = trace.rfind("File \"");
  if (at != std::string::npos && trace.compare(at + 6, 16, "<eval_with_key>.") != 0 && trace.find("<eval_with_key>", at) == std::string::npos) {
    size_t quote = trace.find('"', at + 6), line = trace.find("line ", at);
    if (quote != std::string::npos && line != std::string::npos) {
      place = FileLineColLoc::get(b.getContext(), trace.substr(at + 6, quote - at - 6), std::atoi(trace.c_str() + line + 5), 0);
    }
  }
  std::string modules = text(field(field(node, "metadata"), "nn_module_stack"));
  if (!modules.empty()) {
    place = FusedLoc::get(b.getContext(), {place}, b.getStringAttr(modules));
  }
  return NameLoc::get(b.getStringAttr(text(field(node, "name"))), place);
}

LogicalResult Importer::inputs() {
  const json &specs = field(*signature, "input_specs");
  if (!specs.is_array()) {
    return fail("the signature must list 'input_specs'");
  }
  std::map<std::string, SmallVector<std::string>> shared; // storage -> names
  for (const auto &[name, view] : archive.getWeights()) {
    shared[view.member].push_back(name);
  }
  SmallVector<Type> types;
  SmallVector<std::pair<std::string, NamedAttrList>> arguments;
  for (const json &spec : specs) {
    if (!spec.is_object() || spec.size() != 1) {
      return fail("an input spec must be one of the known kinds, but got " + spec.dump());
    }
    std::string kind = spec.begin().key();
    const json &body = spec.begin().value();
    std::string value = text(field(field(body, "arg"), "name")), name = value, role = "input";
    if (kind == "user_input") {
      value = name = text(field(field(field(body, "arg"), "as_tensor"), "name"));
    } else if (kind == "constant_input") {
      continue; // a Python number or None, which the nodes repeat
    } else if (kind == "parameter" || kind == "buffer" || kind == "tensor_constant") {
      role = kind == "tensor_constant" ? "constant" : kind;
      name = text(field(body, (kind + "_name").c_str()));
    } else {
      return fail("input kind '" + kind + "' is not supported: inputs must be tensors");
    }
    if (value.empty()) {
      return fail("input '" + name + "' must be a tensor, but got " + spec.dump());
    }
    auto type = typeOf(value);
    if (failed(type)) {
      return failure();
    }
    types.push_back(*type);
    NamedAttrList attrs;
    attrs.set(exec::kNameAttr, b.getStringAttr(name));
    attrs.set(exec::kKindAttr, b.getStringAttr(role));
    auto weight = archive.getWeights().find(name);
    if (role != "input" && weight != archive.getWeights().end() &&
        (weight->second.sizes != std::vector<int64_t>(type->getShape()) || elementType(weight->second.dtype) != type->getElementType())) {
      return fail("weight '" + name + "' must have the graph's type " + llvm::formatv("{0}", *type).str() + ", but is stored with dtype code " +
                  std::to_string(weight->second.dtype) + " and " + std::to_string(weight->second.sizes.size()) + " dimensions [" + llvm::formatv("{0:$[, ]}", llvm::make_range(weight->second.sizes.begin(), weight->second.sizes.end())).str() + "]");
    }
    if (role == "parameter" && weight != archive.getWeights().end() && shared[weight->second.member].size() > 1) {
      SmallVector<StringRef> aliases;
      for (const std::string &other : shared[weight->second.member]) {
        const WeightView &view = archive.getWeights().at(other);
        if (other != name && view.sizes == weight->second.sizes && view.strides == weight->second.strides && view.storageOffset == weight->second.storageOffset) {
          aliases.push_back(other);
        }
      }
      if (!aliases.empty()) {
        attrs.set(exec::kAliasesAttr, b.getStrArrayAttr(aliases));
      }
    }
    arguments.push_back({value, attrs});
  }
  step = func::FuncOp::create(b, UnknownLoc::get(b.getContext()), exec::kStepName, b.getFunctionType(types, {}));
  Block *entry = step.addEntryBlock();
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    step.setArgAttrs(i, argument.second.getDictionary(b.getContext()));
    values[argument.first] = entry->getArgument(i);
    entry->getArgument(i).setLoc(NameLoc::get(b.getStringAttr(argument.first)));
  }
  b.setInsertionPointToEnd(entry);
  return success();
}

Attribute numberOf(OpBuilder &b, const json &value) {
  if (const json &whole = field(value, "as_int"); whole.is_number_integer()) {
    return b.getI64IntegerAttr(whole.get<int64_t>());
  }
  if (const json &flag = field(value, "as_bool"); flag.is_boolean()) {
    return b.getBoolAttr(flag.get<bool>());
  }
  const json &real = field(value, "as_float");
  if (real.is_number()) {
    return b.getF64FloatAttr(real.get<double>());
  }
  std::string word = text(real);
  if (word == "Infinity" || word == "-Infinity") {
    return b.getF64FloatAttr(word[0] == '-' ? -INFINITY : INFINITY);
  }
  return word == "NaN" ? b.getF64FloatAttr(NAN) : Attribute();
}

Attribute Importer::attribute(const json &value, const SchemaArgument &schema) {
  if (schema.list && schema.type == "int") {
    const json &ints = field(value, "as_ints");
    SmallVector<int64_t> list;
    for (const json &entry : ints) {
      if (!entry.is_number_integer()) {
        return nullptr;
      }
      list.push_back(entry.get<int64_t>());
    }
    return ints.is_array() ? b.getDenseI64ArrayAttr(list) : Attribute();
  }
  if (schema.type == "str") {
    const json &word = field(value, "as_string");
    return word.is_string() ? b.getStringAttr(word.get<std::string>()) : Attribute();
  }
  if (schema.type == "ScalarType") {
    const json &code = field(value, "as_scalar_type");
    Type type = code.is_number_integer() ? elementType(code.get<int64_t>()) : Type();
    return type ? TypeAttr::get(type) : Attribute();
  }
  Attribute number = numberOf(b, value);
  if (!number || schema.type == "Scalar") {
    return number;
  }
  if (schema.type == "float" && isa<IntegerAttr>(number)) {
    return b.getF64FloatAttr(cast<IntegerAttr>(number).getInt());
  }
  bool fits = schema.type == "bool" ? isa<BoolAttr>(number) : schema.type == "int" ? isa<IntegerAttr>(number) && !isa<BoolAttr>(number) : isa<FloatAttr>(number);
  return fits ? number : Attribute();
}

Attribute Importer::defaultOf(const SchemaArgument &schema) {
  StringRef text = schema.defaultText;
  if (schema.list) {
    // `int[2] stride=1` stands for a list of one number, which PyTorch widens.
    text.consume_front("[");
    text.consume_back("]");
    SmallVector<StringRef> parts;
    text.split(parts, ',', -1, /*KeepEmpty=*/false);
    SmallVector<int64_t> list;
    for (StringRef part : parts) {
      if (part.trim().getAsInteger(10, list.emplace_back())) {
        return nullptr;
      }
    }
    return b.getDenseI64ArrayAttr(list);
  }
  if (schema.type == "str" && text.size() >= 2 && text.front() != 'N') {
    return b.getStringAttr(text.drop_front().drop_back());
  }
  if (text == "True" || text == "False") {
    return b.getBoolAttr(text == "True");
  }
  int64_t whole;
  double real;
  if (!text.getAsInteger(10, whole)) {
    return schema.type == "float" ? Attribute(b.getF64FloatAttr(whole)) : b.getI64IntegerAttr(whole);
  }
  return text.getAsDouble(real) ? Attribute() : b.getF64FloatAttr(real);
}

LogicalResult Importer::operand(const std::string &name, OperationState &state) {
  Value value = values.lookup(name);
  if (!value) {
    return emitError(state.location) << "reads '" << name << "' before any node makes it";
  }
  state.addOperands(value);
  return success();
}

LogicalResult Importer::argument(const json &value, const SchemaArgument &schema, OperationState &state, const std::string &node) {
  bool isNone = value.is_null() || value.contains("as_none");
  if (schema.isDropped()) {
    return success();
  }
  if (!schema.isTensor()) {
    if (isNone && schema.optional) {
      return success();
    }
    Attribute attr = attribute(value, schema);
    if (!attr) {
      return emitError(state.location) << "argument '" << schema.name << "' of '" << node << "' must be a constant of type '" << schema.type << "', but got " << value.dump();
    }
    state.addAttribute(schema.name, attr);
    return success();
  }
  if (!schema.list) {
    const json &tensor = field(value, "as_tensor");
    if (isNone && schema.optional) {
      return success();
    }
    return operand(text(field(tensor, "name")), state);
  }
  const json &plain = field(value, "as_tensors"), &optional = field(value, "as_optional_tensors");
  SmallVector<bool> present;
  for (const json &entry : plain.is_array() ? plain : optional) {
    const json &tensor = plain.is_array() ? entry : field(entry, "as_tensor");
    present.push_back(tensor.is_object());
    if (tensor.is_object() && failed(operand(text(field(tensor, "name")), state))) {
      return failure();
    }
  }
  if (schema.elementsOptional) {
    state.addAttribute((schema.name + "_present").str(), b.getDenseBoolArrayAttr(present));
  }
  return success();
}

LogicalResult Importer::results(const json &node, OperationState &state, SmallVector<std::string> &names) {
  for (const json &output : field(node, "outputs")) {
    const json &single = field(output, "as_tensor"), &many = field(output, "as_tensors");
    if (single.is_object()) {
      names.push_back(text(field(single, "name")));
    } else if (many.is_array()) {
      for (const json &entry : many) {
        names.push_back(text(field(entry, "name")));
      }
    } else {
      return emitError(state.location) << "result must be a tensor, but got " << output.dump();
    }
  }
  for (const std::string &name : names) {
    auto type = typeOf(name);
    if (failed(type)) {
      return failure();
    }
    state.addTypes(*type);
  }
  return success();
}

/// Name of a node's op without the dialect's.
std::string Importer::nameOf(const json &node) {
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
    bool number = value.contains("as_int") || value.contains("as_float") || value.contains("as_bool");
    if (text(field(input, "name")) == "other" && number) {
      size_t at = name.find(".Tensor");
      if (at != std::string::npos) {
        name.replace(at, 7, ".Scalar");
      }
    }
  }
  return name;
}

void Importer::report(const json &node) {
  Unsupported &entry = unsupported[text(field(node, "target"))];
  if (entry.count++ == 0) {
    llvm::raw_string_ostream(entry.where) << locationOf(node);
  }
}

/// Whether an operand was not made because its op is unsupported.
bool Importer::readsUnknown(const json &node) {
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

LogicalResult Importer::node(const json &node) {
  std::string name = nameOf(node);
  Location loc = locationOf(node);
  auto op = RegisteredOperationName::lookup("aten." + name, b.getContext());
  if (!op) {
    report(node);
    return success();
  }
  if (!unsupported.empty() && readsUnknown(node)) {
    return success(); // only the list of unsupported operators matters now
  }
  auto &schema = schemas[name];
  if (schema.empty()) {
    schema = parseSchema(op->getInterface<aten::AtenOpInterface>()->getSchema());
  }
  OperationState state(loc, *op);
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
      if (op->getStringRef() == "aten._assert_tensor_metadata" && argument.name != "a" && argument.name != "dtype") {
        continue; // sizes and strides: types already state the former
      }
      if (failed(this->argument(value, argument, state, name))) {
        return failure();
      }
    } else if (argument.hasDefault && !argument.isTensor() && !argument.isDropped()) {
      if (Attribute attr = defaultOf(argument)) {
        state.addAttribute(argument.name, attr);
      }
    } else if (!argument.optional && !argument.hasDefault) {
      return emitError(loc) << "argument '" << argument.name << "' of '" << name << "' must be given";
    }
  }
  if (op->hasTrait<OpTrait::AttrSizedOperandSegments>()) {
    state.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr(segments));
  }
  for (auto &entry : byName) {
    // Placement, which an op may also leave out of its schema.
    static constexpr StringLiteral placement[] = {"non_blocking", "layout", "device", "memory_format", "pin_memory"};
    if (!llvm::is_contained(placement, entry.getKey())) {
      return emitError(loc) << "argument '" << entry.getKey() << "' of '" << name << "' is not part of its schema";
    }
  }
  SmallVector<std::string> names;
  if (failed(results(node, state, names))) {
    return failure();
  }
  Operation *created = b.create(state);
  for (auto [result, resultName] : llvm::zip(created->getResults(), names)) {
    values[resultName] = result;
  }
  return success();
}

LogicalResult Importer::outputs() {
  SmallVector<Value> returned;
  SmallVector<DictionaryAttr> attrs;
  for (const json &spec : field(*signature, "output_specs")) {
    if (!spec.is_object() || spec.size() != 1) {
      return fail("an output spec must be one of the known kinds, but got " + spec.dump());
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
      return fail("output '" + name + "' must be a tensor of the graph, but '" + value + "' is none");
    }
    returned.push_back(result);
    attrs.push_back(b.getDictionaryAttr({b.getNamedAttr(exec::kNameAttr, b.getStringAttr(name)), b.getNamedAttr(exec::kKindAttr, b.getStringAttr(role))}));
  }
  func::ReturnOp::create(b, UnknownLoc::get(b.getContext()), returned);
  step.setFunctionType(b.getFunctionType(step.getArgumentTypes(), ValueRange(returned).getTypes()));
  for (auto [i, attr] : llvm::enumerate(attrs)) {
    step.setResultAttrs(i, attr);
  }
  return success();
}

OwningOpRef<ModuleOp> Importer::run() {
  const json &root = field(archive.getProgram(), "graph_module");
  graph = &field(root, "graph");
  signature = &field(root, "signature");
  if (!graph->is_object() || !signature->is_object() || !field(*graph, "nodes").is_array()) {
    (void)fail("the program must hold a graph and a signature");
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToEnd(module->getBody());
  if (failed(inputs())) {
    return nullptr;
  }
  for (const json &each : field(*graph, "nodes")) {
    if (failed(node(each))) {
      return nullptr;
    }
  }
  if (!unsupported.empty()) {
    std::string list;
    for (auto &[target, entry] : unsupported) {
      list += "\n  " + target + ": " + std::to_string(entry.count) + (entry.count == 1 ? " use" : " uses") + (entry.where.empty() ? "" : ", first at " + entry.where);
    }
    (void)fail("the program must use supported operators only, but uses:" + list);
    return nullptr;
  }
  if (failed(outputs()) || failed(verify(*module))) {
    return nullptr;
  }
  return module;
}

} // namespace

OwningOpRef<ModuleOp> moelle::importProgram(MLIRContext *context, const Archive &archive) {
  context->loadDialect<aten::AtenDialect, exec::ExecDialect, func::FuncDialect>();
  return Importer(context, archive).run();
}
