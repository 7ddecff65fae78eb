// RUN: moelle-opt --split-input-file --verify-diagnostics %s

// expected-error @below {{'exec.kernel' op argument 0 must be a ranked tensor of static shape, but got 'tensor<?xf32>'}}
exec.kernel @kernel_C1 {
^bb0(%a: tensor<?xf32>):
  exec.return
}

// -----

// expected-error @below {{'exec.kernel' op 'in_place' must have 1 entries, one a result, but got 2}}
exec.kernel @kernel_C2_entries attributes {in_place = array<i64: 0, -1>} {
^bb0(%a: tensor<4xf32>):
  exec.return %a : tensor<4xf32>
}

// -----

// expected-error @below {{entry 1 of 'in_place' must be -1 or one free argument like 'tensor<4xf32>', but got 0}}
exec.kernel @kernel_C2_twice attributes {in_place = array<i64: 0, 0>} {
^bb0(%a: tensor<4xf32>):
  exec.return %a, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{entry 0 of 'in_place' must be -1 or one free argument like 'tensor<4xi32>', but got 1}}
exec.kernel @kernel_C2_type attributes {in_place = array<i64: 1>} {
^bb0(%a: tensor<4xi32>, %b: tensor<4xf32>):
  exec.return %a : tensor<4xi32>
}

// -----

func.func @launch_C1(%x: tensor<4xf32>) {
  // expected-error @below {{'none' must name an 'exec.kernel'}}
  %0 = exec.launch @none(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

exec.kernel @same {
^bb0(%a: tensor<4xf32>):
  exec.return %a : tensor<4xf32>
}

func.func @launch_C2(%x: tensor<5xf32>, %y: memref<4xf32>) {
  // expected-error @below {{inputs 0 must be 'tensor<4xf32>' as in 'same', but got 'tensor<5xf32>'}}
  %0 = exec.launch @same(%x) : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

exec.kernel @same {
^bb0(%a: tensor<4xf32>):
  exec.return %a : tensor<4xf32>
}

func.func @launch_C2_count(%x: memref<4xf32>) {
  // expected-error @below {{number of results must be 1 as in 'same', but got 0}}
  exec.launch @same(%x) : (memref<4xf32>) -> ()
  return
}

// -----

exec.kernel @same {
^bb0(%a: tensor<4xf32>):
  exec.return %a : tensor<4xf32>
}

func.func @launch_C3(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{must have results or 'outs', but got both}}
  %0 = exec.launch @same(%x) outs(%y : memref<4xf32>) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @check_range_C1(%n: tensor<i64>) {
  // expected-error @below {{'low' must be less than 'high', but got 4 and -4}}
  exec.check_range %n in [4, -4) "n" : tensor<i64>
  return
}

// -----

func.func @check_range_C2(%n: tensor<f32>) {
  // expected-error @below {{operand #0 must be}}
  exec.check_range %n in [0, 4) "n" : tensor<f32>
  return
}
