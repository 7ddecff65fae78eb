// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar arithmetic of element-wise operators, as PyTorch computes it.
#include "dialects/aten/AtenElements.h"

using namespace mlir;
using namespace moelle;
using namespace moelle::aten;

Type moelle::aten::getComputeType(Type element) {
  return element.isBF16() || element.isF16()
             ? Float32Type::get(element.getContext())
             : element;
}

static Value emitTyped(OpBuilder &b, Location l, Type type, double real,
                       int64_t whole) {
  if (isa<FloatType>(type)) {
    return arith::ConstantOp::create(b, l, b.getFloatAttr(type, real));
  }
  return arith::ConstantOp::create(b, l, b.getIntegerAttr(type, whole));
}

Value moelle::aten::emitConstant(OpBuilder &b, Location l, Attribute number,
                                 Type type) {
  if (auto real = dyn_cast<FloatAttr>(number)) {
    double value = real.getValueAsDouble();
    if (type.isInteger(1)) {
      return emitTyped(b, l, type, value, value != 0);
    }
    return emitTyped(b, l, type, value,
                     isa<FloatType>(type) ? 0 : static_cast<int64_t>(value));
  }
  auto integer = cast<IntegerAttr>(number);
  int64_t value = isa<BoolAttr>(number) ? integer.getValue().getZExtValue()
                                        : integer.getInt();
  return emitTyped(b, l, type, static_cast<double>(value),
                   type.isInteger(1) ? value != 0 : value);
}

Value moelle::aten::convertScalar(OpBuilder &b, Location l, Value value,
                                  Type type) {
  Type from = value.getType();
  if (from == type) {
    return value;
  }
  // Narrow floats meet every other type in f32, as in PyTorch; not every CPU
  // converts them from and to anything else.
  auto isNarrow = [](Type t) { return t.isBF16() || t.isF16(); };
  Type f32 = b.getF32Type();
  if (!from.isF32() && !type.isF32() && !type.isInteger(1) &&
      (isNarrow(from) || isNarrow(type))) {
    return convertScalar(b, l, convertScalar(b, l, value, f32), type);
  }
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(type);
  if (type.isInteger(1)) {
    Value zero = emitTyped(b, l, from, 0, 0);
    return fromFloat
               ? Value(arith::CmpFOp::create(b, l, arith::CmpFPredicate::UNE,
                                             value, zero))
               : Value(arith::CmpIOp::create(b, l, arith::CmpIPredicate::ne,
                                             value, zero));
  }
  bool isUnsigned = from.isInteger(1) || from.isUnsignedInteger();
  unsigned a = from.getIntOrFloatBitWidth(), c = type.getIntOrFloatBitWidth();
  if (fromFloat && toFloat) {
    return a < c ? Value(arith::ExtFOp::create(b, l, type, value))
                 : Value(arith::TruncFOp::create(b, l, type, value));
  }
  if (fromFloat) {
    return arith::FPToSIOp::create(b, l, type, value);
  }
  if (toFloat) {
    return isUnsigned ? Value(arith::UIToFPOp::create(b, l, type, value))
                      : Value(arith::SIToFPOp::create(b, l, type, value));
  }
  if (a == c) {
    return value;
  }
  if (a > c) {
    return arith::TruncIOp::create(b, l, type, value);
  }
  return isUnsigned ? Value(arith::ExtUIOp::create(b, l, type, value))
                    : Value(arith::ExtSIOp::create(b, l, type, value));
}

Pointwise::Pointwise(ElementEmitter &e, Operation *op,
                     ArrayRef<AffineExpr> index)
    : e(e), op(op), index(index) {
  Type result =
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  bool isPredicate = result.isInteger(1) && !isa<WhereOp, ToCopyOp>(op);
  if (isPredicate) { // comparisons compute in the promoted type of the operands
    SmallVector<RankedTensorType> types;
    for (Type type : op->getOperandTypes()) {
      types.push_back(cast<RankedTensorType>(type));
    }
    result = promoteTypes(types);
    for (NamedAttribute attr : op->getAttrs()) {
      if (isa<FloatAttr>(attr.getValue()) && !isa<FloatType>(result)) {
        result = e.builder.getF32Type();
      }
      if (isa<IntegerAttr>(attr.getValue()) &&
          !isa<BoolAttr>(attr.getValue()) && result.isInteger(1)) {
        result = e.builder.getI64Type();
      }
    }
  }
  compute = getComputeType(result);
}

Value Pointwise::read(unsigned operand) {
  Value tensor = op->getOperand(operand);
  return e.read(
      tensor, broadcastIndex(index, cast<RankedTensorType>(tensor.getType())));
}

Value Pointwise::arg(unsigned operand) {
  return convertScalar(e.builder, e.loc, read(operand), compute);
}

Value Pointwise::condition(unsigned operand) {
  return convertScalar(e.builder, e.loc, read(operand), e.builder.getI1Type());
}

Value Pointwise::number(Attribute number) {
  return emitConstant(e.builder, e.loc, number, compute);
}

Value Pointwise::constant(int64_t value) {
  return emitTyped(e.builder, e.loc, compute, static_cast<double>(value),
                   value);
}

Value Pointwise::round(Value value) {
  Type type =
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  return convertScalar(e.builder, e.loc, value, type);
}

