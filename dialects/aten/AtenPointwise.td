// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise operators: promotion, broadcasting and one scalar expression.
#ifndef MOELLE_ATEN_POINTWISE_TD
#define MOELLE_ATEN_POINTWISE_TD

include "dialects/aten/AtenBase.td"

// `element` computes a value named by its return statement from `p`, the
// Pointwise helper of Aten.h: p.arg(i) is operand i, broadcast and converted to
// the type the operator computes in; p.number(attr) a Python number in it.
class Aten_Pointwise<string mnemonic, string signature, code infer, code element,
                     list<Trait> traits = []>
    : Aten_ElementOp<mnemonic, signature, infer,
        "Pointwise p(e, getOperation(), index);\n" # element, traits>;

// Cheap or expensive unary operator; `value` is an expression over `p` and `x`.
class Aten_Unary<string mnemonic, string value, string rule = "pointwise">
    : Aten_Pointwise<mnemonic, "(Tensor self) -> Tensor",
        "return in." # rule # "({adaptor.getSelf()});",
        "::mlir::Value x = p.arg(0); return p.round(" # value # ");"> {
  let summary = "element-wise '" # mnemonic # "'";
  let description = "PyTorch's `aten::" # mnemonic # "`. One pass over the data; bf16 and f16 compute in f32 and round once.";
  let arguments = (ins Aten_Tensor:$self);
  let results = (outs Aten_Tensor:$result);
}

class Aten_ExpensiveUnary<string mnemonic, string value, string rule = "floating">
    : Aten_Unary<mnemonic, value, rule> {
  let extraClassDeclaration = "bool isExpensive() { return true; }";
}

def Aten_NegOp : Aten_Unary<"neg", "p.neg(x)">;
def Aten_AbsOp : Aten_Unary<"abs", "p.abs(x)">;
def Aten_ReluOp : Aten_Unary<"relu", "p.max(x, p.constant(0))">;
def Aten_FloorOp : Aten_Unary<"floor", "p.unary<::mlir::math::FloorOp>(x)">;
def Aten_ReciprocalOp : Aten_Unary<"reciprocal", "p.div(p.constant(1), x)", "floating">;
def Aten_SqrtOp : Aten_Unary<"sqrt", "p.unary<::mlir::math::SqrtOp>(x)", "floating">;
def Aten_RsqrtOp : Aten_Unary<"rsqrt", "p.div(p.constant(1), p.unary<::mlir::math::SqrtOp>(x))", "floating">;
def Aten_ExpOp : Aten_ExpensiveUnary<"exp", "p.unary<::mlir::math::ExpOp>(x)">;
def Aten_LogOp : Aten_ExpensiveUnary<"log", "p.unary<::mlir::math::LogOp>(x)">;
def Aten_Log1pOp : Aten_ExpensiveUnary<"log1p", "p.unary<::mlir::math::Log1pOp>(x)">;
def Aten_SinOp : Aten_ExpensiveUnary<"sin", "p.unary<::mlir::math::SinOp>(x)">;
def Aten_CosOp : Aten_ExpensiveUnary<"cos", "p.unary<::mlir::math::CosOp>(x)">;
def Aten_TanhOp : Aten_ExpensiveUnary<"tanh", "p.unary<::mlir::math::TanhOp>(x)">;
def Aten_ErfOp : Aten_ExpensiveUnary<"erf", "p.unary<::mlir::math::ErfOp>(x)">;
def Aten_SigmoidOp : Aten_ExpensiveUnary<"sigmoid",
    "p.div(p.constant(1), p.add(p.constant(1), p.unary<::mlir::math::ExpOp>(p.neg(x))))">;
def Aten_BitwiseNotOp : Aten_Unary<"bitwise_not", "p.bitNot(x)">;
def Aten_LogicalNotOp : Aten_Unary<"logical_not", "p.isZero(x)", "predicate">;

class Aten_Binary<string mnemonic, string signature, string value, string rule = "pointwise">
    : Aten_Pointwise<mnemonic, signature,
        "return in." # rule # "({adaptor.getSelf(), adaptor.getOther()});",
        "::mlir::Value x = p.arg(0), y = p.arg(1); return p.round(" # value # ");"> {
  let summary = "element-wise '" # mnemonic # "' with broadcasting";
  let description = "PyTorch's `aten::" # mnemonic # "`, with its type promotion. One pass over the data.";
  let arguments = (ins Aten_Tensor:$self, Aten_Tensor:$other);
  let results = (outs Aten_Tensor:$result);
}

