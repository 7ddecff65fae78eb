// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that read or write at places that tensors name, and products.
#ifndef MOELLE_ATEN_INDEXING_TD
#define MOELLE_ATEN_INDEXING_TD

include "dialects/aten/AtenReductions.td"

class Aten_Gather<string mnemonic, string signature, code infer, code element>
    : Aten_ElementOp<mnemonic, signature, infer, element,
                     [DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "reads elements at given indices: '" # mnemonic # "'";
  let description = "PyTorch's `aten::" # mnemonic # "`. Consumers read through it, so a gathered copy need not exist.";
  let results = (outs Aten_Tensor:$result);
  let extraClassDeclaration = "bool movesOnly() { return true; }";
}

def Aten_EmbeddingOp : Aten_Gather<"embedding",
    "(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
    "return in.embedding(adaptor.getWeight(), adaptor.getIndices());",
    [{
      ::mlir::Value row = e.read(getIndices(), index.drop_back());
      return e.read(getWeight(), {e.dynamicIndex(row, getWeight().getType().getDimSize(0)), index.back()});
    }]> {
  let arguments = (ins Aten_Tensor:$weight, Aten_Tensor:$indices, I64Attr:$padding_idx,
                       BoolAttr:$scale_grad_by_freq, BoolAttr:$sparse);
}

def Aten_GatherOp : Aten_Gather<"gather",
    "(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
    "return in.gather(adaptor.getSelf(), adaptor.getDim(), adaptor.getIndex());",
    [{
      int64_t dim = wrapDim(getDim(), index.size());
      ::llvm::SmallVector<::mlir::AffineExpr> source(index);
      source[dim] = e.dynamicIndex(e.read(getIndex(), index), getSelf().getType().getDimSize(dim));
      return e.read(getSelf(), source);
    }]> {
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim, Aten_Tensor:$index, BoolAttr:$sparse_grad);
}

def Aten_IndexOp : Aten_Gather<"index.Tensor", "(Tensor self, Tensor?[] indices) -> Tensor",
    "return in.index(adaptor.getSelf(), adaptor.getIndices(), adaptor.getIndicesPresent());",
    [{
      ::llvm::SmallVector<::mlir::AffineExpr> source = emitIndices(
          e, getSelf().getType(), getIndices(), getIndicesPresent(), index);
      return e.read(getSelf(), source);
    }]> {
  let arguments = (ins Aten_Tensor:$self, Variadic<Aten_Tensor>:$indices, DenseBoolArrayAttr:$indices_present);
}

// `scatter` states an element by looking for its place among the indices of
// its line. That is right for any length of the line and good for short ones;
// Fuse keeps long lines out of other kernels.
class Aten_Scatter<string mnemonic, string signature, code infer, code element>
    : Aten_ElementOp<mnemonic, signature, infer, element,
                     [DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "writes elements at given indices of a dimension: '" # mnemonic # "'";
  let description = "PyTorch's `aten::" # mnemonic # "`; where an index repeats, the last one counts.";
  let results = (outs Aten_Tensor:$result);
}

def Aten_ScatterSrcOp : Aten_Scatter<"scatter.src",
    "(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    "return in.scatter(adaptor.getSelf(), adaptor.getDim(), adaptor.getIndex());",
    [{ return emitScatter(e, getSelf(), wrapDim(getDim(), index.size()), getIndex(), getSrc(), {}, index); }]> {
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim, Aten_Tensor:$index, Aten_Tensor:$src);
}

def Aten_ScatterValueOp : Aten_Scatter<"scatter.value",
    "(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    "return in.scatter(adaptor.getSelf(), adaptor.getDim(), adaptor.getIndex());",
    [{ return emitScatter(e, getSelf(), wrapDim(getDim(), index.size()), getIndex(), {}, getValue(), index); }]> {
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim, Aten_Tensor:$index, Aten_Scalar:$value);
}

def Aten_IndexPutOp : Aten_Kernel<"index_put",
    "(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    "return in.indexPut(adaptor.getSelf(), adaptor.getIndices(), adaptor.getIndicesPresent(), adaptor.getValues());",
    [DeclareOpInterfaceMethods<IndexingOpInterface>,
     Aten_IntRange]> {
  let summary = "writes or adds values at places that index tensors name";
  let description = [{
    PyTorch's `aten::index_put`. With `accumulate` repeated places add up (in
    f32 for bf16 and f16: `moelle-decompose-aten`), always in the order of the
    values, so that results are bit-equal for any number of threads. Each work item owns a range of the
    trailing dimensions.

    Constraints:
    (C1) the indexed dimensions come first: `indices_present` is a run of true.
  }];
  let arguments = (ins Aten_Tensor:$self, Variadic<Aten_Tensor>:$indices, Aten_Tensor:$values,
                       BoolAttr:$accumulate, DenseBoolArrayAttr:$indices_present);
  let results = (outs Aten_Tensor:$result);
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Aten_InversePermutationOp : Aten_Kernel<"inverse_permutation", "(Tensor self) -> Tensor",
    "return in.permutation(adaptor.getSelf());",
    [DeclareOpInterfaceMethods<IndexingOpInterface>, Aten_IntRange]> {
  let summary = "where each place of a permutation went";
  let description = [{
    Not an operator of PyTorch: what `empty` and `index_put` of an `arange`
    mean when the places are a sort order. `result[self[i]] = i`. Costs one
    pass; `self` must hold each of 0 to n - 1 once. A read through it may be
    fused, a write at the places of `self` may not: `index_put` at the places
    of a permutation becomes `index.Tensor` by the inverse.

    ```mlir
    %1 = aten.inverse_permutation %0 : (tensor<6xi64>) -> tensor<6xi64>
    ```

    Constraints:
    (C1) `self` is a vector of int64.
  }];
  let arguments = (ins Aten_Tensor:$self);
  let results = (outs Aten_Tensor:$result);
  let hasFolder = 1;
}

