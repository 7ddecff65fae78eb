// A dimension of size 1 moves nothing, wherever it is: reduced before one that
// is kept it makes a row of one element, not columns.
// RUN: run-step %s 'x:f32[1,3]=1,-2,3' 'y:f32[1,2,1,3]=1,2,3,4,5,6' | FileCheck %s
// CHECK: last f32 [2, 1]: 3 6
// CHECK: log f32 [1, 3]: 0 0 0
// CHECK: max f32 [3]: 1 -2 3
// CHECK: share f32 [1, 2, 1, 3]: 1 1 1 1 1 1
func.func @step(%x: tensor<1x3xf32> {moelle.name = "x"}, %y: tensor<1x2x1x3xf32> {moelle.name = "y"})
    -> (tensor<1x3xf32> {moelle.name = "log"}, tensor<3xf32> {moelle.name = "max"},
        tensor<1x2x1x3xf32> {moelle.name = "share"}, tensor<2x1xf32> {moelle.name = "last"}) {
  %0 = aten._log_softmax %x {dim = 0 : i64, half_to_float = false} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %1 = aten.amax %x {dim = array<i64: 0>, keepdim = false} : (tensor<1x3xf32>) -> tensor<3xf32>
  %2 = aten._softmax %y {dim = 2 : i64, half_to_float = false} : (tensor<1x2x1x3xf32>) -> tensor<1x2x1x3xf32>
  %3 = aten.amax %y {dim = array<i64: 0, -1>, keepdim = false} : (tensor<1x2x1x3xf32>) -> tensor<2x1xf32>
  return %0, %1, %2, %3 : tensor<1x3xf32>, tensor<3xf32>, tensor<1x2x1x3xf32>, tensor<2x1xf32>
}
