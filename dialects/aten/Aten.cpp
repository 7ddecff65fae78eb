// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and verifiers of the aten dialect.
#include "dialects/aten/Aten.h"
#include "dialects/aten/AtenElements.h"
#include "dialects/aten/AtenInfer.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace moelle::aten;

#include "dialects/aten/AtenDialect.cpp.inc"
#include "dialects/aten/AtenInterfaces.cpp.inc"

void AtenDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/aten/AtenOps.cpp.inc"
      >();
}

Operation *AtenDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  return elements && elements.getShapedType() == type
             ? LiteralOp::create(builder, loc, type, elements).getOperation()
             : nullptr;
}

static LogicalResult verifyMode(Operation *op, std::optional<StringRef> mode) {
  if (mode && *mode != "floor" && *mode != "trunc") {
    return op->emitOpError()
           << "'rounding_mode' must be 'floor' or 'trunc', but got '" << *mode
           << "'";
  }
  return success();
}

LogicalResult DivTensorModeOp::verify() {
  return verifyMode(*this, getRoundingMode());
}
LogicalResult DivScalarModeOp::verify() {
  return verifyMode(*this, getRoundingMode());
}
LogicalResult ArangeOp::verify() { return success(); }

LogicalResult HistcOp::verify() {
  auto number = [](Attribute attr) {
    auto real = dyn_cast<FloatAttr>(attr);
    return real ? real.getValueAsDouble()
                : static_cast<double>(cast<IntegerAttr>(attr).getInt());
  };
  if (!(number(getMin()) < number(getMax()))) { // C1
    return emitOpError() << "'min' must be less than 'max', but got "
                         << getMin() << " and " << getMax();
  }
  return success();
}

LogicalResult IndexPutOp::verify() {
  if (llvm::is_contained(getIndicesPresent(), false)) { // C1
    return emitOpError("'indices_present' must be all true: the indexed "
                       "dimensions come first");
  }
  return success();
}

LogicalResult AssertTensorMetadataOp::verify() {
  Type element = cast<RankedTensorType>(getA().getType()).getElementType();
  if (getDtype() && *getDtype() != element) { // C1
    return emitOpError() << "'dtype' must be the operand's " << element
                         << ", but got " << *getDtype();
  }
  return success();
}

#define GET_OP_CLASSES
#include "dialects/aten/AtenOps.cpp.inc"
