// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses stored values and merges their computations into kernels.
#include "lib/Fuse/FusionGroups.h"

#include "dialects/exec/Exec.h"
#include "lib/Analysis/AccessRecorder.h"
#include "lib/Analysis/ReductionShape.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace moelle;

// What a contraction may recompute for each tile that reads an element, in
// operations: a scale or two is hidden behind the packing of the tile.
static constexpr unsigned kPackingCost = 4;
// A reduction of many elements into few results keeps its own kernel: joined
// to the element-wise work around it, that would run on as few threads.
static constexpr int64_t kFewRows = 32, kManyElements = 1 << 14;

static int64_t numelOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// An op that only renames where elements of its one tensor are.
static bool isView(Operation *op) {
  auto element = dyn_cast<ElementOpInterface>(op);
  return element && element.movesOnly() && op->getNumOperands() == 1;
}

FusionGroups::FusionGroups(func::FuncOp step) {
  Block &block = step.front();
  int64_t position = 0;
  for (Operation &op : block) {
    positions[&op] = position++;
  }
  for (Value value : block.getTerminator()->getOperands()) {
    returned.insert(value);
  }
  for (auto check : block.getOps<exec::CheckRangeOp>()) {
    returned.insert(check.getValue());
  }
  for (Operation &op : block.without_terminator()) {
    if (op.use_empty()) {
      continue;
    }
    if (!isa<ElementOpInterface>(op)) {
      addNode(&op, op.getResults());
      continue;
    }
    for (OpResult value : op.getResults()) {
      if (!value.use_empty() && shouldStore(value)) {
        addNode(&op, ValueRange(value));
      }
    }
  }
  for (unsigned i = 0; i < nodes.size(); ++i) {
    form(i);
  }
}

/// The uses of `value`, seen through views.
void FusionGroups::collectReaders(Value value,
                                  SmallVectorImpl<OpOperand *> &readers) {
  for (OpOperand &use : value.getUses()) {
    if (isView(use.getOwner()) &&
        !llvm::any_of(use.getOwner()->getResults(),
                      [&](Value v) { return returned.contains(v); })) {
      for (Value result : use.getOwner()->getResults()) {
        collectReaders(result, readers);
      }
    } else {
      readers.push_back(&use);
    }
  }
}

bool FusionGroups::shouldStore(OpResult value) {
  if (returned.contains(value)) {
    return true;
  }
  Operation *op = value.getOwner();
  if (isView(op)) {
    return false;
  }
  auto leaf = [&](Value v) { return v != value && isStored(v); };
  AccessRecorder recorder(op->getLoc(), leaf);
  AffineExpr at = recorder.addDim(numelOf(value));
  (void)recorder.read(value,
                      delinearise(at, cast<RankedTensorType>(value.getType())));
  // What is made of constants and counters is made again by each reader.
  if (recorder.getAccesses().empty() && !recorder.isExpensive() &&
      recorder.getCost() <= kPackingCost) {
    return false;
  }
  SmallVector<OpOperand *> readers;
  collectReaders(value, readers);
  if (readers.size() > 1) {
    return true;
  }
  bool isCheap = !recorder.isExpensive() && !recorder.hasBranches() &&
                 recorder.getCost() <= kPackingCost;
  for (OpOperand *use : readers) {
    Operation *reader = use->getOwner();
    if (isa<KernelOpInterface>(reader)) {
      return true; // reads elements many times
    }
    if (isa<ContractionOpInterface>(reader)) {
      return !isCheap;
    }
    if (isa<ElementOpInterface>(reader)) {
      // A broadcast computes an element once here instead of once a copy.
      int64_t larger = 0;
      for (Value result : reader->getResults()) {
        larger = std::max(larger, numelOf(result));
      }
      if (larger > numelOf(value)) {
        return true;
      }
    } else if (auto reduction = dyn_cast<ReductionOpInterface>(reader)) {
      if (numelOf(reduction->getOperand(0)) > numelOf(value)) {
        return true;
      }
    }
  }
  return false;
}

void FusionGroups::addNode(Operation *op, ValueRange values) {
  unsigned id = nodes.size();
  FusionNode node;
  node.op = op;
  node.position = positions.lookup(op);
  node.group = groups.size();
  llvm::append_range(node.values, values);
  // Stored values that are read through ops which are not stored.
  llvm::SetVector<unsigned> sources;
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Operation *> work{op};
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    for (Value operand : next->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def) {
        continue;
      }
      if (isStored(operand)) {
        sources.insert(nodeOf.lookup(operand));
      } else if (seen.insert(def).second) {
        work.push_back(def);
      }
    }
  }
  node.sources.assign(sources.begin(), sources.end());
  for (unsigned source : sources) {
    for (Value value : nodes[source].values) {
      readersOf[value].push_back(id);
    }
  }
  for (Value value : values) {
    nodeOf[value] = id;
  }
  FusionGroup group;
  group.nodes.push_back(id);
  group.elements = numelOf(values.front());
  if (isa<ElementOpInterface>(op)) {
    group.form = FusionGroup::Form::elements;
  } else if (auto reduction = dyn_cast<ReductionOpInterface>(op)) {
    ReductionShape shape(reduction);
    bool isWide = shape.count >= kManyElements &&
                  shape.result.getNumElements() < kFewRows;
    if (shape.combinesRows() && shape.count > 0 && !isWide) {
      group.form = FusionGroup::Form::rows;
      group.rows = shape.result.getNumElements();
      group.width = shape.count;
      group.elements = group.rows * group.width;
    }
  } else if (auto product = dyn_cast<ContractionOpInterface>(op);
             product && product.getContractions().size() == 1) {
    group.form = FusionGroup::Form::product;
  }
  nodes.push_back(std::move(node));
  groups.push_back(std::move(group));
}

