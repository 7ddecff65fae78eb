// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes commands, kernels and signature as FlatBuffers.
#include "lib/Lower/WriteArtifact.h"

#include "dialects/mem/Mem.h"
#include "lib/Lower/EmitKernels.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "runtime/ArtifactFormat.h"
#include "runtime/artifact_generated.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace moelle;
namespace art = moelle::artifact;

namespace {

art::DType dtypeOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    return complex.getElementType().isF32() ? art::DType::Complex64
                                            : art::DType::None;
  }
  if (element.isBF16()) {
    return art::DType::BF16;
  }
  bool isFloat = isa<FloatType>(element);
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return art::DType::Bool;
  case 8:
    return element.isUnsignedInteger() ? art::DType::U8 : art::DType::I8;
  case 16:
    return isFloat ? art::DType::F16 : art::DType::I16;
  case 32:
    return isFloat ? art::DType::F32 : art::DType::I32;
  default:
    return isFloat ? art::DType::F64 : art::DType::I64;
  }
}

art::TensorKind kindOf(StringRef name) {
  return llvm::StringSwitch<art::TensorKind>(name)
      .Case("parameter", art::TensorKind::Parameter)
      .Case("buffer", art::TensorKind::Buffer)
      .Case("constant", art::TensorKind::Constant)
      .Case("input", art::TensorKind::Input)
      .Case("loss", art::TensorKind::Loss)
      .Case("gradient", art::TensorKind::Gradient)
      .Case("input_gradient", art::TensorKind::InputGradient)
      .Case("mutation", art::TensorKind::Mutation)
      .Default(art::TensorKind::Output);
}

std::vector<int64_t> shapeOf(ShapedType type) {
  return {type.getShape().begin(), type.getShape().end()};
}

/// The nodes of the export that an op was made of, each once: `parts` of fused
/// locations that name a node.
void collectNodes(Location loc, llvm::SetVector<Location> &nodes) {
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && !fused.getMetadata()) {
    for (Location part : fused.getLocations()) {
      collectNodes(part, nodes);
    }
  } else if (!isa<UnknownLoc>(loc)) {
    nodes.insert(loc);
  }
}

/// Where a node came from, as far as the export recorded it.
art::SourceT sourceOf(Location loc) {
  art::SourceT source;
  loc->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part); name && source.node.empty()) {
      source.node = name.getName().str();
    } else if (auto file = dyn_cast<FileLineColLoc>(part);
               file && source.file.empty()) {
      source.file = file.getFilename().str();
      source.line = file.getLine();
    } else if (auto fused = dyn_cast<FusedLoc>(part)) {
      if (auto modules = dyn_cast_or_null<StringAttr>(fused.getMetadata())) {
        source.module_path = modules.str();
      }
    }
    return WalkResult::advance();
  });
  return source;
}

class Writer {
public:
  Writer(ModuleOp module, const Target &target, StringRef source)
      : module(module), target(target) {
    program.source_archive = source.str();
  }
  FailureOr<std::string> write();

private:
  std::unique_ptr<art::TensorT> tensor(ShapedType type, DictionaryAttr attrs,
                                       StringRef role, const Twine &fallback);
  LogicalResult kernels();
  void commands(func::FuncOp step);
  LogicalResult setTarget();
  uint32_t bufferOf(Value value);
  uint32_t indexOf(Location node);

  ModuleOp module;
  const Target &target;
  art::ProgramT program;
  llvm::DenseMap<Value, uint32_t> bufferIndex;
  llvm::StringMap<uint32_t> kernelIndex;
  llvm::DenseMap<Location, uint32_t> sourceIndex;
};

std::unique_ptr<art::TensorT> Writer::tensor(ShapedType type,
                                             DictionaryAttr attrs,
                                             StringRef role,
                                             const Twine &fallback) {
  auto result = std::make_unique<art::TensorT>();
  auto text = [&](StringRef key, const Twine &otherwise) {
    auto attr = attrs ? attrs.getAs<StringAttr>(key) : StringAttr();
    return attr ? attr.str() : otherwise.str();
  };
  result->name = text(exec::kNameAttr, fallback);
  result->kind = kindOf(text(exec::kKindAttr, role));
  result->dtype = dtypeOf(type.getElementType());
  result->shape = shapeOf(type);
  return result;
}

uint32_t Writer::bufferOf(Value value) {
  auto [it, isNew] = bufferIndex.try_emplace(value, program.buffers.size());
  if (isNew) {
    auto type = cast<ShapedType>(value.getType());
    auto buffer = std::make_unique<art::BufferT>();
    buffer->bytes = mem::getByteSize(type);
    buffer->dtype = dtypeOf(type.getElementType());
    buffer->shape = shapeOf(type);
    if (auto slice = value.getDefiningOp<mem::SliceOp>()) {
      buffer->space =
          slice.getOutput() ? art::Space::Output : art::Space::Arena;
      buffer->index = slice.getOutput().value_or(0);
      buffer->offset = slice.getOffset();
    } else if (auto output = value.getDefiningOp<mem::OutputOp>()) {
      buffer->space = art::Space::Output;
      buffer->index = output.getIndex();
    } else {
      buffer->space = art::Space::Input;
      buffer->index = cast<BlockArgument>(value).getArgNumber();
    }
    program.buffers.push_back(std::move(buffer));
  }
  return it->second;
}

uint32_t Writer::indexOf(Location node) {
  auto [it, isNew] = sourceIndex.try_emplace(node, program.sources.size());
  if (isNew) {
    program.sources.push_back(std::make_unique<art::SourceT>(sourceOf(node)));
  }
  return it->second;
}

