// Small arguments keep their digits: log(1 + x) would give 0.
// RUN: run-step %s 'x:f32[4]=1e-10,-1e-10,1e-4,1e-30' --digits 6 --loose | FileCheck %s
// CHECK: y f32 [4]: 1e-10 -1e-10 9.9995e-05 1e-30
func.func @step(%x: tensor<4xf32> {moelle.name = "x"}) -> (tensor<4xf32> {moelle.name = "y"}) {
  %0 = aten.log1p %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
