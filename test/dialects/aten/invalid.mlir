// RUN: moelle-opt --split-input-file --verify-diagnostics %s

func.func @mm_contracted_dimensions(%a: tensor<4x8xf32>, %b: tensor<7x2xf32>) {
  // expected-error @below {{contracted and batch dimensions must agree}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.mm %a, %b : (tensor<4x8xf32>, tensor<7x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @wrong_result_type(%a: tensor<4xf32>) {
  // expected-error @below {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.neg %a : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @histc_C1(%a: tensor<4xf32>) {
  // expected-error @below {{'min' must be less than 'max'}}
  %0 = aten.histc %a {bins = 2 : i64, min = 0 : i64, max = 0 : i64} : (tensor<4xf32>) -> tensor<2xf32>
  return
}
