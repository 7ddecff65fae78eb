// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that move or create elements without arithmetic on them.
#ifndef MOELLE_ATEN_VIEWS_TD
#define MOELLE_ATEN_VIEWS_TD

include "dialects/aten/AtenBase.td"

defvar moves = "bool movesOnly() { return true; }";

class Aten_View<string mnemonic, string signature, code infer, code element>
    : Aten_ElementOp<mnemonic, signature, infer, element> {
  let summary = "view '" # mnemonic # "' of a tensor";
  let description = "PyTorch's `aten::" # mnemonic # "`. Costs nothing of itself: consumers read through it.";
  let results = (outs Aten_Tensor:$result);
  let extraClassDeclaration = moves;
  let hasFolder = 1;
}

class Aten_Identity<string mnemonic, string signature>
    : Aten_View<mnemonic, signature, "return in.same(adaptor.getSelf());",
                "return e.read(getSelf(), index);"> {
  let arguments = (ins Aten_Tensor:$self);
}
def Aten_AliasOp : Aten_Identity<"alias", "(Tensor self) -> Tensor">;
def Aten_CloneOp : Aten_Identity<"clone", "(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor">;
def Aten_DetachOp : Aten_Identity<"detach", "(Tensor self) -> Tensor">;

def Aten_ViewOp : Aten_View<"view", "(Tensor self, int[] size) -> Tensor",
    "return in.view(adaptor.getSelf(), adaptor.getSize());",
    [{ return e.read(getSelf(), reshapeIndex(index, getType(), getSelf().getType())); }]> {
  let arguments = (ins Aten_Tensor:$self, DenseI64ArrayAttr:$size);
}

def Aten_PermuteOp : Aten_View<"permute", "(Tensor self, int[] dims) -> Tensor",
    "return in.permute(adaptor.getSelf(), adaptor.getDims());",
    [{
      ::llvm::SmallVector<::mlir::AffineExpr> source(index.size());
      for (auto [i, dim] : ::llvm::enumerate(getDims())) {
        source[wrapDim(dim, index.size())] = index[i];
      }
      return e.read(getSelf(), source);
    }]> {
  let arguments = (ins Aten_Tensor:$self, DenseI64ArrayAttr:$dims);
}

def Aten_ExpandOp : Aten_View<"expand", "(Tensor self, int[] size, *, bool implicit=False) -> Tensor",
    "return in.expand(adaptor.getSelf(), adaptor.getSize());",
    [{ return e.read(getSelf(), broadcastIndex(index, getSelf().getType())); }]> {
  let arguments = (ins Aten_Tensor:$self, DenseI64ArrayAttr:$size, BoolAttr:$implicit);
}

def Aten_UnsqueezeOp : Aten_View<"unsqueeze", "(Tensor self, int dim) -> Tensor",
    "return in.unsqueeze(adaptor.getSelf(), adaptor.getDim());",
    [{ return e.read(getSelf(), reshapeIndex(index, getType(), getSelf().getType())); }]> {
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim);
}

def Aten_SqueezeDimsOp : Aten_View<"squeeze.dims", "(Tensor self, int[] dim) -> Tensor",
    "return in.squeeze(adaptor.getSelf(), adaptor.getDim());",
    [{ return e.read(getSelf(), reshapeIndex(index, getType(), getSelf().getType())); }]> {
  let arguments = (ins Aten_Tensor:$self, DenseI64ArrayAttr:$dim);
}

def Aten_SliceOp : Aten_View<"slice.Tensor",
    "(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
    "return in.slice(adaptor.getSelf(), adaptor.getDim(), adaptor.getStart(), adaptor.getEnd(), adaptor.getStep());",
    [{
      ::llvm::SmallVector<::mlir::AffineExpr> source(index);
      auto [dim, start, end] = getRange();
      source[dim] = index[dim] * static_cast<int64_t>(getStep()) + start;
      return e.read(getSelf(), source);
    }]> {
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim, OptionalAttr<I64Attr>:$start,
                       OptionalAttr<I64Attr>:$end, I64Attr:$step);
  let extraClassDeclaration = moves # "SliceRange getRange();";
}

def Aten_SelectOp : Aten_View<"select.int", "(Tensor self, int dim, int index) -> Tensor",
    "return in.select(adaptor.getSelf(), adaptor.getDim(), adaptor.getIndex());",
    [{
      auto type = getSelf().getType();
      int64_t dim = wrapDim(getDim(), type.getRank());
      int64_t at = static_cast<int64_t>(getIndex());
      ::llvm::SmallVector<::mlir::AffineExpr> source(index);
      source.insert(source.begin() + dim, ::mlir::getAffineConstantExpr(
          at < 0 ? at + type.getDimSize(dim) : at, getContext()));
      return e.read(getSelf(), source);
    }]> {
  let arguments = (ins Aten_Tensor:$self, I64Attr:$dim, I64Attr:$index);
}

def Aten_SplitWithSizesOp : Aten_ElementOp<"split_with_sizes",
    "(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
    "return in.split(adaptor.getSelf(), adaptor.getSplitSizes(), adaptor.getDim());",
    [{
      ::llvm::SmallVector<::mlir::AffineExpr> source(index);
      int64_t dim = wrapDim(getDim(), index.size()), start = 0;
      for (int64_t size : getSplitSizes().take_front(number)) {
        start += size;
      }
      source[dim] = index[dim] + start;
      return e.read(getSelf(), source);
    }]> {
  let summary = "views of consecutive ranges of one dimension";
  let description = "PyTorch's `aten::split_with_sizes`. Costs nothing of itself.";
  let arguments = (ins Aten_Tensor:$self, DenseI64ArrayAttr:$split_sizes, I64Attr:$dim);
  let results = (outs Variadic<Aten_Tensor>:$results);
  let extraClassDeclaration = moves;
}

