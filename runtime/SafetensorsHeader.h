// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON header of a safetensors file, as text and as records.
#ifndef MOELLE_RUNTIME_SAFETENSORSHEADER_H
#define MOELLE_RUNTIME_SAFETENSORSHEADER_H

#include "runtime/Safetensors.h"

namespace moelle {

/// One tensor as the header states it; nothing but the syntax is checked.
struct SafetensorsRecord {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;
};

/// Strict: only what the format has, numbers as unsigned decimal integers.
Status parseSafetensorsHeader(std::string_view text,
                              std::vector<SafetensorsRecord> *records,
                              SafetensorsMetadata *metadata);

} // namespace moelle

#endif // MOELLE_RUNTIME_SAFETENSORSHEADER_H
