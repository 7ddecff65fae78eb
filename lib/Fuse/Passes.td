// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the Fuse stage, in run order.
#ifndef MOELLE_FUSE_PASSES_TD
#define MOELLE_FUSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeAtenPass : Pass<"moelle-decompose-aten"> {
  let summary = "write composite operators as reductions and element-wise ones";
  let description = [{
    Softmax, log-softmax, means and the backward of grouped products become the
    operators that kernels are formed from.

    ```mlir
    %1 = aten.mean.dim %0 {dim = array<i64: -1>, keepdim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
    // becomes
    %s = aten.sum.dim_IntList %0 {dim = array<i64: -1>, keepdim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %1 = aten.div.Scalar %s {other = 8 : i64} : (tensor<4x1xf32>) -> tensor<4x1xf32>
    ```

    Needs nothing before it. Afterwards every aten op is an element op, a
    reduction, a contraction or a kernel op. Does nothing to other ops.
  }];
}

def FormKernelsPass : Pass<"moelle-form-kernels", "::mlir::ModuleOp"> {
  let summary = "group the ops of the step into deduplicated kernels";
  let description = [{
    Chooses which values are stored, and makes one kernel of each with the
    cheap ops that only it reads; kernels of equal bodies become one.

    ```mlir
    %1 = aten.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %1 = exec.launch @neg(%0) : (tensor<4xf32>) -> tensor<4xf32>
    ```

    Needs `moelle-decompose-aten`. Afterwards `@step` holds launches only.
    Fails, naming each, on ops that no kernel can hold.
  }];
  let dependentDialects = ["::moelle::exec::ExecDialect"];
}

#endif // MOELLE_FUSE_PASSES_TD
