// A long contraction keeps what one chain of sums would lose: 1 and 4095 times
// 2^-25, of which every one is below half a unit in the last place of 1. Sums
// start from zero every few hundred products.
// RUN: run-step %s 'x:f32[1,4096]=2.98023223876953125e-08' 'one:f32[1,1]=1' 'w:f32[4097,3]=1' | FileCheck %s
// CHECK: y f32 [1, 3]: [[Y:1.00011[0-9]*]] [[Y]] [[Y]]
func.func @step(%x: tensor<1x4096xf32> {moelle.name = "x"}, %one: tensor<1x1xf32> {moelle.name = "one"},
                %w: tensor<4097x3xf32> {moelle.name = "w"}) -> (tensor<1x3xf32> {moelle.name = "y"}) {
  %0 = aten.cat %one, %x {dim = 1 : i64} : (tensor<1x1xf32>, tensor<1x4096xf32>) -> tensor<1x4097xf32>
  %1 = aten.mm %0, %w : (tensor<1x4097xf32>, tensor<4097x3xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}
