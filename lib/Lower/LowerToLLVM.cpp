// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel functions to LLVM IR with the kernel C ABI.
#include "lib/Lower/BFloatBits.h"
#include "lib/Lower/EmitObject.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "moelle/Passes.h"
#include "llvm/IR/IRBuilder.h"

using namespace mlir;
using namespace moelle;

namespace {

LogicalResult runLowering(ModuleOp module) {
  PassManager pm(module.getContext());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createExpandExpPass());
  arith::ArithExpandOpsPassOptions expand; // floor divisions too
  // Not every CPU converts bf16, and those that do flush subnormals. Before the
  // canonicaliser, which makes one rounding of two: int to f32 to bf16.
  expand.includeBf16 = true;
  function.addPass(arith::createArithExpandOpsPass(expand));
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  ConvertMathToLLVMPassOptions math;
  math.approximateLog1p = false; // log(1 + x) loses small x
  pm.addPass(createConvertMathToLLVMPass(math));
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions options;
  options.useBarePtrCallConv = true; // one pointer a buffer
  pm.addPass(createConvertFuncToLLVMPass(options));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  return pm.run(module);
}

/// Wraps each function in one of the kernel C ABI that takes over its name.
void wrapFunctions(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0),
             *i64 = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, i64, i64, pointer}, false);
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module) {
    if (!function.isDeclaration()) {
      functions.push_back(&function);
    }
  }
  for (llvm::Function *body : functions) {
    std::string name = body->getName().str();
    body->setName(name + ".body");
    body->setLinkage(llvm::GlobalValue::InternalLinkage);
    body->addFnAttr(llvm::Attribute::AlwaysInline);
    auto *entry = llvm::Function::Create(
        type, llvm::GlobalValue::ExternalLinkage, name, module);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", entry));
    llvm::SmallVector<llvm::Value *> arguments;
    unsigned buffers = body->arg_size() - 3;
    for (unsigned i = 0; i < buffers; ++i) {
      llvm::Value *slot =
          b.CreateConstInBoundsGEP1_64(pointer, entry->getArg(0), i);
      arguments.push_back(b.CreateLoad(pointer, slot));
    }
    for (unsigned i = 1; i < 4; ++i) {
      arguments.push_back(entry->getArg(i));
    }
    b.CreateCall(body, arguments);
    b.CreateRetVoid();
  }
}

} // namespace

FailureOr<std::unique_ptr<llvm::Module>>
moelle::lowerToLLVM(ModuleOp module, llvm::LLVMContext &context) {
  if (failed(runLowering(module))) {
    return failure();
  }
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> ir =
      translateModuleToLLVMIR(module, context, "kernels");
  if (!ir) {
    return module.emitError("kernels must translate to LLVM IR");
  }
  keepBFloatsInIntegers(*ir);
  wrapFunctions(*ir);
  return ir;
}
