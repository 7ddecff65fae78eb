// What passes decide and decline is told where it was written; dumps show the
// module after each pass.
// RUN: rm -rf %t && mkdir %t
// RUN: moelle compile %s -o %t/step.moelle --remarks --dump-dir %t/dump 2>&1 | FileCheck %s
// RUN: moelle compile %s -o %t/quiet.moelle 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not='moelle:'
// RUN: cmp %t/step.moelle %t/quiet.moelle
// RUN: FileCheck %s --check-prefix=DUMP --input-file %t/dump/builtin_module_no-symbol-name/6_moelle-form-kernels.mlir
// RUN: not moelle compile %s -o %t/step.moelle --dump-dir %t/step.moelle/x 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK: moelle: missed: [form-kernels] {{.*}}remarks.mlir:{{[0-9]+}}: 'aten.sum.dim_IntList' not fused with 'aten.mm': the reader is not element-wise over the product
// CHECK: moelle: passed: [form-kernels] {{.*}}remarks.mlir:{{[0-9]+}}: kernel 'mm_0' of mm: 2 launches
// CHECK: moelle: passed: [reuse-operands] {{.*}}remarks.mlir:{{[0-9]+}}: {{[0-9]+}} results of {{[0-9]+}} bytes are written over operands that die there
// CHECK: moelle: analysis: [plan-arena] {{.*}}remarks.mlir:{{[0-9]+}}: arena of {{[0-9]+}} bytes, lower bound {{[0-9]+}}, without reuse {{[0-9]+}}
// QUIET: 1 inputs
// DUMP: exec.launch @mm
// BAD: moelle: error: cannot write '{{.*}}step.moelle/x': Not a directory
func.func @step(%x: tensor<8x8xf32>) -> tensor<8xf32> {
  %0 = aten.mm %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = aten.mm %x, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = aten.mm %y, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = aten.sum.dim_IntList %1 {dim = array<i64: 1>, keepdim = false} : (tensor<8x8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
