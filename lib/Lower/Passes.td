// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the Lower stage, in run order.
#ifndef MOELLE_LOWER_PASSES_TD
#define MOELLE_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandExpPass : Pass<"moelle-expand-exp"> {
  let summary = "write f32 exponentials as arithmetic that vectorises";
  let description = [{
    A call into the C library keeps the loop around it scalar. `math.exp` on f32
    becomes a polynomial with an error below one unit in the last place, right
    for every input: subnormal results, exp(-inf) = 0, exp(inf) = inf, NaN.

    ```mlir
    %1 = math.exp %0 : f32
    // becomes
    %n = math.roundeven %scaled : f32
    %r = math.fma %n, %minus_ln2_low, %reduced : f32
    ...
    %1 = arith.mulf %partial, %power : f32
    ```

    Needs nothing before it. Afterwards no `math.exp` has type f32. Does nothing
    to other types, nor to other functions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif // MOELLE_LOWER_PASSES_TD
