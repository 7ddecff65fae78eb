// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves, from the planned step alone, that no live value is overwritten.
#include "moelle/Passes.h"

#include <map>

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
      if (it == owners.end() || it->first > begin || it->second.first <= begin || it->second.second != owner) {
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

struct CheckPlan : moelle::impl::CheckPlanPassBase<CheckPlan> {
  void runOnOperation() override {
    auto step = getOperation().lookupSymbol<func::FuncOp>(exec::kStepName);
    auto arena = step ? step->getAttrOfType<IntegerAttr>(mem::kArenaBytesAttr) : IntegerAttr();
    if (!arena) {
      getOperation().emitError() << "must hold a planned '" << exec::kStepName << "' with '" << mem::kArenaBytesAttr << "'";
      return signalPassFailure();
    }
    Bytes bytes;
    llvm::DenseMap<int64_t, Value> outputs;
    auto range = [&](mem::SliceOp slice) {
      int64_t begin = slice.getOffset();
      return std::pair(begin, begin + mem::getByteSize(cast<ShapedType>(slice.getType())));
    };
    llvm::DenseSet<Value> stale; // reported once
    auto read = [&](Operation *user, Value value) {
      if (auto slice = value.getDefiningOp<mem::SliceOp>()) {
        auto [begin, end] = range(slice);
        if (end > arena.getInt()) {
          user->emitError() << "reads bytes [" << begin << ", " << end << ") of an arena of " << arena.getInt();
          signalPassFailure();
        } else if (!bytes.holds(begin, end, value)) {
          auto error = user->emitError() << "reads bytes [" << begin << ", " << end << ") after another value overwrote them, or before anything wrote them";
          error.attachNote(slice.getLoc()) << "the value is placed here";
          stale.insert(value);
          signalPassFailure();
        }
      } else if (auto output = value.getDefiningOp<mem::OutputOp>()) {
        if (outputs.lookup(output.getIndex()) != value) {
          user->emitError() << "reads output " << output.getIndex() << " which does not hold the value";
          signalPassFailure();
        }
      }
    };
    auto write = [&](Operation *op, Value value) {
      if (auto slice = value.getDefiningOp<mem::SliceOp>()) {
        auto [begin, end] = range(slice);
        if (end > arena.getInt()) {
          op->emitError() << "writes bytes [" << begin << ", " << end << ") of an arena of " << arena.getInt();
          signalPassFailure();
        }
        bytes.write(begin, end, value);
      } else if (auto output = value.getDefiningOp<mem::OutputOp>()) {
        if (!outputs.try_emplace(output.getIndex(), value).second) {
          op->emitError() << "writes output " << output.getIndex() << " a second time";
          signalPassFailure();
        }
      } else {
        op->emitError("writes a program input");
        signalPassFailure();
      }
    };
    for (Operation &op : step.front()) {
      if (auto launch = dyn_cast<exec::LaunchOp>(op)) {
        for (Value input : launch.getInputs()) {
          read(&op, input);
        }
        for (Value out : launch.getOuts()) {
          write(&op, out);
        }
        // A result over an operand, or over another result, is caught here:
        // both must be whole when the launch ends.
        for (Value value : launch.getOuts()) {
          read(&op, value);
        }
        for (Value value : launch.getInputs()) {
          if (!stale.contains(value)) {
            read(&op, value);
          }
        }
      } else if (auto copy = dyn_cast<mem::CopyOp>(op)) {
        read(&op, copy.getSource());
        write(&op, copy.getTarget());
      }
    }
    size_t expected = step->getAttrOfType<ArrayAttr>("mem.output_types") ? step->getAttrOfType<ArrayAttr>("mem.output_types").size() : outputs.size();
    if (outputs.size() != expected) {
      step.emitError() << "must write " << expected << " outputs, but writes " << outputs.size();
      signalPassFailure();
    }
  }
};

} // namespace