class Aten_BinaryAlpha<string mnemonic, string value>
    : Aten_Binary<mnemonic, "(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", value> {
  let arguments = (ins Aten_Tensor:$self, Aten_Tensor:$other, Aten_Scalar:$alpha);
}

def Aten_AddTensorOp : Aten_BinaryAlpha<"add.Tensor", "p.add(x, p.scale(y, getAlpha()))"> { let hasFolder = 1; }
def Aten_SubTensorOp : Aten_BinaryAlpha<"sub.Tensor", "p.sub(x, p.scale(y, getAlpha()))"> { let hasFolder = 1; }

class Aten_PlainBinary<string mnemonic, string value, string rule = "pointwise">
    : Aten_Binary<mnemonic, "(Tensor self, Tensor other) -> Tensor", value, rule>;

def Aten_MulTensorOp : Aten_PlainBinary<"mul.Tensor", "p.mul(x, y)"> { let hasFolder = 1; }
def Aten_DivTensorOp : Aten_PlainBinary<"div.Tensor", "p.div(x, y)", "floating"> { let hasFolder = 1; }
def Aten_MinimumOp : Aten_PlainBinary<"minimum", "p.min(x, y)">;
def Aten_MaximumOp : Aten_PlainBinary<"maximum", "p.max(x, y)">;
def Aten_BitwiseAndOp : Aten_PlainBinary<"bitwise_and.Tensor", "p.bitAnd(x, y)"> { let hasFolder = 1; }
def Aten_BitwiseOrOp : Aten_PlainBinary<"bitwise_or.Tensor", "p.bitOr(x, y)">;

class Aten_Compare<string mnemonic, string predicate>
    : Aten_PlainBinary<mnemonic, "p.compare(Predicate::" # predicate # ", x, y)", "predicate">;
def Aten_EqTensorOp : Aten_Compare<"eq.Tensor", "eq">;
def Aten_NeTensorOp : Aten_Compare<"ne.Tensor", "ne">;
def Aten_LtTensorOp : Aten_Compare<"lt.Tensor", "lt">;
def Aten_LeTensorOp : Aten_Compare<"le.Tensor", "le">;
def Aten_GtTensorOp : Aten_Compare<"gt.Tensor", "gt">;
def Aten_GeTensorOp : Aten_Compare<"ge.Tensor", "ge">;

class Aten_WithScalar<string mnemonic, string signature, string value, string rule = "withNumber">
    : Aten_Pointwise<mnemonic, signature,
        "return in." # rule # "(adaptor.getSelf(), adaptor.getOther());",
        "::mlir::Value x = p.arg(0), y = p.number(getOther()); return p.round(" # value # ");"> {
  let summary = "element-wise '" # mnemonic # "' with a Python number";
  let description = "PyTorch's `aten::" # mnemonic # "`; a float number makes an integer tensor float, nothing else promotes.";
  let arguments = (ins Aten_Tensor:$self, Aten_Scalar:$other);
  let results = (outs Aten_Tensor:$result);
}

class Aten_AlphaScalar<string mnemonic, string value>
    : Aten_WithScalar<mnemonic, "(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", value> {
  let arguments = (ins Aten_Tensor:$self, Aten_Scalar:$other, Aten_Scalar:$alpha);
}
def Aten_AddScalarOp : Aten_AlphaScalar<"add.Scalar", "p.add(x, p.scale(y, getAlpha()))"> { let hasFolder = 1; }
def Aten_SubScalarOp : Aten_AlphaScalar<"sub.Scalar", "p.sub(x, p.scale(y, getAlpha()))">;

class Aten_PlainScalar<string mnemonic, string value, string rule = "withNumber">
    : Aten_WithScalar<mnemonic, "(Tensor self, Scalar other) -> Tensor", value, rule>;
def Aten_MulScalarOp : Aten_PlainScalar<"mul.Scalar", "p.mul(x, y)"> { let hasFolder = 1; }
def Aten_DivScalarOp : Aten_PlainScalar<"div.Scalar", "p.div(x, y)", "floatingWithNumber"> { let hasFolder = 1; }

class Aten_CompareScalar<string mnemonic, string predicate>
    : Aten_PlainScalar<mnemonic, "p.compare(Predicate::" # predicate # ", x, y)", "predicateWithNumber">;
