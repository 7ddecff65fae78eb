// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the Fuse stage, in run order.
#ifndef MOELLE_FUSE_PASSES_TD
#define MOELLE_FUSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyStepPass : Pass<"moelle-verify-step", "::mlir::ModuleOp"> {
  let summary = "require what every later pass relies on";
  let description = [{
    A module must hold a function `@step` of one block. Its arguments and all
    values are tensors of static shape, of bool, an integer of 8 to 64 bits, or
    a float of 16 to 64 bits. `moelle.kind` is a known role and `moelle.name`
    is there once. Everything that is not so is reported.

    ```mlir
    func.func @step(%x: tensor<?xf32>)   // error: argument 0 must be ...
    ```

    Needs nothing before it. Changes nothing.
  }];
}

def DecomposeAtenPass : Pass<"moelle-decompose-aten"> {
  let summary = "write composite operators as reductions and element-wise ones";
  let description = [{
    Softmax, log-softmax, means and the backward of grouped products become the
    operators that kernels are formed from. Accumulating `index_put` of bf16 and
    f16 becomes one of f32 between conversions.

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

def CheckIndicesPass : Pass<"moelle-check-indices", "::mlir::ModuleOp"> {
  let summary = "prove indices in range, or check them in every run";
  let description = [{
    Finds the range of each index tensor from how it is made (counters, sort
    orders, top-k indices, arithmetic on them). What cannot be shown to lie in
    the dimension that it indexes gets a check of its least and greatest
    element.

    ```mlir
    %1 = aten.embedding %w, %ids {...} : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
    // becomes
    %min = aten.amin %ids {dim = array<i64>, keepdim = false} : (tensor<3xi64>) -> tensor<i64>
    exec.check_range %min in [0, 8) "operand 1 of 'aten.embedding'" : tensor<i64>
    // the same with aten.amax, then
    %1 = aten.embedding %w, %ids {...} : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
    ```

    Needs nothing before it. Afterwards every run either uses indices in range
    or ends with an error. Does nothing where all ranges are known; fails on
    indices into a dimension without elements.
  }];
  let dependentDialects = ["::moelle::exec::ExecDialect", "::moelle::aten::AtenDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def FormKernelsPass : Pass<"moelle-form-kernels", "::mlir::ModuleOp"> {
  let summary = "group the ops of the step into deduplicated kernels";
  let description = [{
    Chooses which values are stored, merges their computations into groups that
    one kernel computes (FusionGroups.h lists the forms), and gives each kernel
    the cheap ops that it reads through; kernels of equal bodies become one.

    ```mlir
    %1 = aten.amax %0 {dim = array<i64: 1>, keepdim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %2 = aten.sub.Tensor %0, %1 {alpha = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    // becomes
    %2 = exec.launch @sub_Tensor(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    Needs `moelle-decompose-aten`. Afterwards `@step` holds launches and checks, in
    an order that keeps the program's where reads allow.
    Fails, naming each, on ops that no kernel can hold.
  }];
  let dependentDialects = ["::moelle::exec::ExecDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

#endif // MOELLE_FUSE_PASSES_TD
