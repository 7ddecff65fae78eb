// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM IR to a shared object, in parallel.
#include "lib/Lower/EmitObject.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Transforms/Utils/SplitModule.h"

#include <list>

using namespace mlir;
using namespace moelle;

// Parts that kernels are compiled in: more than threads, since parts are
// uneven; the same on every machine, so that artifacts are equal.
static constexpr unsigned kParts = 32;

namespace {

/// Requires of every symbol that an object leaves open that this process, and
/// so the runtime's, has it: else the code generator called a library of its
/// compiler, and the artifact would not load.
llvm::Error checkSymbols(llvm::StringRef bytes) {
  auto object = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(bytes, "kernels"));
  if (!object) {
    return object.takeError();
  }
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr); // this process
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name) {
      return llvm::joinErrors(flags.takeError(), name.takeError());
    }
    bool isOpen = *flags & llvm::object::SymbolRef::SF_Undefined;
    bool isLinkers = name->empty() || *name == "_GLOBAL_OFFSET_TABLE_";
    if (isOpen && !isLinkers &&
        !llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name->str())) {
      return llvm::createStringError("kernels must call functions of the C "
                                     "library only, but call '" +
                                     *name + "'");
    }
  }
  return llvm::Error::success();
}

/// Optimises one part and writes its object file.
llvm::Error compilePart(llvm::StringRef bitcode, const Target &target,
                        llvm::SmallVectorImpl<char> &object) {
  llvm::LLVMContext context; // contexts are not shared between threads
  auto ir = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "kernels"),
                                   context);
  if (!ir) {
    return ir.takeError();
  }
  auto created = createTargetMachine(target);
  if (!created) {
    return created.takeError();
  }
  llvm::TargetMachine *machine = created->get();
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
  llvm::PassBuilder builder(machine);
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(**ir, mam);
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager emit;
  if (machine->addPassesToEmitFile(emit, os, nullptr,
                                   llvm::CodeGenFileType::ObjectFile)) {
    return llvm::createStringError("the code generator must emit object files");
  }
  emit.run(**ir);
  return checkSymbols(llvm::StringRef(object.data(), object.size()));
}

/// A temporary file that is gone with this object.
struct TemporaryFile {
  llvm::SmallString<128> path;
  explicit TemporaryFile(llvm::StringRef suffix) {
    llvm::sys::fs::createTemporaryFile("moelle", suffix, path);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
};

llvm::Expected<std::string>
link(llvm::ArrayRef<llvm::SmallVector<char, 0>> objects) {
  auto linker = llvm::sys::findProgramByName("ld.lld-22", {});
  if (!linker) {
    linker = llvm::sys::findProgramByName("ld.lld", {"/usr/lib/llvm-22/bin"});
  }
  if (!linker) {
    return llvm::createStringError(
        "linking kernels needs 'ld.lld-22' on the PATH: install lld-22");
  }
  TemporaryFile out("so"), log("log");
  std::list<TemporaryFile> inputs;
  // Math functions stay undefined: the loader resolves them in libm.
  llvm::SmallVector<llvm::StringRef> arguments{
      *linker, "-shared",     "-O0",
      "-z",    "noexecstack", "--allow-shlib-undefined"};
  for (const auto &object : objects) {
    llvm::StringRef path = inputs.emplace_back("o").path;
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    os.write(object.data(), object.size());
    os.close();
    if (os.has_error()) {
      code = os.error();
      os.clear_error(); // else its destructor aborts
    }
    if (code) {
      return llvm::createStringError("cannot write '" + path +
                                     "': " + code.message());
    }
    arguments.push_back(path);
  }
  arguments.append({"-o", out.path});
  std::optional<llvm::StringRef> redirects[] = {
      std::nullopt, llvm::StringRef(log.path), llvm::StringRef(log.path)};
  if (llvm::sys::ExecuteAndWait(*linker, arguments, std::nullopt, redirects) !=
      0) {
    auto text = llvm::MemoryBuffer::getFile(log.path);
    return llvm::createStringError(
        "linking kernels failed: " +
        (text ? (*text)->getBuffer().str() : "no output"));
  }
  auto code = llvm::MemoryBuffer::getFile(out.path);
  if (!code) {
    return llvm::createStringError("cannot read '" + out.path + "'");
  }
  return (*code)->getBuffer().str();
}

} // namespace

FailureOr<std::string> moelle::emitSharedObject(ModuleOp module,
                                                const Target &target) {
  llvm::LLVMContext context;
  auto lowered = lowerToLLVM(module, context);
  if (failed(lowered)) {
    return failure();
  }
  llvm::Module &ir = **lowered;
  auto created = createTargetMachine(target);
  if (!created) {
    return module.emitError() << llvm::toString(created.takeError());
  }
  llvm::TargetMachine *machine = created->get();
  ir.setTargetTriple(machine->getTargetTriple());
  ir.setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : ir) {
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", machine->getTargetCPU());
      function.addFnAttr("target-features", machine->getTargetFeatureString());
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr(llvm::Attribute::NoUnwind);
    }
  }
  std::vector<std::string> parts;
  auto takePart = [&](std::unique_ptr<llvm::Module> part) {
    bool isEmpty = llvm::all_of(*part, [](const llvm::Function &function) {
      return function.isDeclaration();
    });
    if (!isEmpty) {
      llvm::raw_string_ostream os(parts.emplace_back());
      llvm::WriteBitcodeToFile(*part, os);
    }
  };
  llvm::SplitModule(ir, kParts, takePart, /*PreserveLocals=*/true);
  std::vector<llvm::SmallVector<char, 0>> objects(parts.size());
  std::vector<std::string> errors(parts.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency());
  for (size_t i = 0; i < parts.size(); ++i) {
    pool.async([&, i] {
      errors[i] = llvm::toString(compilePart(parts[i], target, objects[i]));
    });
  }
  pool.wait();
  for (const std::string &message : errors) {
    if (!message.empty()) {
      return module.emitError() << message;
    }
  }
  auto code = link(objects);
  if (!code) {
    return module.emitError() << llvm::toString(code.takeError());
  }
  return std::move(*code);
}
