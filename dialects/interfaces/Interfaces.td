// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions that passes ask of an operation, whatever dialect it is of.
#ifndef MOELLE_INTERFACES_TD
#define MOELLE_INTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/Interfaces.td"

def ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::moelle";
  let description = [{
    One element of a result, stated as scalar code over elements of the
    operands. This is the op's meaning in one place: kernels are built from it,
    access patterns are read off it by running it on a recording emitter.
    Element-wise ops, views, gathers, concatenations, creation ops and
    data-dependent reads are all of this kind.
  }];
  let methods = [
    InterfaceMethod<[{
      The element of result `number` at `index` (one expression a dimension) as
      a scalar value of the result's element type.
    }], "::mlir::Value", "emitElement",
      (ins "::moelle::ElementEmitter &":$emitter, "unsigned":$number,
           "::llvm::ArrayRef<::mlir::AffineExpr>":$index)>,
    InterfaceMethod<[{
      Whether computing an element costs more than reading it from memory
      (transcendental functions, long chains), so that it is worth storing.
    }], "bool", "isExpensive", (ins), "", "return false;">,
    InterfaceMethod<[{
      Whether the op computes nothing and only moves or creates elements, so
      that every consumer may read through it.
    }], "bool", "movesOnly", (ins), "", "return false;">,
  ];
}

def ReductionOpInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::moelle";
  let description = [{
    A reduction of operand 0 over some of its dimensions into result 0 by an
    associative combination. Elements are converted to the result's element
    type before they are combined (PyTorch's `dtype` argument).
  }];
  let methods = [
    InterfaceMethod<"The reduced dimensions of operand 0, ascending.",
      "::llvm::SmallVector<int64_t>", "getReducedDims", (ins)>,
    InterfaceMethod<"Type in which elements are combined: f32 for bf16 and f16.",
      "::mlir::Type", "getAccumulatorType", (ins)>,
    InterfaceMethod<"Neutral element of the combination.",
      "::mlir::TypedAttr", "getNeutral", (ins)>,
    InterfaceMethod<"Combines two scalars of the accumulator type.",
      "::mlir::Value", "emitCombine",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$lhs, "::mlir::Value":$rhs)>,
  ];
}

def ContractionOpInterface : OpInterface<"ContractionOpInterface"> {
  let cppNamespace = "::moelle";
  let description = [{
    A product of two operands summed over one dimension, with the group
    structure that the matmul kernel family knows. Logical shapes: dense
    `[B?,M,K] x [B?,K,N] -> [B?,M,N]`; grouped rows `[R,K] x [E,K,N] -> [R,N]`
    and grouped outer `[R,M] x [R,N] -> [E,M,N]`, whose groups are the row
    ranges between consecutive inclusive offsets `int32 [E]`.
  }];
  let methods = [
    InterfaceMethod<"The products this op consists of, one for each result.",
      "::llvm::SmallVector<::moelle::Contraction>", "getContractions", (ins)>,
  ];
}

def KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::moelle";
  let description = [{
    An op that no element-wise statement or reduction describes (sort, top-k,
    cumulative sums, histograms, scatters): it writes its own kernel, as scalar
    loops over one independent work item, through a `KernelEmitter`.
  }];
  let methods = [
    InterfaceMethod<"Number of independent work items.", "int64_t", "getWorkItems", (ins)>,
    InterfaceMethod<"Scratch bytes one work item needs.", "int64_t", "getScratchBytes", (ins), "", "return 0;">,
    InterfaceMethod<"Writes the code of work item `item` (an index value).",
      "::mlir::LogicalResult", "emitItem",
      (ins "::moelle::KernelEmitter &":$emitter, "::mlir::Value":$item)>,
  ];
}

def IndexingOpInterface : OpInterface<"IndexingOpInterface"> {
  let cppNamespace = "::moelle";
  let description = [{
    An op that reads or writes at places that an integer operand names. Code
    for it clamps a place into its dimension, so that memory is safe; that the
    place was in range is proved or checked by `moelle-check-indices`.
  }];
  let methods = [
    InterfaceMethod<"What every element of each index operand must lie in.",
      "::llvm::SmallVector<::moelle::IndexBound>", "getIndexBounds", (ins)>,
  ];
}

#endif // MOELLE_INTERFACES_TD
