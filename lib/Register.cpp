// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of dialects and passes, shared by all tools.
#include "moelle/Register.h"
#include "moelle/Passes.h"
#include "moelle/Pipeline.h"

#include "dialects/aten/Aten.h"
#include "dialects/exec/Exec.h"
#include "dialects/mem/Mem.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

void moelle::registerAll(mlir::DialectRegistry &registry) {
  registry.insert<aten::AtenDialect, exec::ExecDialect, mem::MemDialect,
                  mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect,
                  mlir::LLVM::LLVMDialect>();
}

void moelle::registerAllPasses() {
  mlir::registerTransformsPasses();
  registerFusePasses();
  registerMemoryPasses();
  registerLowerPasses();
  mlir::PassPipelineRegistration<>(
      "moelle-compile", "all passes from an imported step to a planned one",
      buildCompilePipeline);
}
