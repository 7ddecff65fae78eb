// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel functions through LLVM to a shared object.
#include "lib/Lower/EmitObject.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace moelle;

namespace {

LogicalResult lowerToLLVM(ModuleOp module) {
  PassManager pm(module.getContext());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(arith::createArithExpandOpsPass()); // floor divisions, bf16
  function.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
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
  llvm::Type *pointer = llvm::PointerType::get(context, 0), *i64 = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, i64, i64, pointer}, false);
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
    auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", entry));
    llvm::SmallVector<llvm::Value *> arguments;
    unsigned buffers = body->arg_size() - 3;
    for (unsigned i = 0; i < buffers; ++i) {
      llvm::Value *slot = b.CreateConstInBoundsGEP1_64(pointer, entry->getArg(0), i);
      arguments.push_back(b.CreateLoad(pointer, slot));
    }
    for (unsigned i = 1; i < 4; ++i) {
      arguments.push_back(entry->getArg(i));
    }
    b.CreateCall(body, arguments);
    b.CreateRetVoid();
  }
}

std::unique_ptr<llvm::TargetMachine> createMachine(const Target &target, std::string &error) {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found) {
    return nullptr;
  }
  std::string cpu = target.cpu.empty() ? llvm::sys::getHostCPUName().str() : target.cpu;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, cpu, target.features, options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// A temporary file that is gone with this object.
struct TemporaryFile {
  llvm::SmallString<128> path;
  explicit TemporaryFile(StringRef suffix) { llvm::sys::fs::createTemporaryFile("moelle", suffix, path); }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
};

FailureOr<std::string> link(ModuleOp module, ArrayRef<char> object) {
  auto linker = llvm::sys::findProgramByName("ld.lld-22", {});
  if (!linker) {
    linker = llvm::sys::findProgramByName("ld.lld", {"/usr/lib/llvm-22/bin"});
  }
  if (!linker) {
    return module.emitError("linking kernels needs 'ld.lld-22' on the PATH: install lld-22");
  }
  TemporaryFile in("o"), out("so"), log("log");
  {
    std::error_code code;
    llvm::raw_fd_ostream os(in.path, code);
    os.write(object.data(), object.size());
    os.close();
    if (code || os.has_error()) {
      return module.emitError() << "can not write '" << in.path << "': " << code.message();
    }
  }
  // Math functions stay undefined: the loader resolves them in libm.
  StringRef arguments[] = {*linker, "-shared", "-O0", "-z", "noexecstack", "--allow-shlib-undefined", in.path, "-o", out.path};
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log.path), StringRef(log.path)};
  if (llvm::sys::ExecuteAndWait(*linker, arguments, std::nullopt, redirects) != 0) {
    auto text = llvm::MemoryBuffer::getFile(log.path);
    return module.emitError() << "linking kernels failed: " << (text ? (*text)->getBuffer() : StringRef("no output"));
  }
  auto code = llvm::MemoryBuffer::getFile(out.path);
  if (!code) {
    return module.emitError() << "can not read '" << out.path << "'";
  }
  return (*code)->getBuffer().str();
}

} // namespace

FailureOr<std::string> moelle::emitSharedObject(ModuleOp module, const Target &target) {
  if (failed(lowerToLLVM(module))) {
    return failure();
  }
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> ir = translateModuleToLLVMIR(module, context, "kernels");
  if (!ir) {
    return module.emitError("kernels must translate to LLVM IR");
  }
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target, error);
  if (!machine) {
    return module.emitError() << "no code generator for this machine: " << error;
  }
  ir->setTargetTriple(machine->getTargetTriple());
  ir->setDataLayout(machine->createDataLayout());
  wrapFunctions(*ir);
  for (llvm::Function &function : *ir) {
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", machine->getTargetCPU());
      function.addFnAttr("target-features", machine->getTargetFeatureString());
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr(llvm::Attribute::NoUnwind);
    }
  }
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
  llvm::PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(*ir, mam);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager emit;
  if (machine->addPassesToEmitFile(emit, os, nullptr, llvm::CodeGenFileType::ObjectFile)) {
    return module.emitError("the code generator must emit object files");
  }
  emit.run(*ir);
  return link(module, object);
}
