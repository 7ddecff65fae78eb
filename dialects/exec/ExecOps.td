// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and their launches: what Fuse makes and Lower compiles.
#ifndef MOELLE_EXEC_OPS_TD
#define MOELLE_EXEC_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::moelle::exec";
  let summary = "kernels, launches and the program's signature";
  let description = [{
    The step after Fuse: a function `@step` of launches, and one `exec.kernel`
    a distinct body. The discardable attributes `moelle.name` and `moelle.kind`
    on the arguments and results of `@step` are the program's signature.
  }];
}

class Exec_Op<string mnemonic, list<Trait> traits = []>
    : Op<Exec_Dialect, mnemonic, traits>;

def Exec_KernelOp : Exec_Op<"kernel", [IsolatedFromAbove, Symbol,
    SingleBlock]> {
  let summary = "a body that one launch executes as a unit";
  let description = [{
    Ops that are computed together, without storing what lies between them.
    Costs one command of the program a launch; structurally equal bodies are
    one kernel. Exists from Fuse until Lower turns it into a function.

    ```mlir
    exec.kernel @mul_add {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %0 = "aten.mul.Tensor"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      exec.return %0 : tensor<4xf32>
    }
    ```

    `in_place` says, a result each, which argument's memory the result is
    written over, or -1: the launch gives that one buffer for both.

    Constraints:
    (C1) arguments and returned values are ranked tensors of static shape.
    (C2) `in_place` has an entry a result, each -1 or an argument of the
         result's element type and number of elements, no argument twice.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DenseI64ArrayAttr>:$in_place);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::ValueRange getReturned() {
      return getBlock().getTerminator()->getOperands();
    }
    /// The argument that result `number` is written over, or -1.
    int64_t getOverwritten(unsigned number) {
      auto places = getInPlace();
      return places ? (*places)[number] : -1;
    }
  }];
  let hasVerifier = 1;
}

def Exec_ReturnOp : Exec_Op<"return", [Pure, Terminator,
    HasParent<"KernelOp">]> {
  let summary = "the results of a kernel";
  let description = [{
    Ends a kernel's body; each operand is one result of the launch. Costs
    nothing of itself: a result is stored where it is computed.

    ```mlir
    exec.return %0, %1 : tensor<4xf32>, tensor<4xi64>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Exec_LaunchOp : Exec_Op<"launch", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "executes a kernel";
  let description = [{
    One command of the step. On tensors, between Fuse and Memory, the results
    are values; on memrefs, after Memory, they are written into `outs`.

    ```mlir
    %0 = exec.launch @mul_add(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    exec.launch @mul_add(%a, %b) outs(%c : memref<4xf32>) : (memref<4xf32>, memref<4xf32>) -> ()
    ```

    Constraints:
    (C1) `callee` names an `exec.kernel`.
    (C2) shapes and element types of inputs and results, or `outs`, are those
         of the kernel's arguments and returned values.
    (C3) either there are results or there are `outs`, not both.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs,
                       Variadic<AnyMemRef>:$outs);
  let results = (outs Variadic<AnyTensor>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict
    `:` functional-type($inputs, $results)
  }];
}

def Exec_CheckRangeOp : Exec_Op<"check_range", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "fails the run unless an integer lies in a range";
  let description = [{
    The run ends with an error that names `what`, the value and the range unless
    `low <= value < high`. Costs one command; the value is looked at when the
    step has ended, so nothing waits for it. Made by `moelle-check-indices`;
    exists until Lower writes it as a command.

    ```mlir
    exec.check_range %max in [0, 32000) "operand 1 of 'aten.embedding'" : tensor<i64>
    ```

    Constraints:
    (C1) `low` is less than `high`.
    (C2) the value is one signless integer of 32 or 64 bits.
  }];
  let arguments = (ins AnyTypeOf<[0DTensorOf<[I32, I64]>,
                                  MemRefRankOf<[I32, I64], [0]>]>:$value,
                       I64Attr:$low, I64Attr:$high, StrAttr:$what);
  let assemblyFormat = "$value `in` ` ` `[` $low `,` $high `)` $what attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // MOELLE_EXEC_OPS_TD
