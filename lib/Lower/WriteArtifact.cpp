// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes commands, kernels and signature as FlatBuffers.
#include "lib/Lower/WriteArtifact.h"

#include "dialects/mem/Mem.h"
#include "lib/Lower/EmitKernels.h"
#include "llvm/TargetParser/Host.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "runtime/ArtifactFormat.h"
#include "runtime/artifact_generated.h"

using namespace mlir;
using namespace moelle;
namespace art = moelle::artifact;

namespace {

art::DType dtypeOf(Type element) {
  if (isa<ComplexType>(element)) {
    return art::DType::c64;
  }
  if (element.isBF16()) {
    return art::DType::bf16;
  }
  bool isFloat = isa<FloatType>(element);
  switch (element.getIntOrFloatBitWidth()) {
  case 1: return art::DType::boolean;
  case 8: return element.isUnsignedInteger() ? art::DType::u8 : art::DType::i8;
  case 16: return isFloat ? art::DType::f16 : art::DType::i16;
  case 32: return isFloat ? art::DType::f32 : art::DType::i32;
  default: return isFloat ? art::DType::f64 : art::DType::i64;
  }
}

art::Kind kindOf(StringRef name) {
  for (auto kind : art::EnumValuesKind()) {
    if (name == art::EnumNameKind(kind)) {
      return kind;
    }
  }
  return art::Kind::output;
}

class Writer {
public:
  Writer(ModuleOp module, const Target &target, StringRef source) : module(module), target(target), source(source) {}
  FailureOr<std::string> write();

private:
  using Tensors = std::vector<flatbuffers::Offset<art::Tensor>>;
  flatbuffers::Offset<art::Tensor> tensor(ShapedType type, DictionaryAttr attrs, StringRef fallback);
  uint32_t bufferOf(Value value);
  std::string locationOf(Location loc);

  ModuleOp module;
  const Target &target;
  StringRef source;
  flatbuffers::FlatBufferBuilder b;
  std::vector<flatbuffers::Offset<art::Buffer>> buffers;
  llvm::DenseMap<Value, uint32_t> bufferIndex;
};

flatbuffers::Offset<art::Tensor> Writer::tensor(ShapedType type, DictionaryAttr attrs, StringRef fallback) {
  auto text = [&](StringRef key, StringRef otherwise) {
    auto attr = attrs ? attrs.getAs<StringAttr>(key) : StringAttr();
    return (attr ? attr.getValue() : otherwise).str();
  };
  std::vector<int64_t> shape(type.getShape().begin(), type.getShape().end());
  return art::CreateTensorDirect(b, text(exec::kNameAttr, fallback).c_str(), dtypeOf(type.getElementType()), &shape,
                                 kindOf(text(exec::kKindAttr, "output")));
}

uint32_t Writer::bufferOf(Value value) {
  auto [it, isNew] = bufferIndex.try_emplace(value, buffers.size());
  if (isNew) {
    uint64_t bytes = mem::getByteSize(cast<ShapedType>(value.getType()));
    art::Space space = art::Space::input;
    uint32_t index = 0;
    uint64_t offset = 0;
    if (auto slice = value.getDefiningOp<mem::SliceOp>()) {
      space = art::Space::arena;
      offset = slice.getOffset();
    } else if (auto output = value.getDefiningOp<mem::OutputOp>()) {
      space = art::Space::output;
      index = output.getIndex();
    } else {
      index = cast<BlockArgument>(value).getArgNumber();
    }
    buffers.push_back(art::CreateBuffer(b, space, index, offset, bytes));
  }
  return it->second;
}

std::string Writer::locationOf(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    std::string text = name.getName().str(), inner = locationOf(name.getChildLoc());
    return inner.empty() ? text : text + " (" + inner + ")";
  }
  if (auto file = dyn_cast<FileLineColLoc>(loc)) {
    return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
  }
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && !fused.getLocations().empty()) {
    return locationOf(fused.getLocations().front());
  }
  return "";
}

