// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads PyTorch operator schemas.
#include "lib/Import/Schema.h"

using namespace llvm;

SmallVector<moelle::SchemaArgument> moelle::parseSchema(StringRef schema) {
  SmallVector<SchemaArgument> arguments;
  StringRef text = schema.substr(schema.find('(') + 1);
  // Split at the commas outside brackets, up to the closing parenthesis.
  int depth = 0;
  size_t start = 0;
  auto take = [&](StringRef part) {
    part = part.trim();
    if (part.empty() || part == "*") {
      return;
    }
    SchemaArgument argument;
    auto [declared, defaultText] = part.split('=');
    argument.hasDefault = part.contains('=');
    argument.defaultText = defaultText.trim();
    auto [type, name] = declared.trim().rsplit(' ');
    argument.name = name.trim();
    type = type.trim();
    argument.optional = type.consume_back("?");
    if (size_t alias = type.find('('); alias != StringRef::npos) {
      // `Tensor(a!)[]`: aliasing says nothing about functional graphs.
      argument.list = type.ends_with("]");
      type = type.substr(0, alias);
    }
    if (type.ends_with("]")) {
      argument.list = true;
      type = type.substr(0, type.rfind('['));
      argument.elementsOptional = type.consume_back("?");
    }
    argument.type = type == "SymInt" ? StringRef("int") : type;
    arguments.push_back(argument);
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || (c == ')' && depth > 0)) {
      --depth;
    } else if ((c == ',' || c == ')') && depth == 0) {
      take(text.slice(start, i));
      start = i + 1;
      if (c == ')') {
        break;
      }
    }
  }
  return arguments;
}
