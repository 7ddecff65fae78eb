// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves, from the planned step alone, that no live value is overwritten.
#include "lib/Analysis/Overwrite.h"
#include "moelle/Passes.h"

#include "mlir/IR/SymbolTable.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace moelle;

namespace moelle {
#define GEN_PASS_DEF_CHECKPLANPASS
#include "lib/Memory/Passes.h.inc"
} // namespace moelle

namespace {

/// The value that owns each byte: begin -> (end, owner), ranges disjoint.
class Bytes {
public:
  void write(int64_t begin, int64_t end, Value owner) {
    cut(begin);
    cut(end);
    owners.erase(owners.lower_bound(begin), owners.lower_bound(end));
    if (begin < end) {
      owners[begin] = {end, owner};
    }
  }
  /// Whether every byte of [begin, end) was last written by `owner`.
  bool holds(int64_t begin, int64_t end, Value owner) {
    auto it = owners.upper_bound(begin);
    if (it != owners.begin()) {
      --it;
    }
    for (; begin < end; ++it) {
      if (it == owners.end() || it->first > begin ||
          it->second.first <= begin || it->second.second != owner) {
        return false;
      }
      begin = it->second.first;
    }
    return true;
  }

private:
  void cut(int64_t at) {
    auto it = owners.lower_bound(at);
    if (it != owners.begin() && std::prev(it)->second.first > at) {
      auto previous = std::prev(it);
      owners[at] = previous->second;
      previous->second.first = at;
    }
  }
  std::map<int64_t, std::pair<int64_t, Value>> owners;
};

/// Where a value lies: bytes [begin, end) of the arena or of an output.
struct Place {
  int64_t region, begin, end;

  static constexpr int64_t kArena = -1, kInput = -2;

  explicit Place(Value value) {
    int64_t bytes = mem::getByteSize(cast<ShapedType>(value.getType()));
    region = kInput;
    begin = 0;
    if (auto slice = value.getDefiningOp<mem::SliceOp>()) {
      region = slice.getOutput() ? *slice.getOutput() : kArena;
      begin = slice.getOffset();
    } else if (auto output = value.getDefiningOp<mem::OutputOp>()) {
      region = output.getIndex();
    }
    end = begin + bytes;
  }
  bool overlaps(const Place &other) const {
    return region != kInput && region == other.region && begin < other.end &&
           other.begin < end;
  }
  bool operator==(const Place &other) const {
    return region == other.region && begin == other.begin && end == other.end;
  }
};

class Checker {
public:
  Checker(ModuleOp module, func::FuncOp step) : symbols(module), step(step) {}

  LogicalResult run();

private:
  void read(Operation *user, Value value);
  void write(Operation *op, Value value);
  void launch(exec::LaunchOp op);
  bool isWrittenOver(exec::LaunchOp op, unsigned out, unsigned input);
  void checkOutputs();
  /// Whether the range exists; reports where it does not.
  bool isInside(Operation *op, const Place &place);
  InFlightDiagnostic error(Operation *op) {
    isRight = false;
    return op->emitError();
  }
  static std::string name(int64_t region) {
    return region == Place::kArena ? "the arena"
                                   : "output " + std::to_string(region);
  }

  SymbolTable symbols;
  func::FuncOp step;
  std::map<int64_t, int64_t> sizes; ///< bytes of each region
  std::map<int64_t, Bytes> bytes;
  std::map<int64_t, Value> finished; ///< the value that each output is
  llvm::DenseSet<Value> stale;       ///< reported once
  std::map<std::tuple<Operation *, unsigned, unsigned>, bool> allowed;
  bool isRight = true;
};

} // namespace

bool Checker::isInside(Operation *op, const Place &place) {
  auto it = sizes.find(place.region);
  if (it != sizes.end() && place.begin >= 0 && place.end <= it->second) {
    return true;
  }
  auto report = error(op);
  report << "uses bytes [" << place.begin << ", " << place.end << ") of "
         << name(place.region);
  if (it == sizes.end()) {
    report << ", which does not exist";
  } else {
    report << ", which has " << it->second;
  }
  return false;
}

void Checker::read(Operation *user, Value value) {
  Place place(value);
  if (place.region == Place::kInput || stale.contains(value) ||
      !isInside(user, place) ||
      bytes[place.region].holds(place.begin, place.end, value)) {
    return;
  }
  stale.insert(value);
  auto report = error(user);
  report << "reads bytes [" << place.begin << ", " << place.end << ") of "
         << name(place.region)
         << " after another value overwrote them, or before anything wrote "
            "them";
  report.attachNote(value.getLoc()) << "the value is placed here";
}

