// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a node came from: read from the export, told to people.
#ifndef MOELLE_IMPORT_LOCATIONS_H
#define MOELLE_IMPORT_LOCATIONS_H

#include "mlir/IR/Location.h"
#include <nlohmann/json.hpp>
#include <string>

namespace moelle {

/// The node's name over the Python file and line and the module path, as far
/// as the export recorded them. Joint exports name generated code, which is
/// not a place that a user can go to.
mlir::Location getLocation(mlir::MLIRContext *context,
                           const nlohmann::json &node);

/// A location for people: Python file and line, nodes, module path. Empty
/// where nothing is known.
std::string describe(mlir::Location location);

} // namespace moelle

#endif // MOELLE_IMPORT_LOCATIONS_H
