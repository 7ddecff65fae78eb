// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where every value of a planned step lives.
#ifndef MOELLE_MEM_OPS_TD
#define MOELLE_MEM_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Mem_Dialect : Dialect {
  let name = "mem";
  let cppNamespace = "::moelle::mem";
  let summary = "arena slices, program outputs and copies of a planned step";
  let description = [{
    After Memory every value of `@step` is a memref: an argument (an input the
    caller owns), a slice of the one arena, or an output the caller provides.
    `mem.arena_bytes` on the function is the arena's size.
  }];
}

class Mem_Op<string mnemonic, list<Trait> traits = []>
    : Op<Mem_Dialect, mnemonic, traits>;

def Mem_SliceOp : Mem_Op<"slice", [Pure]> {
  let summary = "a range of the step's arena, or of an output not yet written";
  let description = [{
    Bytes [offset, offset + size of the type) of the arena, or of the caller's
    buffer of one output, which nothing reads before the step has written it.
    Two slices may overlap when their lifetimes do not. Costs nothing. Exists
    from Memory on.

    ```mlir
    %0 = mem.slice 4096 : memref<16x32xf32>
    %1 = mem.slice 0 of output 3 : memref<16x32xf32>
    ```

    Constraints:
    (C1) `offset` is a non-negative multiple of 64.
    (C2) the slice ends inside the arena, or the output, of the enclosing
         function.
  }];
  let arguments = (ins I64Attr:$offset, OptionalAttr<I64Attr>:$output);
  let results = (outs AnyMemRef:$slice);
  let assemblyFormat = "$offset (`of` `output` $output^)? attr-dict `:` type($slice)";
  let hasVerifier = 1;
}

def Mem_OutputOp : Mem_Op<"output", [Pure]> {
  let summary = "the caller's buffer of one output";
  let description = [{
    The memory that the caller binds for output `index` of the program; its
    content before the step is undefined. Costs nothing. Exists from Memory on.

    ```mlir
    %0 = mem.output 0 : memref<f32>
    ```
  }];
  let arguments = (ins I64Attr:$index);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$index attr-dict `:` type($buffer)";
}

def Mem_CopyOp : Mem_Op<"copy", [SameTypeOperands,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "copies a whole buffer";
  let description = [{
    Moves the bytes of `source` to `target`: an output that is also an input or
    another output. Exists from Memory on.

    ```mlir
    mem.copy %a to %b : memref<4xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$target);
  let assemblyFormat = "$source `to` $target attr-dict `:` type($source)";
}

#endif // MOELLE_MEM_OPS_TD