bool FusionGroups::isNeeded(Value value) const {
  if (returned.contains(value)) {
    return true;
  }
  const FusionNode &node = nodes[getNodeId(value)];
  auto it = readersOf.find(value);
  return node.values.size() > 1 || it == readersOf.end() ||
         llvm::any_of(it->second, [&](unsigned reader) {
           return nodes[reader].group != node.group;
         });
}

/// Merges a new node into the groups whose values it reads.
void FusionGroups::form(unsigned id) {
  FusionGroup::Form own = groups[nodes[id].group].form;
  if (own == FusionGroup::Form::single || own == FusionGroup::Form::product) {
    return; // only follows what its readers may join
  }
  for (unsigned source : llvm::reverse(nodes[id].sources)) {
    if (nodes[source].group == nodes[id].group) {
      continue;
    }
    StringRef reason = join(id, nodes[source].group);
    if (!reason.empty()) {
      declined.push_back({id, source, reason});
    }
  }
}

StringRef FusionGroups::join(unsigned id, unsigned other) {
  using Form = FusionGroup::Form;
  unsigned mine = nodes[id].group;
  const FusionGroup &a = groups[other], &b = groups[mine];
  if (b.form == Form::single || b.form == Form::product) {
    return "the reader's kernel takes no other source";
  }
  FusionGroup merged;
  if (a.form == Form::single) {
    // Only the same elements in another shape, in place of the result.
    const FusionNode &first = nodes[a.nodes.front()];
    Value result = first.values.front();
    bool isAlone = a.nodes.size() == 1 && b.nodes.size() == 1 &&
                   isa<ReductionOpInterface>(first.op) &&
                   !returned.contains(result) &&
                   readersOf.lookup(result).size() == 1;
    if (!isAlone || !isReshape(nodes[id].values.front(), result)) {
      return "the source is a kernel of its own";
    }
    merged = a;
  } else if (a.form == Form::product) {
    // Only a lone element node follows a product: it runs tile by tile.
    if (b.form != Form::elements || b.nodes.size() != 1 ||
        b.elements != a.elements) {
      return "the reader is not element-wise over the product";
    }
    merged = a;
  } else if (a.form == Form::elements && b.form == Form::elements) {
    if (a.elements != b.elements) {
      return "the numbers of elements differ";
    }
    merged = a;
  } else {
    const FusionGroup &rows = a.form == Form::rows ? a : b,
                      &rest = a.form == Form::rows ? b : a;
    bool fits =
        rest.form == Form::rows
            ? rest.rows == rows.rows && rest.width == rows.width
            : rest.elements == rows.elements || rest.elements == rows.rows;
    if (!fits) {
      return "the numbers of rows or of elements differ";
    }
    merged = rows;
  }
  merged.nodes.assign(a.nodes.begin(), a.nodes.end());
  llvm::append_range(merged.nodes, b.nodes);
  llvm::sort(merged.nodes);
  if (merged.form != Form::single && !verify(merged)) {
    return "an element is read where another iteration makes it";
  }
  if (!isAcyclic(merged.nodes)) {
    return "a value would leave the kernel and come back through another";
  }
  for (unsigned node : merged.nodes) {
    nodes[node].group = other;
  }
  groups[mine].nodes.clear();
  groups[other] = std::move(merged);
  return {};
}

/// Whether `value` has the elements of `source`, in the same order.
bool FusionGroups::isReshape(Value value, Value source) const {
  if (numelOf(value) != numelOf(source) ||
      cast<RankedTensorType>(value.getType()).getElementType() !=
          cast<RankedTensorType>(source.getType()).getElementType()) {
    return false;
  }
  for (Value v = value; v != source; v = v.getDefiningOp()->getOperand(0)) {
    if (!v.getDefiningOp() || !isView(v.getDefiningOp())) {
      return false;
    }
  }
  AccessRecorder recorder(value.getLoc(), [&](Value v) { return v == source; });
  AffineExpr at = recorder.addDim(numelOf(value));
  (void)recorder.read(value,
                      delinearise(at, cast<RankedTensorType>(value.getType())));
  return recorder.getAccesses().size() == 1 &&
         recorder.getAccesses().front().offset == recorder.simplify(at);
}

