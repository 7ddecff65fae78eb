// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of an exported graph: recorded types, and what was made of them.
#ifndef MOELLE_IMPORT_GRAPHVALUES_H
#define MOELLE_IMPORT_GRAPHVALUES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringMap.h"
#include <nlohmann/json.hpp>

namespace moelle {

/// The type of a ScalarType code of the export schema, null where unknown.
mlir::Type getElementType(mlir::MLIRContext *context, int64_t code);

/// Values by the names of the graph.
class GraphValues {
public:
  GraphValues(mlir::MLIRContext *context, const nlohmann::json &graph);

  /// The type that the export recorded for `name`. Emits an error and fails
  /// where there is none, or sizes are not constants.
  mlir::FailureOr<mlir::RankedTensorType> typeOf(const std::string &name) const;

  /// Null for a value that nothing has made yet.
  mlir::Value lookup(llvm::StringRef name) const { return made.lookup(name); }
  void define(llvm::StringRef name, mlir::Value value) { made[name] = value; }

private:
  mlir::MLIRContext *context;
  const nlohmann::json &recorded;
  llvm::StringMap<mlir::Value> made;
};

} // namespace moelle

#endif // MOELLE_IMPORT_GRAPHVALUES_H
