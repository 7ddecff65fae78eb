// Every tool knows the same dialects, and names what none of them knows.
// RUN: moelle-opt %s | FileCheck %s
// RUN: moelle-opt --moelle-compile -mlir-print-debuginfo %s | moelle-translate --export-artifact -o %t.artifact
// RUN: moelle compile %s -o %t.compiled
// RUN: cmp %t.artifact %t.compiled
// RUN: moelle import %s | FileCheck %s --check-prefix=IMPORT
// IMPORT: aten.neg: 1

// RUN: sed -e 's/aten.neg/x.y/' %s > %t.unknown.mlir
// RUN: not moelle-opt %t.unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not moelle-translate --export-artifact %t.unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not moelle compile %t.unknown.mlir -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not moelle import %t.unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{.*}}.unknown.mlir:{{[0-9]+}}{{.*}} Dialect `x' not found for custom op 'x.y'

// The server reports the same, as a diagnostic of the opened text.
// RUN: lsp-open %t.unknown.mlir | moelle-lsp-server | FileCheck %s --check-prefix=SERVER
// SERVER: "message":"Dialect `x' not found for custom op 'x.y'
// RUN: lsp-open %s | moelle-lsp-server | FileCheck %s --check-prefix=CLEAN
// CLEAN: "diagnostics":[]

// CHECK: aten.neg
func.func @step(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = aten.neg %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
