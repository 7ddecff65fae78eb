// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of an exported graph to aten ops, generic over operators.
#ifndef MOELLE_IMPORT_NODES_H
#define MOELLE_IMPORT_NODES_H

#include "lib/Import/GraphValues.h"
#include "lib/Import/Schema.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace moelle {

/// Makes one op a node: an op's schema decides operands, attributes and
/// defaults.
class NodeImporter {
public:
  NodeImporter(mlir::OpBuilder &b, GraphValues &values)
      : b(b), values(values) {}

  /// Creates the op of `node`. An operator without an op is remembered for
  /// `finish`; any other fault is an error emitted at once.
  mlir::LogicalResult import(const nlohmann::json &node);
  /// Fails with one error that lists every operator without an op.
  mlir::LogicalResult finish();

private:
  struct Unsupported {
    int count = 0;
    mlir::LocationAttr first;
  };

  mlir::LogicalResult operand(const std::string &name,
                              mlir::OperationState &state);
  mlir::LogicalResult number(const nlohmann::json &value,
                             const SchemaArgument &schema,
                             mlir::OperationState &state);
  mlir::LogicalResult argument(const nlohmann::json &value,
                               const SchemaArgument &schema,
                               mlir::OperationState &state);
  mlir::LogicalResult arguments(const nlohmann::json &node,
                                mlir::OperationState &state);
  mlir::LogicalResult results(const nlohmann::json &node,
                              mlir::OperationState &state,
                              llvm::SmallVector<std::string> &names);
  bool readsUnknown(const nlohmann::json &node);

  mlir::OpBuilder &b;
  GraphValues &values;
  llvm::StringMap<llvm::SmallVector<SchemaArgument>> schemas; ///< by op
  llvm::MapVector<std::string, Unsupported, std::map<std::string, unsigned>>
      unsupported;
};

} // namespace moelle

#endif // MOELLE_IMPORT_NODES_H
