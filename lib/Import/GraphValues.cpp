// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads recorded types.
#include "lib/Import/GraphValues.h"
#include "lib/Import/ProgramJson.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace moelle;
using nlohmann::json;

Type moelle::getElementType(MLIRContext *context, int64_t code) {
  Builder b(context);
  switch (code) {
  case 1:
    return b.getIntegerType(8, false);
  case 2:
    return b.getI8Type();
  case 3:
    return b.getI16Type();
  case 4:
    return b.getI32Type();
  case 5:
    return b.getI64Type();
  case 6:
    return b.getF16Type();
  case 7:
    return b.getF32Type();
  case 8:
    return b.getF64Type();
  case 10:
    return ComplexType::get(b.getF32Type());
  case 11:
    return ComplexType::get(b.getF64Type());
  case 12:
    return b.getI1Type();
  case 13:
    return b.getBF16Type();
  default:
    return nullptr;
  }
}

GraphValues::GraphValues(MLIRContext *context, const json &graph)
    : context(context), recorded(field(graph, "tensor_values")) {}

FailureOr<RankedTensorType> GraphValues::typeOf(const std::string &name) const {
  auto fail = [&](const Twine &rule) {
    return emitError(UnknownLoc::get(context))
           << "value '" << name << "' must have " << rule;
  };
  const json &meta = field(recorded, name.c_str());
  const json &dtype = field(meta, "dtype"), &sizes = field(meta, "sizes");
  Type element = dtype.is_number_integer()
                     ? getElementType(context, dtype.get<int64_t>())
                     : Type();
  if (!element || !sizes.is_array()) {
    return fail("recorded sizes and a supported dtype, but got dtype code " +
                dtype.dump());
  }
  SmallVector<int64_t> shape;
  int64_t numel = 1;
  for (const json &size : sizes) {
    const json &value = field(size, "as_int");
    if (!value.is_number_integer() || value.get<int64_t>() < 0) {
      return fail("constant sizes, but got " + size.dump());
    }
    shape.push_back(value.get<int64_t>());
    if (__builtin_mul_overflow(numel, std::max<int64_t>(shape.back(), 1),
                               &numel) ||
        numel > int64_t(1) << 56) {
      return fail("fewer than 2^56 elements");
    }
  }
  return RankedTensorType::get(shape, element);
}
