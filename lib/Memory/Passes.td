// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the Memory stage, in run order.
#ifndef MOELLE_MEMORY_PASSES_TD
#define MOELLE_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def ReuseOperandsPass : Pass<"moelle-reuse-operands", "::mlir::ModuleOp"> {
  let summary = "write results over operands that die at their launch";
  let description = [{
    A result of a launch takes the memory of an operand that nothing reads
    afterwards, where the kernel reads each element of it before it stores the
    result's element at the same place. Results that the step returns keep the
    caller's buffer. A kernel whose launches differ in what they overwrite is
    cloned, once for each choice.

    ```mlir
    exec.kernel @neg { ^bb0(%x: tensor<4xf32>): ... }
    %1 = exec.launch @neg(%0) : (tensor<4xf32>) -> tensor<4xf32>
    // becomes, where %0 is read no more
    exec.kernel @neg attributes {in_place = array<i64: 0>} { ... }
    ```

    Needs `moelle-form-kernels`. Reports how many results and bytes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::moelle::mem::MemDialect"];
}

def PlanArenaPass : Pass<"moelle-plan-arena", "::mlir::ModuleOp"> {
  let summary = "place every value of the step at an arena offset";
  let description = [{
    Lifetimes in launch order, then offsets greedily by size. Results that the
    step returns are written straight into the caller's buffers; until then
    those hold values that would otherwise make the arena larger. A result that
    its kernel writes over an operand shares the operand's memory.

    ```mlir
    %1 = exec.launch @neg(%0) : (tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %1 = mem.slice 0 : memref<4xf32>
    exec.launch @neg(%0) outs(%1 : memref<4xf32>) : (memref<4xf32>) -> ()
    ```

    Needs `moelle-form-kernels`. Afterwards `@step` has memref arguments, no
    results, and the attributes `mem.arena_bytes` and `mem.output_types`.
    Reports peak, lower bound and the sum of sizes in a remark.
  }];
  let dependentDialects = ["::moelle::mem::MemDialect"];
}

def CheckPlanPass : Pass<"moelle-check-plan", "::mlir::ModuleOp"> {
  let summary = "prove that no two live values share bytes";
  let description = [{
    Walks the planned step once and keeps, for every byte of the arena and of
    the outputs, the value that was last written there. Reading a value whose
    bytes another value has overwritten, or that nothing has written, is an
    error; so is an output that does not hold its value at the end. A result
    over an operand of the same launch must lie exactly there, and the kernel
    must allow it. Knows nothing of how the plan was made.

    ```mlir
    %0 = mem.slice 0 : memref<4xf32>
    %1 = mem.slice 0 : memref<4xf32>
    exec.launch @a() outs(%0 : memref<4xf32>) : () -> ()
    exec.launch @b() outs(%1 : memref<4xf32>) : () -> ()
    exec.launch @c(%0) outs(%2 : memref<4xf32>) : (memref<4xf32>) -> () // error
    ```

    Needs `moelle-plan-arena`. Changes nothing.
  }];
}

#endif // MOELLE_MEMORY_PASSES_TD
