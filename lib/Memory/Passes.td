// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the Memory stage, in run order.
#ifndef MOELLE_MEMORY_PASSES_TD
#define MOELLE_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanArenaPass : Pass<"moelle-plan-arena", "::mlir::ModuleOp"> {
  let summary = "place every value of the step at an arena offset";
  let description = [{
    Lifetimes in launch order, then offsets greedily by size; results that the
    step returns are written straight into the caller's buffers.

    ```mlir
    %1 = exec.launch @neg(%0) : (tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %1 = mem.slice 0 : memref<4xf32>
    exec.launch @neg(%0) outs(%1 : memref<4xf32>) : (memref<4xf32>) -> ()
    ```

    Needs `moelle-form-kernels`. Afterwards `@step` has memref arguments, no
    results, and the attribute `mem.arena_bytes`. Reports peak, lower bound and
    the sum of sizes in a remark.
  }];
  let dependentDialects = ["::moelle::mem::MemDialect"];
}

def CheckPlanPass : Pass<"moelle-check-plan", "::mlir::ModuleOp"> {
  let summary = "prove that no two live values share bytes";
  let description = [{
    Walks the planned step once and keeps, for every byte range, the value that
    was last written there. Reading a value whose bytes another value has
    overwritten, or that nothing has written, is an error. Knows nothing of how
    the plan was made.

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