LogicalResult Writer::kernels() {
  OwningOpRef<ModuleOp> code = ModuleOp::create(module.getLoc());
  for (auto kernel : module.getOps<exec::KernelOp>()) {
    auto shape = emitKernel(kernel, *code);
    if (failed(shape)) {
      return failure();
    }
    auto entry = std::make_unique<art::KernelT>();
    entry->symbol = kernel.getSymName().str();
    entry->grid = shape->items;
    entry->grain = shape->grain;
    entry->scratch_bytes = shape->scratchBytes;
    for (Value value : kernel.getBlock().getArguments()) {
      entry->operands.emplace_back(
          mem::getByteSize(cast<ShapedType>(value.getType())), false);
    }
    for (Value value : kernel.getReturned()) {
      entry->operands.emplace_back(
          mem::getByteSize(cast<ShapedType>(value.getType())), true);
    }
    for (const art::Operand &operand : entry->operands) {
      entry->bytes += operand.bytes();
    }
    for (Operation &op : kernel.getBlock().without_terminator()) {
      entry->labels.push_back(op.getName().getStringRef().str());
    }
    kernelIndex[kernel.getSymName()] = program.kernels.size();
    program.kernels.push_back(std::move(entry));
  }
  if (program.kernels.empty()) {
    return success();
  }
  auto object = emitSharedObject(*code, target);
  if (failed(object)) {
    return failure();
  }
  program.code.assign(object->begin(), object->end());
  return success();
}

void Writer::commands(func::FuncOp step) {
  for (Operation &op : step.front()) {
    auto command = std::make_unique<art::CommandT>();
    if (auto launch = dyn_cast<exec::LaunchOp>(op)) {
      art::LaunchT action;
      action.kernel = kernelIndex.lookup(launch.getCallee());
      for (Value value : launch->getOperands()) {
        action.operands.push_back(bufferOf(value));
      }
      command->action.Set(std::move(action));
    } else if (auto copy = dyn_cast<mem::CopyOp>(op)) {
      art::CopyT action;
      action.source = bufferOf(copy.getSource());
      action.destination = bufferOf(copy.getTarget());
      command->action.Set(std::move(action));
    } else if (auto check = dyn_cast<exec::CheckRangeOp>(op)) {
      art::CheckT action;
      action.value = bufferOf(check.getValue());
      action.low = check.getLowAttr().getInt();
      action.high = check.getHighAttr().getInt();
      action.what = check.getWhat().str();
      command->action.Set(std::move(action));
    } else {
      continue;
    }
    llvm::SetVector<Location> nodes;
    collectNodes(op.getLoc(), nodes);
    for (Location node : nodes) {
      command->sources.push_back(indexOf(node));
    }
    program.commands.push_back(std::move(command));
  }
}

/// What the code needs of the CPU: checked before it runs anywhere.
LogicalResult Writer::setTarget() {
  auto machine = createTargetMachine(target);
  if (!machine) {
    return module.emitError() << llvm::toString(machine.takeError());
  }
  program.target_triple = (*machine)->getTargetTriple().str();
  program.cpu_features = getRequiredFeatures(**machine);
  return success();
}

FailureOr<std::string> Writer::write() {
  auto step = module.lookupSymbol<func::FuncOp>(exec::kStepName);
  auto arena = step ? step->getAttrOfType<IntegerAttr>(mem::kArenaBytesAttr)
                    : IntegerAttr();
  if (!arena) {
    return module.emitError()
           << "must hold a planned '" << exec::kStepName << "'";
  }
  module.getContext()
      ->loadDialect<arith::ArithDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect, LLVM::LLVMDialect,
                    func::FuncDialect>();
  if (failed(setTarget()) || failed(kernels())) {
    return failure();
  }
  commands(step);
  for (BlockArgument argument : step.getArguments()) {
    unsigned i = argument.getArgNumber();
    program.inputs.push_back(tensor(cast<ShapedType>(argument.getType()),
                                    step.getArgAttrDict(i), "input",
                                    "input" + Twine(i)));
  }
  auto types = step->getAttrOfType<ArrayAttr>(mem::kOutputTypesAttr),
       attrs = step->getAttrOfType<ArrayAttr>("mem.outputs");
  for (auto [i, type] : llvm::enumerate(types)) {
    auto dictionary = attrs && i < attrs.size()
                          ? dyn_cast<DictionaryAttr>(attrs[i])
                          : DictionaryAttr();
    program.outputs.push_back(
        tensor(cast<ShapedType>(cast<TypeAttr>(type).getValue()), dictionary,
               "output", "output" + Twine(i)));
  }
  auto number = [&](StringRef name) {
    return static_cast<uint64_t>(
        step->getAttrOfType<IntegerAttr>(name).getInt());
  };
  program.producer = "moelle 0.1.0";
  program.arena_bytes = arena.getInt();
  program.plan = std::make_unique<art::PlanT>();
  program.plan->peak = arena.getInt();
  program.plan->lower_bound = number("mem.lower_bound");
  program.plan->naive_bound = number("mem.naive_bytes");
  flatbuffers::FlatBufferBuilder b;
  b.ForceDefaults(false);
  art::FinishProgramBuffer(b, art::Program::Pack(b, &program));
  art::Header header = art::makeHeader(b.GetBufferPointer(), b.GetSize());
  std::string file(reinterpret_cast<const char *>(&header), sizeof(header));
  file.append(reinterpret_cast<const char *>(b.GetBufferPointer()),
              b.GetSize());
  return file;
}

} // namespace

FailureOr<std::string>
moelle::writeArtifact(ModuleOp module, const Target &target, StringRef source) {
  return Writer(module, target, source).write();
}
