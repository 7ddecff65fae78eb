// RUN: moelle-opt --moelle-verify-step --split-input-file --verify-diagnostics %s

// expected-error @below {{must hold a function 'step' of one block}}
module {
  func.func private @step(tensor<4xf32>) -> tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 must be a tensor of static shape and of a dtype that kernels compute, but got 'tensor<?xf32>'}}
// expected-error @below {{argument 1 must be a tensor of static shape and of a dtype that kernels compute, but got 'f32'}}
// expected-error @below {{argument 2 must be a tensor of static shape and of a dtype that kernels compute, but got 'tensor<4xcomplex<f32>>'}}
func.func @step(%x: tensor<?xf32>, %s: f32, %c: tensor<4xcomplex<f32>>) -> tensor<?xf32> {
  // expected-error @below {{result 0 of 'aten.neg' must be a tensor of static shape and of a dtype that kernels compute, but got 'tensor<?xf32>'}}
  %0 = aten.neg %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error @below {{'moelle.kind' of argument 0 must be one of parameter, buffer, constant, input, but got "loss"}}
// expected-error @below {{'moelle.name' of argument 1 must be unique, but 'a' names argument 0 too}}
// expected-error @below {{'moelle.name' of result 0 must be a text}}
// expected-error @below {{'moelle.kind' of result 1 must be one of loss, gradient, input_gradient, mutation, output, but got 7 : i64}}
func.func @step(%x: tensor<4xf32> {moelle.name = "a", moelle.kind = "loss"}, %y: tensor<4xf32> {moelle.name = "a"})
    -> (tensor<4xf32> {moelle.name = ""}, tensor<4xf32> {moelle.kind = 7}) {
  return %x, %y : tensor<4xf32>, tensor<4xf32>
}
