// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access to the JSON of an exported program that no damage can break.
#ifndef MOELLE_IMPORT_PROGRAMJSON_H
#define MOELLE_IMPORT_PROGRAMJSON_H

#include <nlohmann/json.hpp>
#include <string>

namespace moelle {

/// A field of an object, or null: exported JSON never omits one, damaged does.
inline const nlohmann::json &field(const nlohmann::json &object,
                                   const char *name) {
  static const nlohmann::json null;
  if (!object.is_object()) {
    return null;
  }
  auto it = object.find(name);
  return it == object.end() ? null : *it;
}

/// A string's text, or none for anything else.
inline std::string text(const nlohmann::json &value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

} // namespace moelle

#endif // MOELLE_IMPORT_PROGRAMJSON_H
