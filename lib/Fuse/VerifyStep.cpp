// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every later pass relies on: types and signature of the step.
#include "moelle/Passes.h"

using namespace mlir;
using namespace moelle;

namespace moelle {
#define GEN_PASS_DEF_VERIFYSTEPPASS
#include "lib/Fuse/Passes.h.inc"
} // namespace moelle

// What a program's arguments and results can be for its caller.
static constexpr llvm::StringLiteral kArgumentKinds[] = {"parameter", "buffer",
                                                         "constant", "input"};
static constexpr llvm::StringLiteral kResultKinds[] = {
    "loss", "gradient", "input_gradient", "mutation", "output"};

/// Whether kernels compute with elements of `type`.
static bool isComputed(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    return integer.isUnsigned()
               ? width == 8
               : integer.isSignless() &&
                     llvm::is_contained({1, 8, 16, 32, 64}, int(width));
  }
  return type.isBF16() || type.isF16() || type.isF32() || type.isF64();
}

namespace {

struct VerifyStep : moelle::impl::VerifyStepPassBase<VerifyStep> {
  void runOnOperation() override {
    func::FuncOp step = exec::getStep(getOperation());
    if (!step) {
      return signalPassFailure();
    }
    isRight = true;
    for (auto [i, type] : llvm::enumerate(step.getArgumentTypes())) {
      verifyType(step, type, "argument " + Twine(i));
    }
    for (Operation &op : step.front()) {
      for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
        verifyType(&op, type,
                   "result " + Twine(i) + " of '" +
                       op.getName().getStringRef() + "'");
      }
    }
    SmallVector<DictionaryAttr> arguments, results;
    step.getAllArgAttrs(arguments);
    step.getAllResultAttrs(results);
    verifySignature(step, arguments, "argument", kArgumentKinds);
    verifySignature(step, results, "result", kResultKinds);
    if (!isRight) {
      signalPassFailure();
    }
  }

private:
  void verifyType(Operation *op, Type type, const Twine &what) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !isComputed(tensor.getElementType())) {
      op->emitError() << what
                      << " must be a tensor of static shape and of a dtype "
                         "that kernels compute, but got "
                      << type;
      isRight = false;
    }
  }

  void verifySignature(func::FuncOp step, ArrayRef<DictionaryAttr> attrs,
                       StringRef what, ArrayRef<llvm::StringLiteral> kinds) {
    llvm::StringMap<size_t> names;
    for (auto [i, dictionary] : llvm::enumerate(attrs)) {
      auto fail = [&](StringRef attr, const Twine &rule) {
        step.emitError() << "'" << attr << "' of " << what << " " << i
                         << " must be " << rule;
        isRight = false;
      };
      if (Attribute attr = dictionary.get(exec::kKindAttr)) {
        auto kind = dyn_cast<StringAttr>(attr);
        if (!kind || !llvm::is_contained(kinds, kind.getValue())) {
          std::string value;
          llvm::raw_string_ostream(value) << attr;
          fail(exec::kKindAttr,
               "one of " + llvm::join(kinds, ", ") + ", but got " + value);
        }
      }
      if (Attribute attr = dictionary.get(exec::kNameAttr)) {
        auto name = dyn_cast<StringAttr>(attr);
        if (!name || name.getValue().empty()) {
          fail(exec::kNameAttr, "a text");
        } else if (auto [it, isNew] = names.try_emplace(name, i); !isNew) {
          fail(exec::kNameAttr, "unique, but '" + name.getValue() + "' names " +
                                    what + " " + Twine(it->second) + " too");
        }
      }
    }
  }

  bool isRight = true;
};

} // namespace
