// RUN: moelle-opt --moelle-form-kernels --moelle-plan-arena --moelle-check-plan %s | FileCheck %s

// Three products in a chain of 16 x 16 f32 (1024 bytes): two are alive at once.
// The last is an output, whose memory holds the first until it is written.
// CHECK: func.func @step
// CHECK-SAME: mem.arena_bytes = 1024
// CHECK: mem.slice 0 of output 0 : memref<16x16xf32>
// CHECK: mem.slice 0 : memref<16x16xf32>
// CHECK: mem.output 0 : memref<16x16xf32>
func.func @step(%a: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = aten.mm %a, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = aten.mm %0, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = aten.mm %1, %1 : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}
