// RUN: moelle-opt --moelle-check-plan --split-input-file --verify-diagnostics %s

exec.kernel @two {
^bb0(%a: tensor<16xf32>, %b: tensor<16xf32>):
  %0 = aten.add.Tensor %a, %b {alpha = 1 : i64} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  exec.return %0 : tensor<16xf32>
}
func.func @step(%a: memref<16xf32>) attributes {mem.arena_bytes = 64 : i64, mem.output_types = [tensor<16xf32>]} {
  // expected-note @below {{the value is placed here}}
  %x = mem.slice 0 : memref<16xf32>
  %y = mem.slice 0 : memref<16xf32>
  exec.launch @two(%a, %a) outs(%x : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  exec.launch @two(%a, %a) outs(%y : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  %o = mem.output 0 : memref<16xf32>
  // expected-error @below {{reads bytes [0, 64) of the arena after another value overwrote them}}
  exec.launch @two(%x, %y) outs(%o : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// A result over an operand that its kernel may not write over so.
exec.kernel @two {
^bb0(%a: tensor<16xf32>, %b: tensor<16xf32>):
  %0 = aten.add.Tensor %a, %b {alpha = 1 : i64} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  exec.return %0 : tensor<16xf32>
}
func.func @step(%a: memref<16xf32>) attributes {mem.arena_bytes = 64 : i64, mem.output_types = [tensor<16xf32>]} {
  // expected-note @below {{the value is placed here}}
  %x = mem.slice 0 : memref<16xf32>
  %y = mem.slice 0 : memref<16xf32>
  exec.launch @two(%a, %a) outs(%x : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  // expected-error @below {{reads bytes [0, 64) of the arena after another value overwrote them}}
  exec.launch @two(%x, %a) outs(%y : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  %o = mem.output 0 : memref<16xf32>
  exec.launch @two(%y, %y) outs(%o : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// A kernel that claims to write over an operand which it reads transposed.
exec.kernel @transpose attributes {in_place = array<i64: 0>} {
^bb0(%a: tensor<4x4xf32>):
  %0 = aten.permute %a {dims = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = aten.neg %0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  exec.return %1 : tensor<4x4xf32>
}
exec.kernel @neg {
^bb0(%a: tensor<4x4xf32>):
  %1 = aten.neg %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  exec.return %1 : tensor<4x4xf32>
}
func.func @step(%a: memref<4x4xf32>) attributes {mem.arena_bytes = 64 : i64, mem.output_types = [tensor<4x4xf32>]} {
  // expected-note @below {{the value is placed here}}
  %x = mem.slice 0 : memref<4x4xf32>
  %y = mem.slice 0 : memref<4x4xf32>
  exec.launch @neg(%a) outs(%x : memref<4x4xf32>) : (memref<4x4xf32>) -> ()
  // expected-error @below {{reads bytes [0, 64) of the arena after another value overwrote them}}
  exec.launch @transpose(%x) outs(%y : memref<4x4xf32>) : (memref<4x4xf32>) -> ()
  %o = mem.output 0 : memref<4x4xf32>
  exec.launch @neg(%y) outs(%o : memref<4x4xf32>) : (memref<4x4xf32>) -> ()
  return
}

// -----

// Written over an operand, but placed elsewhere.
exec.kernel @neg attributes {in_place = array<i64: 0>} {
^bb0(%a: tensor<16xf32>):
  %1 = aten.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  exec.return %1 : tensor<16xf32>
}
exec.kernel @first {
^bb0(%a: tensor<16xf32>):
  %1 = aten.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  exec.return %1 : tensor<16xf32>
}
func.func @step(%a: memref<16xf32>) attributes {mem.arena_bytes = 64 : i64, mem.output_types = [tensor<16xf32>]} {
  %x = mem.slice 0 : memref<16xf32>
  %o = mem.output 0 : memref<16xf32>
  exec.launch @first(%a) outs(%x : memref<16xf32>) : (memref<16xf32>) -> ()
  // expected-error @below {{must place result 0 where operand 0 is, as its kernel writes it there}}
  exec.launch @neg(%x) outs(%o : memref<16xf32>) : (memref<16xf32>) -> ()
  return
}

// -----

// The life of the root of a chain of reuse cut by hand: another value is placed
// there while the end of the chain is still read.
exec.kernel @over attributes {in_place = array<i64: 0>} {
^bb0(%a: tensor<16xf32>):
  %1 = aten.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  exec.return %1 : tensor<16xf32>
}
exec.kernel @neg {
^bb0(%a: tensor<16xf32>):
  %1 = aten.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  exec.return %1 : tensor<16xf32>
}
func.func @step(%a: memref<16xf32>) attributes {mem.arena_bytes = 64 : i64, mem.output_types = [tensor<16xf32>, tensor<16xf32>]} {
  %root = mem.slice 0 : memref<16xf32>
  // expected-note @below {{the value is placed here}}
  %end = mem.slice 0 : memref<16xf32>
  %other = mem.slice 0 : memref<16xf32>
  %o = mem.output 0 : memref<16xf32>
  %p = mem.output 1 : memref<16xf32>
  exec.launch @neg(%a) outs(%root : memref<16xf32>) : (memref<16xf32>) -> ()
  exec.launch @over(%root) outs(%end : memref<16xf32>) : (memref<16xf32>) -> ()
  exec.launch @neg(%a) outs(%other : memref<16xf32>) : (memref<16xf32>) -> ()
  exec.launch @neg(%other) outs(%o : memref<16xf32>) : (memref<16xf32>) -> ()
  // expected-error @below {{reads bytes [0, 64) of the arena after another value overwrote them}}
  exec.launch @neg(%end) outs(%p : memref<16xf32>) : (memref<16xf32>) -> ()
  return
}

// -----

// A value lent room in an output after that was written.
exec.kernel @neg {
^bb0(%a: tensor<16xf32>):
  %1 = aten.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  exec.return %1 : tensor<16xf32>
}
func.func @step(%a: memref<16xf32>) attributes {mem.arena_bytes = 0 : i64, mem.output_types = [tensor<16xf32>, tensor<16xf32>]} {
  // expected-note @below {{the value is placed here}}
  %o = mem.output 0 : memref<16xf32>
  %p = mem.output 1 : memref<16xf32>
  %x = mem.slice 0 of output 0 : memref<16xf32>
  exec.launch @neg(%a) outs(%o : memref<16xf32>) : (memref<16xf32>) -> ()
  exec.launch @neg(%a) outs(%x : memref<16xf32>) : (memref<16xf32>) -> ()
  exec.launch @neg(%x) outs(%p : memref<16xf32>) : (memref<16xf32>) -> ()
  // expected-error @below {{reads bytes [0, 64) of output 0 after another value overwrote them}}
  return
}

// -----

// expected-error @below {{never writes output 0}}
func.func @step(%a: memref<16xf32>) attributes {mem.arena_bytes = 0 : i64, mem.output_types = [tensor<16xf32>]} {
  return
}

// -----

// expected-error @below {{must hold a planned 'step' with 'mem.arena_bytes' and 'mem.output_types'}}
module {}
