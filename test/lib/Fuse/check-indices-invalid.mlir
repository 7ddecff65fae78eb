// RUN: moelle-opt --moelle-check-indices --verify-diagnostics %s

func.func @step(%w: tensor<0x4xf32>, %ids: tensor<3xi64>) -> tensor<3x4xf32> {
  // expected-error @below {{operand 1 of 'aten.embedding' must index a dimension of at least one element, but got 0}}
  %0 = aten.embedding %w, %ids {padding_idx = -1 : i64, scale_grad_by_freq = false, sparse = false} : (tensor<0x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
