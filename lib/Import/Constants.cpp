// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads constants.
#include "lib/Import/Constants.h"
#include "lib/Import/GraphValues.h"
#include "lib/Import/ProgramJson.h"

using namespace mlir;
using namespace moelle;
using nlohmann::json;

static Attribute numberOf(OpBuilder &b, const json &value) {
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

Attribute moelle::getConstant(OpBuilder &b, const json &value,
                              const SchemaArgument &schema) {
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
    return word.is_string() ? b.getStringAttr(word.get<std::string>())
                            : Attribute();
  }
  if (schema.type == "ScalarType") {
    const json &code = field(value, "as_scalar_type");
    Type type = code.is_number_integer()
                    ? getElementType(b.getContext(), code.get<int64_t>())
                    : Type();
    return type ? TypeAttr::get(type) : Attribute();
  }
  Attribute number = numberOf(b, value);
  if (!number || schema.type == "Scalar") {
    return number;
  }
  if (schema.type == "float" && isa<IntegerAttr>(number)) {
    return b.getF64FloatAttr(cast<IntegerAttr>(number).getInt());
  }
  bool fits = schema.type == "bool" ? isa<BoolAttr>(number)
              : schema.type == "int"
                  ? isa<IntegerAttr>(number) && !isa<BoolAttr>(number)
                  : isa<FloatAttr>(number);
  return fits ? number : Attribute();
}

Attribute moelle::getDefault(OpBuilder &b, const SchemaArgument &schema) {
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
    return schema.type == "float" ? Attribute(b.getF64FloatAttr(whole))
                                  : b.getI64IntegerAttr(whole);
  }
  return text.getAsDouble(real) ? Attribute() : b.getF64FloatAttr(real);
}