#define MOELLE_ARITH(method, FloatOp, IntOp)                                   \
  Value Pointwise::method(Value x, Value y) {                                  \
    return isFloat(x) ? Value(FloatOp::create(e.builder, e.loc, x, y))         \
                      : Value(IntOp::create(e.builder, e.loc, x, y));          \
  }
MOELLE_ARITH(sub, arith::SubFOp, arith::SubIOp)
MOELLE_ARITH(min, arith::MinimumFOp, arith::MinSIOp)
MOELLE_ARITH(max, arith::MaximumFOp, arith::MaxSIOp)
#undef MOELLE_ARITH

Value Pointwise::add(Value x, Value y) {
  if (x.getType().isInteger(1)) { // bool + bool is or
    return bitOr(x, y);
  }
  return isFloat(x) ? Value(arith::AddFOp::create(e.builder, e.loc, x, y))
                    : Value(arith::AddIOp::create(e.builder, e.loc, x, y));
}

Value Pointwise::mul(Value x, Value y) {
  if (x.getType().isInteger(1)) {
    return bitAnd(x, y);
  }
  return isFloat(x) ? Value(arith::MulFOp::create(e.builder, e.loc, x, y))
                    : Value(arith::MulIOp::create(e.builder, e.loc, x, y));
}

Value Pointwise::div(Value x, Value y) {
  return isFloat(x) ? Value(arith::DivFOp::create(e.builder, e.loc, x, y))
                    : divMode(x, y, "trunc");
}

Value Pointwise::divMode(Value x, Value y, std::optional<StringRef> mode) {
  if (isFloat(x)) {
    Value quotient = arith::DivFOp::create(e.builder, e.loc, x, y);
    if (mode == "floor") {
      return math::FloorOp::create(e.builder, e.loc, quotient);
    }
    return mode == "trunc"
               ? Value(math::TruncOp::create(e.builder, e.loc, quotient))
               : quotient;
  }
  // A zero divisor would trap; the quotient is then x by definition here.
  Value one = constant(1);
  Value safe = select(isZero(y), one, y);
  return mode == "floor"
             ? Value(arith::FloorDivSIOp::create(e.builder, e.loc, x, safe))
             : Value(arith::DivSIOp::create(e.builder, e.loc, x, safe));
}

Value Pointwise::neg(Value x) {
  return isFloat(x) ? Value(arith::NegFOp::create(e.builder, e.loc, x))
                    : sub(constant(0), x);
}

Value Pointwise::abs(Value x) {
  return isFloat(x) ? Value(math::AbsFOp::create(e.builder, e.loc, x))
                    : Value(math::AbsIOp::create(e.builder, e.loc, x));
}

Value Pointwise::pow(Value x, Attribute exponent) {
  double p = isa<FloatAttr>(exponent)
                 ? cast<FloatAttr>(exponent).getValueAsDouble()
                 : static_cast<double>(cast<IntegerAttr>(exponent).getInt());
  if (p == 1) {
    return x;
  }
  if (p == 2) {
    return mul(x, x);
  }
  if (p == 3) {
    return mul(mul(x, x), x);
  }
  if (!isFloat(x)) {
    return math::IPowIOp::create(e.builder, e.loc, x, number(exponent));
  }
  if (p == 0.5) {
    return unary<math::SqrtOp>(x);
  }
  if (p == -0.5) {
    return div(constant(1), unary<math::SqrtOp>(x));
  }
  if (p == -1 || p == -2) {
    return div(constant(1), p == -1 ? x : mul(x, x));
  }
  return math::PowFOp::create(e.builder, e.loc, x, number(exponent));
}

Value Pointwise::clampTo(Value x, Attribute low, Attribute high) {
  x = low ? max(x, number(low)) : x;
  return high ? min(x, number(high)) : x;
}

Value Pointwise::scale(Value x, Attribute alpha) {
  auto whole = dyn_cast<IntegerAttr>(alpha);
  if (whole && !isa<BoolAttr>(alpha) && whole.getInt() == 1) {
    return x;
  }
  return mul(x, number(alpha));
}

Value Pointwise::compare(Predicate predicate, Value x, Value y) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT,
                                 F::OLE, F::OGT, F::OGE};
  static constexpr I ints[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I bools[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge};
  auto at = static_cast<unsigned>(predicate);
  if (isFloat(x)) {
    return arith::CmpFOp::create(e.builder, e.loc, floats[at], x, y);
  }
  return arith::CmpIOp::create(
      e.builder, e.loc, x.getType().isInteger(1) ? bools[at] : ints[at], x, y);
}

Value Pointwise::isZero(Value x) {
  return compare(Predicate::eq, x,
                 emitTyped(e.builder, e.loc, x.getType(), 0, 0));
}

Value Pointwise::bitAnd(Value x, Value y) {
  return arith::AndIOp::create(e.builder, e.loc, x, y);
}
Value Pointwise::bitOr(Value x, Value y) {
  return arith::OrIOp::create(e.builder, e.loc, x, y);
}

Value Pointwise::bitNot(Value x) {
  return arith::XOrIOp::create(e.builder, e.loc, x,
                               emitTyped(e.builder, e.loc, x.getType(), 0,
                                         x.getType().isInteger(1) ? 1 : -1));
}

Value Pointwise::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(e.builder, e.loc, condition, x, y);
}
