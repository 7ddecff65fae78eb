// Dimensions without elements: products over none are 0, sums are 0, and what
// has no elements costs nothing.
// RUN: run-step %s 'a:f32[3,0]=' 'b:f32[0,4]=' | FileCheck %s
// CHECK: cat f32 [0, 8]:
// CHECK: inner f32 [3, 4]: 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK: outer f32 [0, 0]:
// CHECK: sum f32 [4]: 0 0 0 0
func.func @step(%a: tensor<3x0xf32> {moelle.name = "a"}, %b: tensor<0x4xf32> {moelle.name = "b"})
    -> (tensor<3x4xf32> {moelle.name = "inner"}, tensor<4xf32> {moelle.name = "sum"},
        tensor<0x8xf32> {moelle.name = "cat"}, tensor<0x0xf32> {moelle.name = "outer"}) {
  %0 = aten.mm %a, %b : (tensor<3x0xf32>, tensor<0x4xf32>) -> tensor<3x4xf32>
  %1 = aten.sum.dim_IntList %b {dim = array<i64: 0>, keepdim = false} : (tensor<0x4xf32>) -> tensor<4xf32>
  %2 = aten.cat %b, %b {dim = 1 : i64} : (tensor<0x4xf32>, tensor<0x4xf32>) -> tensor<0x8xf32>
  %3 = aten.permute %a {dims = array<i64: 1, 0>} : (tensor<3x0xf32>) -> tensor<0x3xf32>
  %4 = aten.mm %3, %a : (tensor<0x3xf32>, tensor<3x0xf32>) -> tensor<0x0xf32>
  return %0, %1, %2, %4 : tensor<3x4xf32>, tensor<4xf32>, tensor<0x8xf32>, tensor<0x0xf32>
}