void Checker::write(Operation *op, Value value) {
  Place place(value);
  if (place.region == Place::kInput) {
    error(op) << "writes a program input";
    return;
  }
  if (!isInside(op, place)) {
    return;
  }
  bytes[place.region].write(place.begin, place.end, value);
  if (auto output = value.getDefiningOp<mem::OutputOp>()) {
    if (!finished.try_emplace(place.region, value).second) {
      error(op) << "writes " << name(place.region) << " a second time";
    }
  }
}

/// Whether result `out` takes the place of operand `input` and may.
bool Checker::isWrittenOver(exec::LaunchOp op, unsigned out, unsigned input) {
  auto kernel = symbols.lookup<exec::KernelOp>(op.getCallee());
  if (!kernel || kernel.getOverwritten(out) != static_cast<int64_t>(input) ||
      !(Place(op.getOuts()[out]) == Place(op.getInputs()[input]))) {
    return false;
  }
  auto [it, isNew] = allowed.try_emplace({kernel, out, input}, false);
  if (isNew) {
    it->second = mayOverwrite(kernel, out, input);
  }
  return it->second;
}

void Checker::launch(exec::LaunchOp op) {
  for (Value input : op.getInputs()) {
    read(op, input);
  }
  for (Value out : op.getOuts()) {
    write(op, out);
  }
  // All must be whole when the launch ends: that catches a result over another
  // or over an operand, except where it takes the operand's place by right.
  for (Value out : op.getOuts()) {
    read(op, out);
  }
  auto kernel = symbols.lookup<exec::KernelOp>(op.getCallee());
  for (auto [i, out] : llvm::enumerate(op.getOuts())) {
    int64_t place = kernel ? kernel.getOverwritten(i) : -1;
    if (place >= 0 && !(Place(out) == Place(op.getInputs()[place]))) {
      error(op) << "must place result " << i << " where operand " << place
                << " is, as its kernel writes it there";
    }
  }
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    auto takes = [&, input = input, i = i](unsigned out) {
      return Place(op.getOuts()[out]).overlaps(Place(input)) &&
             isWrittenOver(op, out, i);
    };
    if (llvm::none_of(llvm::seq<unsigned>(0, op.getOuts().size()), takes)) {
      read(op, input);
    }
  }
}

void Checker::checkOutputs() {
  for (auto [region, size] : sizes) {
    if (region == Place::kArena) {
      continue;
    }
    auto it = finished.find(region);
    if (it == finished.end()) {
      error(step) << "never writes " << name(region);
    } else {
      read(step.front().getTerminator(), it->second);
    }
  }
}

LogicalResult Checker::run() {
  sizes[Place::kArena] =
      step->getAttrOfType<IntegerAttr>(mem::kArenaBytesAttr).getInt();
  auto types = step->getAttrOfType<ArrayAttr>(mem::kOutputTypesAttr);
  for (auto [i, type] : llvm::enumerate(types.getAsRange<TypeAttr>())) {
    sizes[i] = mem::getByteSize(cast<ShapedType>(type.getValue()));
  }
  for (Operation &op : step.front()) {
    if (auto launched = dyn_cast<exec::LaunchOp>(op)) {
      launch(launched);
    } else if (auto copy = dyn_cast<mem::CopyOp>(op)) {
      read(&op, copy.getSource());
      write(&op, copy.getTarget());
      read(&op, copy.getSource());
    } else if (auto check = dyn_cast<exec::CheckRangeOp>(op)) {
      read(&op, check.getValue());
    }
  }
  checkOutputs();
  return success(isRight);
}

namespace {

struct CheckPlan : moelle::impl::CheckPlanPassBase<CheckPlan> {
  void runOnOperation() override {
    auto step = getOperation().lookupSymbol<func::FuncOp>(exec::kStepName);
    bool isPlanned = step && step.getBody().hasOneBlock() &&
                     step->getAttrOfType<IntegerAttr>(mem::kArenaBytesAttr);
    auto types = isPlanned
                     ? step->getAttrOfType<ArrayAttr>(mem::kOutputTypesAttr)
                     : ArrayAttr();
    bool areTypes = types && llvm::all_of(types, [](Attribute type) {
                      auto attr = dyn_cast<TypeAttr>(type);
                      return attr && isa<ShapedType>(attr.getValue());
                    });
    if (!areTypes) {
      getOperation().emitError()
          << "must hold a planned '" << exec::kStepName << "' with '"
          << mem::kArenaBytesAttr << "' and '" << mem::kOutputTypesAttr << "'";
      return signalPassFailure();
    }
    if (failed(Checker(getOperation(), step).run())) {
      signalPassFailure();
    }
  }
};

} // namespace