def Aten_EqScalarOp : Aten_CompareScalar<"eq.Scalar", "eq">;
def Aten_NeScalarOp : Aten_CompareScalar<"ne.Scalar", "ne">;
def Aten_LtScalarOp : Aten_CompareScalar<"lt.Scalar", "lt">;
def Aten_LeScalarOp : Aten_CompareScalar<"le.Scalar", "le">;
def Aten_GtScalarOp : Aten_CompareScalar<"gt.Scalar", "gt">;
def Aten_GeScalarOp : Aten_CompareScalar<"ge.Scalar", "ge">;

def Aten_DivTensorModeOp : Aten_Pointwise<"div.Tensor_mode",
    "(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
    [{ return in.division({adaptor.getSelf(), adaptor.getOther()}, adaptor.getRoundingMode()); }],
    [{ return p.round(p.divMode(p.arg(0), p.arg(1), getRoundingMode())); }]> {
  let summary = "division with a rounding mode";
  let description = "PyTorch's `aten::div.Tensor_mode`: `floor`, `trunc`, or true division without a mode.";
  let arguments = (ins Aten_Tensor:$self, Aten_Tensor:$other, OptionalAttr<StrAttr>:$rounding_mode);
  let results = (outs Aten_Tensor:$result);
  let hasVerifier = 1;
}

def Aten_DivScalarModeOp : Aten_Pointwise<"div.Scalar_mode",
    "(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    [{ return in.divisionWithNumber(adaptor.getSelf(), adaptor.getOther(), adaptor.getRoundingMode()); }],
    [{ return p.round(p.divMode(p.arg(0), p.number(getOther()), getRoundingMode())); }]> {
  let summary = "division by a Python number with a rounding mode";
  let description = "PyTorch's `aten::div.Scalar_mode`: `floor`, `trunc`, or true division without a mode.";
  let arguments = (ins Aten_Tensor:$self, Aten_Scalar:$other, OptionalAttr<StrAttr>:$rounding_mode);
  let results = (outs Aten_Tensor:$result);
  let hasVerifier = 1;
}

def Aten_PowTensorScalarOp : Aten_Pointwise<"pow.Tensor_Scalar",
    "(Tensor self, Scalar exponent) -> Tensor",
    [{ return in.withNumber(adaptor.getSelf(), adaptor.getExponent()); }],
    [{ return p.round(p.pow(p.arg(0), getExponent())); }]> {
  let summary = "power with a constant exponent";
  let description = "PyTorch's `aten::pow.Tensor_Scalar`. Exponents 2, 3, 1, 0.5, -0.5, -1 and -2 are products, roots and quotients, as in PyTorch.";
  let arguments = (ins Aten_Tensor:$self, Aten_Scalar:$exponent);
  let results = (outs Aten_Tensor:$result);
  let hasFolder = 1;
}

def Aten_ClampOp : Aten_Pointwise<"clamp",
    "(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
    [{ return in.pointwise({adaptor.getSelf()}); }],
    [{ return p.round(p.clampTo(p.arg(0), getMin().value_or(nullptr), getMax().value_or(nullptr))); }]> {
  let summary = "limits elements to [min, max]";
  let description = "PyTorch's `aten::clamp`; NaN stays NaN.";
  let arguments = (ins Aten_Tensor:$self, OptionalAttr<Aten_Scalar>:$min, OptionalAttr<Aten_Scalar>:$max);
  let results = (outs Aten_Tensor:$result);
}

def Aten_WhereOp : Aten_Pointwise<"where.self",
    "(Tensor condition, Tensor self, Tensor other) -> Tensor",
    [{ return in.where(adaptor.getCondition(), {adaptor.getSelf(), adaptor.getOther()}); }],
    [{ return p.round(p.select(p.condition(0), p.arg(1), p.arg(2))); }]> {
  let summary = "picks elements by a condition";
  let description = "PyTorch's `aten::where.self`: three operands broadcast together, both values promoted.";
  let arguments = (ins Aten_Tensor:$condition, Aten_Tensor:$self, Aten_Tensor:$other);
  let results = (outs Aten_Tensor:$result);
  let hasFolder = 1;
}

def Aten_ToCopyOp : Aten_Pointwise<"_to_copy",
    "(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    [{ return in.cast(adaptor.getSelf(), adaptor.getDtype()); }],
    [{ return p.round(p.read(0)); }]> {
  let summary = "conversion to a dtype";
  let description = "PyTorch's `aten::_to_copy`. Float to integer truncates, anything to bool tests for non-zero.";
  let arguments = (ins Aten_Tensor:$self, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Aten_Tensor:$result);
  let hasFolder = 1;
}

#endif // MOELLE_ATEN_POINTWISE_TD
