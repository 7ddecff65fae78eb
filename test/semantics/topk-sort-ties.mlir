// Of equal scores the lowest id comes first; NaN is greater than any number; a
// sort keeps the order of equals.
// RUN: run-step %s 'x:f32[4,8]=0,0,0,0,0,0,0,0,1,5,5,2,5,0,0,0,nan,1,nan,2,3,3,3,-inf,-0.0,0,-1,0,-1,inf,-inf,inf' | FileCheck %s
// CHECK: order i64 [4, 8]: 0 1 2 3 4 5 6 7 5 6 7 0 3 1 2 4 7 1 3 4 5 6 0 2 6 2 4 0 1 3 5 7
// CHECK: smallest i64 [4, 2]: 0 1 5 6 7 1 6 2
// CHECK: top i64 [4, 3]: 0 1 2 1 2 4 0 2 4 5 7 0
// CHECK: topv f32 [4, 3]: 0 0 0 5 5 5 nan nan 3 inf inf -0
func.func @step(%x: tensor<4x8xf32> {moelle.name = "x"})
    -> (tensor<4x3xf32> {moelle.name = "topv"}, tensor<4x3xi64> {moelle.name = "top"},
        tensor<4x2xi64> {moelle.name = "smallest"}, tensor<4x8xi64> {moelle.name = "order"}) {
  %v, %i = aten.topk %x {k = 3 : i64, dim = -1 : i64, largest = true, sorted = true} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  %sv, %si = aten.topk %x {k = 2 : i64, dim = -1 : i64, largest = false, sorted = true} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  %ov, %oi = aten.sort %x {dim = -1 : i64, descending = false} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
  return %v, %i, %si, %oi : tensor<4x3xf32>, tensor<4x3xi64>, tensor<4x2xi64>, tensor<4x8xi64>
}
