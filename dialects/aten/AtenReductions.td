// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that combine elements along dimensions.
#ifndef MOELLE_ATEN_REDUCTIONS_TD
#define MOELLE_ATEN_REDUCTIONS_TD

include "dialects/aten/AtenBase.td"

class Aten_Reduction<string mnemonic, string signature, code infer,
                     list<Trait> traits = []>
    : Aten_Op<mnemonic, signature, infer,
              traits # [DeclareOpInterfaceMethods<ReductionOpInterface>]> {
  let summary = "reduction '" # mnemonic # "'";
  let description = "PyTorch's `aten::" # mnemonic # "`. Reads its operand once; bf16 and f16 are combined in f32.";
  let results = (outs Aten_Tensor:$result);
}

def Aten_SumOp : Aten_Reduction<"sum.dim_IntList",
    "(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    "return in.sum(adaptor.getSelf(), adaptor.getDim(), adaptor.getKeepdim(), adaptor.getDtype());"> {
  let arguments = (ins Aten_Tensor:$self, OptionalAttr<DenseI64ArrayAttr>:$dim, BoolAttr:$keepdim, OptionalAttr<TypeAttr>:$dtype);
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

class Aten_Extremum<string mnemonic>
    : Aten_Reduction<mnemonic, "(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
        "return in.reduce(adaptor.getSelf(), adaptor.getDim(), adaptor.getKeepdim(), {});",
        [Aten_IntRange]> {
  let arguments = (ins Aten_Tensor:$self, DenseI64ArrayAttr:$dim, BoolAttr:$keepdim);
}
def Aten_AmaxOp : Aten_Extremum<"amax">;
def Aten_AminOp : Aten_Extremum<"amin">;

// Operators that Fuse decomposes into the ones above and element-wise ones.
class Aten_Composite<string mnemonic, string signature, code infer>
    : Aten_Op<mnemonic, signature, infer> {
  let summary = "composite '" # mnemonic # "'";
  let description = "PyTorch's `aten::" # mnemonic # "`. Gone after `moelle-decompose-aten`.";
  let results = (outs Aten_Tensor:$result);
}

def Aten_MeanDimOp : Aten_Composite<"mean.dim",
    "(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    "return in.mean(adaptor.getSelf(), adaptor.getDim(), adaptor.getKeepdim(), adaptor.getDtype());"> {
  let arguments = (ins Aten_Tensor:$self, OptionalAttr<DenseI64ArrayAttr>:$dim, BoolAttr:$keepdim, OptionalAttr<TypeAttr>:$dtype);
}

def Aten_MeanOp : Aten_Composite<"mean",
    "(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    "return in.mean(adaptor.getSelf(), std::nullopt, false, adaptor.getDtype());"> {
  let arguments = (ins Aten_Tensor:$self, OptionalAttr<TypeAttr>:$dtype);
}

class Aten_SoftmaxLike<string mnemonic>
    : Aten_Composite<mnemonic, "(Tensor self, int dim, bool half_to_float) -> Tensor",
        "return in.softmax(adaptor.getSelf(), adaptor.getDim(), adaptor.getHalfToFloat());"> {
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim, BoolAttr:$half_to_float);
}
def Aten_SoftmaxOp : Aten_SoftmaxLike<"_softmax">;
def Aten_LogSoftmaxOp : Aten_SoftmaxLike<"_log_softmax">;

class Aten_Kernel<string mnemonic, string signature, code infer,
                  list<Trait> traits = []>
    : Aten_Op<mnemonic, signature, infer,
              traits # [DeclareOpInterfaceMethods<KernelOpInterface, ["getScratchBytes"]>]>;

def Aten_CumsumOp : Aten_Kernel<"cumsum",
    "(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    "return in.cumsum(adaptor.getSelf(), adaptor.getDim(), adaptor.getDtype());"> {
  let summary = "inclusive prefix sums along a dimension";
  let description = "PyTorch's `aten::cumsum`; bool and small integers sum in int64, `dtype` converts before summing.";
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Aten_Tensor:$result);
}

def Aten_TopkOp : Aten_Kernel<"topk",
    "(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
    "return in.topk(adaptor.getSelf(), adaptor.getK(), adaptor.getDim());",
    [Aten_IntRange]> {
  let summary = "the k extreme elements of a dimension, in order";
  let description = [{
    PyTorch's `aten::topk`. Always sorted; of equal elements the lowest index
    comes first, in every kernel; NaN is greater than any number.
  }];
  let arguments = (ins Aten_Tensor:$self, I64Attr:$k, I64Attr:$dim, BoolAttr:$largest, BoolAttr:$sorted);
  let results = (outs Aten_Tensor:$values, Aten_Tensor:$indices);
}

def Aten_SortOp : Aten_Kernel<"sort",
    "(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    "return in.sort(adaptor.getSelf(), adaptor.getDim());",
    [Aten_IntRange]> {
  let summary = "sorts along a dimension, stably";
  let description = "PyTorch's `aten::sort`. A merge sort; equal elements keep their order; NaN is greater than any number.";
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim, BoolAttr:$descending);
  let results = (outs Aten_Tensor:$values, Aten_Tensor:$indices);
}

def Aten_HistcOp : Aten_Kernel<"histc",
    "(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
    "return in.histc(adaptor.getSelf(), adaptor.getBins());"> {
  let summary = "histogram with equal bins";
  let description = [{
    PyTorch's `aten::histc`: element x counts in bin
    `floor((x - min) * bins / (max - min))`, the last bin is closed, elements
    outside [min, max] and NaN count nowhere.

    Constraints:
    (C1) `min` is less than `max`: the data-dependent range is not supported.
  }];
  let arguments = (ins Aten_Tensor:$self, I64Attr:$bins, Aten_Scalar:$min, Aten_Scalar:$max);
  let results = (outs Aten_Tensor:$result);
  let hasVerifier = 1;
}

#endif // MOELLE_ATEN_REDUCTIONS_TD
