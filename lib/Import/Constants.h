// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant arguments of nodes, and defaults of schemas, as attributes.
#ifndef MOELLE_IMPORT_CONSTANTS_H
#define MOELLE_IMPORT_CONSTANTS_H

#include "lib/Import/Schema.h"
#include "mlir/IR/Builders.h"
#include <nlohmann/json.hpp>

namespace moelle {

/// The attribute of a constant argument, null when it is not of the schema's
/// type. Non-finite numbers are the words `Infinity`, `-Infinity` and `NaN`.
mlir::Attribute getConstant(mlir::OpBuilder &b, const nlohmann::json &value,
                            const SchemaArgument &schema);

/// The attribute of a schema's default, null for `None`.
mlir::Attribute getDefault(mlir::OpBuilder &b, const SchemaArgument &schema);

} // namespace moelle

#endif // MOELLE_IMPORT_CONSTANTS_H