/// Whether each node reads values of the group only where its own iteration
/// computes them.
bool FusionGroups::verify(const FusionGroup &group) const {
  return llvm::all_of(group.nodes, [&](unsigned node) {
    return group.form == FusionGroup::Form::product ? verifyProduct(group, node)
                                                    : verifyRows(group, node);
  });
}

bool FusionGroups::verifyRows(const FusionGroup &group, unsigned id) const {
  const FusionNode &node = nodes[id];
  bool hasRows = group.form == FusionGroup::Form::rows;
  Value value = node.values.front();
  auto isOwn = [&](unsigned other) {
    return llvm::is_contained(group.nodes, other);
  };
  if (llvm::none_of(node.sources, isOwn)) {
    return true;
  }
  auto leaf = [&](Value v) { return v != value && isStored(v); };
  AccessRecorder recorder(node.op->getLoc(), leaf);
  int64_t rows = hasRows ? group.rows : 1,
          width = hasRows ? group.width : group.elements;
  AffineExpr row = recorder.addDim(rows), column = recorder.addDim(width);
  AffineExpr element = recorder.simplify(row * width + column);
  row = recorder.simplify(row);
  bool isRow = hasRows && numelOf(value) == group.rows &&
               isa<ElementOpInterface>(node.op) && width != 1;
  if (auto reduction = dyn_cast<ReductionOpInterface>(node.op)) {
    ReductionShape shape(reduction);
    (void)recorder.read(shape.op->getOperand(0), shape.index(row, column));
  } else {
    (void)recorder.read(value,
                        delinearise(isRow ? row : element,
                                    cast<RankedTensorType>(value.getType())));
  }
  for (const Access &access : recorder.getAccesses()) {
    auto it = nodeOf.find(access.tensor);
    if (it == nodeOf.end() || !isOwn(it->second)) {
      continue;
    }
    bool isRowValue =
        hasRows && numelOf(access.tensor) == group.rows &&
        (width != 1 || isa<ReductionOpInterface>(nodes[it->second].op));
    if (isRowValue ? access.offset != row
                   : (isRow || access.offset != element)) {
      return false;
    }
  }
  return true;
}

bool FusionGroups::verifyProduct(const FusionGroup &group, unsigned id) const {
  const FusionNode &node = nodes[id];
  if (isa<ContractionOpInterface>(node.op)) {
    return true;
  }
  Value value = node.values.front();
  auto leaf = [&](Value v) { return v != value && isStored(v); };
  AccessRecorder recorder(node.op->getLoc(), leaf);
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<AffineExpr> index;
  for (int64_t size : type.getShape()) {
    index.push_back(recorder.addDim(size));
  }
  AffineExpr own = recorder.simplify(linearise(index, type));
  (void)recorder.read(value, index);
  AffineExpr product;
  for (const Access &access : recorder.getAccesses()) {
    auto it = nodeOf.find(access.tensor);
    if (it == nodeOf.end() || !llvm::is_contained(group.nodes, it->second)) {
      continue;
    }
    // One place in the product; other values of the group at one's own place,
    // which must then be the product's as well.
    bool isProduct = isa<ContractionOpInterface>(nodes[it->second].op);
    if (!isProduct && access.offset != own) {
      return false;
    }
    if (product && product != access.offset) {
      return false;
    }
    product = access.offset;
  }
  auto strides = product ? getStrides(product, type.getRank()) : std::nullopt;
  if (!strides || !invertAccess(*strides, type.getShape(),
                                getAffineConstantExpr(0, type.getContext()))) {
    return false;
  }
  // What reads this value at its own place must find it at the product's.
  return product == own ||
         !llvm::any_of(readersOf.lookup(value), [&](unsigned reader) {
           return llvm::is_contained(group.nodes, reader);
         });
}

/// Whether no value leaves the members and comes back through another kernel.
bool FusionGroups::isAcyclic(ArrayRef<unsigned> members) const {
  llvm::SmallDenseSet<unsigned> inside(members.begin(), members.end()),
      seenGroups;
  SmallVector<unsigned> work;
  auto push = [&](unsigned reader, bool fromInside) {
    for (unsigned source : nodes[reader].sources) {
      if (inside.contains(source)) {
        if (!fromInside) {
          return false;
        }
        continue;
      }
      // Nothing that ends before the first member depends on one.
      const FusionGroup &group = groups[nodes[source].group];
      if (group.nodes.back() > members.front() &&
          seenGroups.insert(nodes[source].group).second) {
        llvm::append_range(work, group.nodes);
      }
    }
    return true;
  };
  for (unsigned member : members) {
    push(member, true);
  }
  while (!work.empty()) {
    unsigned next = work.pop_back_val();
    if (!inside.contains(next) && !push(next, false)) {
      return false;
    }
  }
  return true;
}
