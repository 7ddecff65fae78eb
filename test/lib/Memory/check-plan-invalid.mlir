// RUN: moelle-opt --moelle-check-plan --split-input-file --verify-diagnostics %s

exec.kernel @two {
^bb0(%a: tensor<16xf32>, %b: tensor<16xf32>):
  %0 = aten.add.Tensor %a, %b {alpha = 1 : i64} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  exec.return %0 : tensor<16xf32>
}
func.func @step(%a: memref<16xf32>) attributes {mem.arena_bytes = 64 : i64} {
  // expected-note @below {{the value is placed here}}
  %x = mem.slice 0 : memref<16xf32>
  %y = mem.slice 0 : memref<16xf32>
  exec.launch @two(%a, %a) outs(%x : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  exec.launch @two(%a, %a) outs(%y : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  %o = mem.output 0 : memref<16xf32>
  // expected-error @below {{reads bytes [0, 64) after another value overwrote them}}
  exec.launch @two(%x, %y) outs(%o : memref<16xf32>) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