class Aten_Product<string mnemonic, string signature, code infer>
    : Aten_Op<mnemonic, signature, infer,
              [DeclareOpInterfaceMethods<ContractionOpInterface>]> {
  let summary = "matrix product '" # mnemonic # "'";
  let description = "PyTorch's `aten::" # mnemonic # "`. Products are summed in f32 and rounded once to the result's dtype.";
  let results = (outs Aten_Tensor:$result);
}

def Aten_MmOp : Aten_Product<"mm", "(Tensor self, Tensor mat2) -> Tensor",
    "return in.product(adaptor.getSelf(), adaptor.getMat2(), 2);"> {
  let arguments = (ins Aten_Tensor:$self, Aten_Tensor:$mat2);
}

def Aten_BmmOp : Aten_Product<"bmm", "(Tensor self, Tensor mat2) -> Tensor",
    "return in.product(adaptor.getSelf(), adaptor.getMat2(), 3);"> {
  let arguments = (ins Aten_Tensor:$self, Aten_Tensor:$mat2);
}

def Aten_GroupedMmOp : Aten_Product<"_grouped_mm",
    "(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> Tensor",
    "return in.groupedMm(adaptor.getSelf(), adaptor.getMat2(), adaptor.getOffs());"> {
  let description = [{
    PyTorch's `aten::_grouped_mm`. `[R,K] x [E,K,N]` with inclusive row offsets
    int32 [E] gives `[R,N]`; rows past the last offset are 0 (undefined in
    PyTorch). `[M,R] x [R,N]` groups the contraction and gives `[E,M,N]`; an
    empty group gives 0.

    Constraints:
    (C1) `bias` is absent, `out_dtype` is absent or the operands' dtype.
  }];
  let arguments = (ins Aten_Tensor:$self, Aten_Tensor:$mat2, Aten_Tensor:$offs, OptionalAttr<TypeAttr>:$out_dtype);
}
// `offs` and `bias` are optional in the schema; only the form with offsets and
// without bias occurs in training graphs, any other is reported by the importer.

def Aten_GroupedMmFallbackOp : Aten_Product<"transformers.grouped_mm_fallback",
    "(Tensor input, Tensor weight, Tensor offs) -> Tensor",
    "return in.groupedMm(adaptor.getInput(), adaptor.getWeight(), adaptor.getOffs());"> {
  let description = [{
    `transformers::grouped_mm_fallback` of Hugging Face transformers: rows
    offs[e-1] to offs[e] of `input` [R,K] times `weight[e]` [K,N]; rows past the
    last offset are 0.
  }];
  let arguments = (ins Aten_Tensor:$input, Aten_Tensor:$weight, Aten_Tensor:$offs);
}

def Aten_GroupedMmFallbackBackwardOp : Aten_Op<"transformers.grouped_mm_fallback_backward",
    "(Tensor input, Tensor weight, Tensor offs, Tensor grad_output) -> (Tensor, Tensor)",
    "return in.groupedMmBackward(adaptor.getInput(), adaptor.getWeight());"> {
  let summary = "gradients of grouped_mm_fallback";
  let description = [{
    `transformers::grouped_mm_fallback_backward`: the gradient of the rows
    (0 past the last offset) and of the weights (0 for an empty group). Gone
    after `moelle-decompose-aten`.
  }];
  let arguments = (ins Aten_Tensor:$input, Aten_Tensor:$weight, Aten_Tensor:$offs, Aten_Tensor:$grad_output);
  let results = (outs Aten_Tensor:$grad_input, Aten_Tensor:$grad_weight);
}

def Aten_AssertTensorMetadataOp : Op<Aten_Dialect, "_assert_tensor_metadata",
    [DeclareOpInterfaceMethods<AtenOpInterface>]> {
  let summary = "asserts dtype of a tensor";
  let description = [{
    PyTorch's `aten::_assert_tensor_metadata`. Static types already carry what
    it asserts: the verifier checks the dtype, canonicalisation drops it.

    Constraints:
    (C1) `dtype`, where present, is the operand's element type.
  }];
  let arguments = (ins Aten_Tensor:$a, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs);
  let assemblyFormat = "operands attr-dict `:` type($a)";
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getSchema() {
      return "_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()";
    }
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // MOELLE_ATEN_INDEXING_TD
