// Masked rows: all -inf gives NaN as in PyTorch; the lowest finite number and
// any other equal scores give 1/n; NaN stays in its row.
// RUN: run-step %s 'x:f32[6,4]=-inf,-inf,-inf,-inf,-3.4028235e38,-3.4028235e38,-3.4028235e38,-3.4028235e38,-100000,-100000,-100000,-100000,0,-inf,-inf,0,1,2,nan,4,1000,1000,-1000,1000' | FileCheck %s
// CHECK: log f32 [6, 4]: nan nan nan nan -1.3862944 -1.3862944 -1.3862944 -1.3862944 -1.3862944 -1.3862944 -1.3862944 -1.3862944 -0.69314718 -inf -inf -0.69314718 nan nan nan nan -1.0986123 -1.0986123 -2001.0986 -1.0986123
// CHECK: soft f32 [6, 4]: nan nan nan nan 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.5 0 0 0.5 nan nan nan nan 0.33333334 0.33333334 0 0.33333334
func.func @step(%x: tensor<6x4xf32> {moelle.name = "x"})
    -> (tensor<6x4xf32> {moelle.name = "soft"}, tensor<6x4xf32> {moelle.name = "log"}) {
  %0 = aten._softmax %x {dim = -1 : i64, half_to_float = false} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = aten._log_softmax %x {dim = -1 : i64, half_to_float = false} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0, %1 : tensor<6x4xf32>, tensor<6x4xf32>
}
