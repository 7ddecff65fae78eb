// Rows 0 to 1 go to expert 0, none to expert 1, rows 2 to 3 to expert 2; the
// last row is past the last offset and gives 0. The gradient of the weights of
// an empty group is 0.
// RUN: run-step %s 'x:f32[5,2]=1,2,3,4,5,6,7,8,9,10' 'w:f32[3,2,2]=1,0,0,1,nan,nan,nan,nan,1,1,2,0' 'offs:i32[3]=2,2,4' | FileCheck %s
// CHECK: dw f32 [3, 2, 2]: 10 14 14 20 0 0 0 0 246 74 286 86
// CHECK: dx f32 [5, 2]: 1 2 3 4 22 34 30 46 0 0
// CHECK: y f32 [5, 2]: 1 2 3 4 17 5 23 7 0 0
func.func @step(%x: tensor<5x2xf32> {moelle.name = "x"}, %w: tensor<3x2x2xf32> {moelle.name = "w"},
                %offs: tensor<3xi32> {moelle.name = "offs"})
    -> (tensor<5x2xf32> {moelle.name = "y"}, tensor<5x2xf32> {moelle.name = "dx"}, tensor<3x2x2xf32> {moelle.name = "dw"}) {
  %y = aten.transformers.grouped_mm_fallback %x, %w, %offs : (tensor<5x2xf32>, tensor<3x2x2xf32>, tensor<3xi32>) -> tensor<5x2xf32>
  %dx, %dw = aten.transformers.grouped_mm_fallback_backward %x, %w, %offs, %y : (tensor<5x2xf32>, tensor<3x2x2xf32>, tensor<3xi32>, tensor<5x2xf32>) -> (tensor<5x2xf32>, tensor<3x2x2xf32>)
  return %y, %dx, %dw : tensor<5x2xf32>, tensor<5x2xf32>, tensor<3x2x2xf32>
}
