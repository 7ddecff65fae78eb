// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PyTorch operator schemas: argument names, kinds and defaults.
#ifndef MOELLE_IMPORT_SCHEMA_H
#define MOELLE_IMPORT_SCHEMA_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace moelle {

struct SchemaArgument {
  llvm::StringRef name, type, defaultText; ///< type without `?` and `[n]`
  bool optional = false, list = false, elementsOptional = false,
       hasDefault = false;
  bool isTensor() const { return type == "Tensor"; }
  /// Placement and memory format have no meaning for logical tensors.
  bool isDropped() const {
    return type == "Layout" || type == "Device" || type == "MemoryFormat" ||
           name == "pin_memory";
  }
};

/// Arguments of `name(Tensor self, int[1]? dim=None, *, bool x=False) -> ...`,
/// in order. The text must be a schema as PyTorch writes it.
llvm::SmallVector<SchemaArgument> parseSchema(llvm::StringRef schema);

} // namespace moelle

#endif // MOELLE_IMPORT_SCHEMA_H
