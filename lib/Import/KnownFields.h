// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fields of the export schema that this importer was written for.
#ifndef MOELLE_IMPORT_KNOWNFIELDS_H
#define MOELLE_IMPORT_KNOWNFIELDS_H

#include "mlir/IR/MLIRContext.h"
#include <nlohmann/json.hpp>

namespace moelle {

/// One remark with every field that a newer minor version of the schema added.
/// Such fields are optional, so the program means the same without them.
void reportUnknownFields(mlir::MLIRContext *context,
                         const nlohmann::json &program);

} // namespace moelle

#endif // MOELLE_IMPORT_KNOWNFIELDS_H