FailureOr<std::string> Writer::write() {
  auto step = module.lookupSymbol<func::FuncOp>(exec::kStepName);
  auto arena = step ? step->getAttrOfType<IntegerAttr>(mem::kArenaBytesAttr) : IntegerAttr();
  if (!arena) {
    return module.emitError() << "must hold a planned '" << exec::kStepName << "'";
  }
  module.getContext()->loadDialect<arith::ArithDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                                   vector::VectorDialect, LLVM::LLVMDialect, func::FuncDialect>();
  OwningOpRef<ModuleOp> code = ModuleOp::create(module.getLoc());
  llvm::StringMap<uint32_t> kernelIndex;
  std::vector<flatbuffers::Offset<art::Kernel>> kernels;
  for (auto kernel : module.getOps<exec::KernelOp>()) {
    auto shape = emitKernel(kernel, *code);
    if (failed(shape)) {
      return failure();
    }
    std::vector<uint64_t> bytes;
    std::vector<uint8_t> written;
    for (Value value : kernel.getBlock().getArguments()) {
      bytes.push_back(mem::getByteSize(cast<ShapedType>(value.getType())));
      written.push_back(0);
    }
    for (Value value : kernel.getReturned()) {
      bytes.push_back(mem::getByteSize(cast<ShapedType>(value.getType())));
      written.push_back(1);
    }
    kernelIndex[kernel.getSymName()] = kernels.size();
    std::string symbol = kernel.getSymName().str();
    kernels.push_back(art::CreateKernelDirect(b, symbol.c_str(), shape->items, shape->grain, shape->scratchBytes, &bytes, &written));
  }
  std::string object;
  if (!kernels.empty()) {
    auto emitted = emitSharedObject(*code, target);
    if (failed(emitted)) {
      return failure();
    }
    object = std::move(*emitted);
  }
  std::vector<flatbuffers::Offset<art::Command>> commands;
  for (Operation &op : step.front()) {
    flatbuffers::Offset<void> action;
    art::Action kind = art::Action::NONE;
    if (auto launch = dyn_cast<exec::LaunchOp>(op)) {
      std::vector<uint32_t> operands;
      for (Value value : launch->getOperands()) {
        operands.push_back(bufferOf(value));
      }
      kind = art::Action::Launch;
      action = art::CreateLaunchDirect(b, kernelIndex.lookup(launch.getCallee()), &operands).Union();
    } else if (auto copy = dyn_cast<mem::CopyOp>(op)) {
      uint32_t from = bufferOf(copy.getSource()), to = bufferOf(copy.getTarget());
      kind = art::Action::Copy;
      action = art::CreateCopy(b, from, to).Union();
    } else {
      continue;
    }
    commands.push_back(art::CreateCommandDirect(b, kind, action, locationOf(op.getLoc()).c_str()));
  }
  Tensors inputs, outputs;
  for (BlockArgument argument : step.getArguments()) {
    inputs.push_back(tensor(cast<ShapedType>(argument.getType()), step.getArgAttrDict(argument.getArgNumber()), ("input" + Twine(argument.getArgNumber())).str()));
  }
  auto types = step->getAttrOfType<ArrayAttr>("mem.output_types"), attrs = step->getAttrOfType<ArrayAttr>("mem.outputs");
  for (auto [i, type] : llvm::enumerate(types)) {
    auto dictionary = attrs && i < attrs.size() ? dyn_cast<DictionaryAttr>(attrs[i]) : DictionaryAttr();
    outputs.push_back(tensor(cast<ShapedType>(cast<TypeAttr>(type).getValue()), dictionary, ("output" + Twine(i)).str()));
  }
  std::string cpu = target.cpu.empty() ? llvm::sys::getHostCPUName().str() : target.cpu;
  std::vector<flatbuffers::Offset<flatbuffers::String>> features;
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  if (target.cpu.empty() && host.lookup("avx2")) {
    features.push_back(b.CreateString("avx2"));
    if (host.lookup("avx512f")) {
      features.push_back(b.CreateString("avx512f"));
    }
  }
  std::vector<uint8_t> bytes(object.begin(), object.end());
  auto number = [&](StringRef name) { return static_cast<uint64_t>(step->getAttrOfType<IntegerAttr>(name).getInt()); };
  b.Finish(art::CreateProgramDirect(b, "moelle 0.1.0", cpu.c_str(), &features, 1, arena.getInt(), number("mem.lower_bound"), number("mem.naive_bytes"),
                                    &inputs, &outputs, &buffers, &kernels, &commands, &bytes, source.str().c_str()));
  ArtifactHeader header = makeArtifactHeader(b.GetBufferPointer(), b.GetSize());
  std::string file(reinterpret_cast<const char *>(&header), sizeof(header));
  file.append(reinterpret_cast<const char *>(b.GetBufferPointer()), b.GetSize());
  return file;
}

} // namespace

FailureOr<std::string> moelle::writeArtifact(ModuleOp module, const Target &target, StringRef source) {
  return Writer(module, target, source).write();
}