def Aten_CatOp : Aten_View<"cat", "(Tensor[] tensors, int dim=0) -> Tensor",
    "return in.cat(adaptor.getTensors(), adaptor.getDim());",
    [{ return emitCat(e, getTensors(), wrapDim(getDim(), index.size()), index); }]> {
  let arguments = (ins Variadic<Aten_Tensor>:$tensors, I64Attr:$dim);
}

def Aten_SliceScatterOp : Aten_View<"slice_scatter",
    "(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
    "return in.sliceScatter(adaptor.getSelf(), adaptor.getSrc(), adaptor.getDim(), adaptor.getStart(), adaptor.getEnd(), adaptor.getStep());",
    [{ return emitSliceScatter(e, *this, index); }]> {
  let arguments = (ins Aten_Tensor:$self, Aten_Tensor:$src, I64Attr:$dim, OptionalAttr<I64Attr>:$start,
                       OptionalAttr<I64Attr>:$end, I64Attr:$step);
  let extraClassDeclaration = moves # "SliceRange getRange();";
}

def Aten_ConstantPadNdOp : Aten_View<"constant_pad_nd",
    "(Tensor self, int[] pad, Scalar value=0) -> Tensor",
    "return in.pad(adaptor.getSelf(), adaptor.getPad());",
    [{ return emitPad(e, *this, index); }]> {
  let arguments = (ins Aten_Tensor:$self, DenseI64ArrayAttr:$pad, Aten_Scalar:$value);
}

// Creation: the dtype is given, or follows from the number.
class Aten_Creation<string mnemonic, string signature, code infer, code element>
    : Aten_ElementOp<mnemonic, signature, infer, element> {
  let summary = "creates a tensor: '" # mnemonic # "'";
  let description = "PyTorch's `aten::" # mnemonic # "`. Costs nothing of itself: consumers compute its elements.";
  let results = (outs Aten_Tensor:$result);
  let extraClassDeclaration = moves;
}

def Aten_FullOp : Aten_Creation<"full",
    "(int[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    "return in.creation(adaptor.getSize(), adaptor.getDtype(), adaptor.getFillValue());",
    [{ return emitNumber(e, getFillValue(), getType().getElementType()); }]> {
  let arguments = (ins DenseI64ArrayAttr:$size, Aten_Scalar:$fill_value, OptionalAttr<TypeAttr>:$dtype);
}

def Aten_FullLikeOp : Aten_Creation<"full_like",
    "(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    "return in.cast(adaptor.getSelf(), adaptor.getDtype());",
    [{ return emitNumber(e, getFillValue(), getType().getElementType()); }]> {
  let arguments = (ins Aten_Tensor:$self, Aten_Scalar:$fill_value, OptionalAttr<TypeAttr>:$dtype);
  let hasCanonicalizeMethod = 1;
}

def Aten_ScalarTensorOp : Aten_Creation<"scalar_tensor",
    "(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    "return in.creation({}, adaptor.getDtype(), adaptor.getS());",
    [{ return emitNumber(e, getS(), getType().getElementType()); }]> {
  let arguments = (ins Aten_Scalar:$s, OptionalAttr<TypeAttr>:$dtype);
  let hasCanonicalizeMethod = 1;
}

def Aten_ArangeOp : Aten_Creation<"arange.start_step",
    "(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    "return in.arange(adaptor.getStart(), adaptor.getEnd(), adaptor.getStep(), adaptor.getDtype());",
    [{ return emitArange(e, *this, index[0]); }]> {
  let arguments = (ins Aten_Scalar:$start, Aten_Scalar:$end, Aten_Scalar:$step, OptionalAttr<TypeAttr>:$dtype);
  let hasVerifier = 1;
}

// The content is undefined until it is overwritten; zero is as good as any.
class Aten_Uninitialised<string mnemonic, string signature>
    : Aten_Creation<mnemonic, signature,
        "return in.creation(adaptor.getSize(), adaptor.getDtype(), {});",
        "return emitZero(e, getType().getElementType());"> {
  let hasCanonicalizeMethod = 1;
}
def Aten_EmptyOp : Aten_Uninitialised<"empty.memory_format",
    "(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"> {
  let arguments = (ins DenseI64ArrayAttr:$size, OptionalAttr<TypeAttr>:$dtype);
}
def Aten_EmptyPermutedOp : Aten_Uninitialised<"empty_permuted",
    "(int[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> {
  let arguments = (ins DenseI64ArrayAttr:$size, DenseI64ArrayAttr:$physical_layout, OptionalAttr<TypeAttr>:$dtype);
}

def Aten_LiteralOp : Aten_Creation<"literal", "() -> Tensor",
    "return in.literal(adaptor.getValue());",
    [{ return emitLiteral(e, getValue(), index); }]> {
  let summary = "a constant tensor made by folding";
  let description = "Not an operator of PyTorch: the value of a folded expression.";
  let arguments = (ins ElementsAttr:$value);
  let hasFolder = 1;
}

#endif // MOELLE_ATEN_VIEWS_TD
