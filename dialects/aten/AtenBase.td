// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The aten dialect and the classes that its operator tables are made of.
#ifndef MOELLE_ATEN_BASE_TD
#define MOELLE_ATEN_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/interfaces/Interfaces.td"

def Aten_Dialect : Dialect {
  let name = "aten";
  let cppNamespace = "::moelle::aten";
  let summary = "ATen operators as PyTorch exports them";
  let description = [{
    One op an overload, named after it without `.default`. Values are logical
    tensors: strides of the exporter are not part of a type, so views are
    ordinary functions and `clone` is the identity.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let hasConstantMaterializer = 1;
}

def AtenOpInterface : OpInterface<"AtenOpInterface"> {
  let cppNamespace = "::moelle::aten";
  let description = [{
    What the importer must know of an operator: its schema as PyTorch states
    it. `Tensor` arguments are operands in schema order, all others attributes
    of the same name.
  }];
  let methods = [
    StaticInterfaceMethod<[{
      Schema without namespace: `mul.Tensor(Tensor self, Tensor other) -> Tensor`.
    }], "::llvm::StringRef", "getSchema", (ins)>,
  ];
}

def Aten_Tensor : RankedTensorOf<[AnyFloat, AnyInteger, AnyComplex]>;

def Aten_Scalar : Attr<CPred<"::llvm::isa<::mlir::IntegerAttr, ::mlir::FloatAttr>($_self)">,
                       "a Python number"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

// States the range of integer results. Element ops need not: theirs follows
// from the code of an element.
def Aten_IntRange : DeclareOpInterfaceMethods<InferIntRangeInterface,
                                              ["inferResultRangesFromOptional"]>;

// An operator: its schema, and `infer`, the body of its type inference. In
// scope are `adaptor` and `in`, an `Inference` (Aten.h) that knows the rules.
class Aten_Op<string mnemonic, string signature, code infer, list<Trait> traits = []>
    : Op<Aten_Dialect, mnemonic, traits # [Pure,
          DeclareOpInterfaceMethods<AtenOpInterface>,
          DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  string common = [{
    ::llvm::StringRef $cppClass::getSchema() { return "}] # mnemonic # signature # [{"; }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      [[maybe_unused]] Adaptor adaptor(operands, attributes, properties, regions);
      Inference in("}] # "aten." # mnemonic # [{", context, location, types);
      }] # infer # [{
    }
  }];
  let extraClassDefinition = common;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

// An operator whose result elements are stated one by one: `element` is the
// body of `emitElement`; in scope are `e`, `number` and `index`.
class Aten_ElementOp<string mnemonic, string signature, code infer, code element,
                     list<Trait> traits = []>
    : Aten_Op<mnemonic, signature, infer,
              traits # [DeclareOpInterfaceMethods<ElementOpInterface>]> {
  let extraClassDefinition = common # [{
    ::mlir::Value $cppClass::emitElement(::moelle::ElementEmitter &e, unsigned number,
                                         ::llvm::ArrayRef<::mlir::AffineExpr> index) {
      }] # element # [{
    }
  }];
}

#endif // MOELLE_ATEN_BASE_TD
