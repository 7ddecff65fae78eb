// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of the step are stored, and which are computed by one kernel.
#ifndef MOELLE_FUSE_FUSIONGROUPS_H
#define MOELLE_FUSE_FUSIONGROUPS_H

#include "dialects/interfaces/Interfaces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace moelle {

/// A value that some kernel computes from stored ones: all results of an op,
/// or one result of an element op.
struct FusionNode {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<mlir::Value, 2> values;
  int64_t position = 0;                   ///< of the op in the step
  llvm::SmallVector<unsigned, 4> sources; ///< nodes whose values it reads
  unsigned group = 0;
};

/// Nodes that one kernel computes, in one of these forms:
///  - elements: element nodes of equal element count, one loop over them;
///  - rows: reductions over rows of `width` elements, element nodes over all
///    `rows * width` elements or one a row; loops over a row that stays in
///    cache;
///  - product: one contraction, then element nodes that read each of its
///    elements once, applied while the result tile is in cache;
///  - single: any other op on its own; a reduction's result may be reshaped.
struct FusionGroup {
  enum class Form { elements, rows, product, single };
  Form form = Form::single;
  int64_t elements = 0;
  int64_t rows = 0, width = 0;       ///< of form rows
  llvm::SmallVector<unsigned> nodes; ///< ascending; none once merged away
};

/// Two nodes, one of which reads the other, that stay in kernels of their own.
struct DeclinedFusion {
  unsigned reader, source; ///< nodes
  llvm::StringRef reason;
};

/// The nodes and groups of a step whose ops all are of the four kinds that
/// kernels are made of.
class FusionGroups {
public:
  explicit FusionGroups(mlir::func::FuncOp step);

  llvm::ArrayRef<FusionNode> getNodes() const { return nodes; }
  llvm::ArrayRef<FusionGroup> getGroups() const { return groups; }
  llvm::ArrayRef<DeclinedFusion> getDeclined() const { return declined; }
  bool isStored(mlir::Value value) const { return nodeOf.contains(value); }
  /// Position of an op in the step.
  int64_t getPosition(mlir::Operation *op) const {
    return positions.lookup(op);
  }
  /// The node that computes a stored value.
  unsigned getNodeId(mlir::Value value) const { return nodeOf.lookup(value); }
  /// Whether another kernel, or the step's result, needs `value`.
  bool isNeeded(mlir::Value value) const;

private:
  bool shouldStore(mlir::OpResult value);
  void collectReaders(mlir::Value value,
                      llvm::SmallVectorImpl<mlir::OpOperand *> &readers);
  void addNode(mlir::Operation *op, mlir::ValueRange values);
  void form(unsigned node);
  /// Merges the node's group into `group`; else returns why not.
  llvm::StringRef join(unsigned node, unsigned group);
  bool verify(const FusionGroup &group) const;
  bool verifyRows(const FusionGroup &group, unsigned node) const;
  bool verifyProduct(const FusionGroup &group, unsigned node) const;
  bool isReshape(mlir::Value value, mlir::Value source) const;
  bool isAcyclic(llvm::ArrayRef<unsigned> members) const;

  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  llvm::DenseMap<mlir::Value, unsigned> nodeOf;
  llvm::SmallVector<FusionNode> nodes;
  llvm::SmallVector<FusionGroup> groups;
  llvm::SmallVector<DeclinedFusion> declined;
  llvm::DenseSet<mlir::Value> returned;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>>
      readersOf; ///< nodes
};

} // namespace moelle

#endif // MOELLE_FUSE_FUSIONGROUPS_H
