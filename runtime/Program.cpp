// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verification of artifacts and loading of their code.
#include "runtime/Program.h"

#include "runtime/ArtifactFormat.h"

#include <cerrno>
#include <dlfcn.h>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

using namespace moelle;
namespace art = moelle::artifact;

uint64_t moelle::getElementSize(art::DType dtype) {
  switch (dtype) {
  case art::DType::i8: case art::DType::u8: case art::DType::boolean: return 1;
  case art::DType::f16: case art::DType::bf16: case art::DType::i16: return 2;
  case art::DType::f32: case art::DType::i32: return 4;
  case art::DType::f64: case art::DType::i64: case art::DType::c64: return 8;
  default: return 0;
  }
}

namespace {

std::string quoted(const flatbuffers::String *text) { return "'" + (text ? text->str() : std::string()) + "'"; }

bool getTensorBytes(const art::Tensor &tensor, uint64_t &bytes) {
  bytes = getElementSize(tensor.dtype());
  bool fits = bytes != 0 && tensor.shape()->size() <= 64;
  for (int64_t size : *tensor.shape()) {
    fits = fits && size >= 0 && !__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes);
  }
  return fits && bytes <= INT64_MAX;
}

Status verifyTensors(const flatbuffers::Vector<flatbuffers::Offset<art::Tensor>> &tensors, const char *what) {
  std::set<std::string> names;
  for (const art::Tensor *tensor : tensors) {
    uint64_t bytes = 0;
    if (!getTensorBytes(*tensor, bytes) || tensor->kind() > art::Kind::output) {
      return Status::invalidArtifact(std::string(what) + " " + quoted(tensor->name()) + " must have a known dtype and kind and a size below 2^63");
    }
    if (!names.insert(tensor->name()->str()).second) {
      return Status::invalidArtifact("names " + std::string(what) + " " + quoted(tensor->name()) + " twice");
    }
  }
  return {};
}

Status verifyBuffers(const art::Program &p) {
  for (uint32_t i = 0; i < p.buffers()->size(); ++i) {
    const art::Buffer &buffer = *p.buffers()->Get(i);
    std::string name = "buffer " + std::to_string(i);
    if (buffer.space() == art::Space::arena) {
      if (buffer.offset() % 64 != 0 || buffer.offset() > p.arena_bytes() || buffer.bytes() > p.arena_bytes() - buffer.offset()) {
        return Status::invalidArtifact(name + " must be an aligned range of the arena of " + std::to_string(p.arena_bytes()) + " bytes, but is " + std::to_string(buffer.bytes()) + " bytes at " + std::to_string(buffer.offset()));
      }
      continue;
    }
    if (buffer.space() > art::Space::arena) {
      return Status::invalidArtifact(name + " must lie in a known space");
    }
    const auto &tensors = buffer.space() == art::Space::input ? *p.inputs() : *p.outputs();
    uint64_t bytes = 0;
    if (buffer.index() >= tensors.size() || !getTensorBytes(*tensors.Get(buffer.index()), bytes) || bytes != buffer.bytes()) {
      return Status::invalidArtifact(name + " must be one of " + std::to_string(tensors.size()) + " tensors with its size, but names " + std::to_string(buffer.index()) + " with " + std::to_string(buffer.bytes()) + " bytes");
    }
  }
  return {};
}

Status verifyCommand(const art::Program &p, const art::Command &command, const std::string &name) {
  auto isWritable = [&](uint32_t index) { return p.buffers()->Get(index)->space() != art::Space::input; };
  if (const art::Copy *copy = command.action_as_Copy()) {
    uint32_t count = p.buffers()->size();
    if (copy->source() >= count || copy->target() >= count || !isWritable(copy->target()) ||
        p.buffers()->Get(copy->source())->bytes() != p.buffers()->Get(copy->target())->bytes()) {
      return Status::invalidArtifact(name + " must copy between buffers of one size, not into an input");
    }
    return {};
  }
  const art::Launch *launch = command.action_as_Launch();
  if (!launch || launch->kernel() >= p.kernels()->size()) {
    return Status::invalidArtifact(name + " must launch one of " + std::to_string(p.kernels()->size()) + " kernels");
  }
  const art::Kernel &kernel = *p.kernels()->Get(launch->kernel());
  if (launch->operands()->size() != kernel.operand_bytes()->size()) {
    return Status::invalidArtifact(name + " must pass " + std::to_string(kernel.operand_bytes()->size()) + " operands to " + quoted(kernel.symbol()) + ", but passes " + std::to_string(launch->operands()->size()));
  }
  for (uint32_t i = 0; i < launch->operands()->size(); ++i) {
    uint32_t operand = launch->operands()->Get(i);
    if (operand >= p.buffers()->size() || p.buffers()->Get(operand)->bytes() != kernel.operand_bytes()->Get(i) ||
        (kernel.written()->Get(i) && !isWritable(operand))) {
      return Status::invalidArtifact(name + " must pass " + quoted(kernel.symbol()) + " a buffer of " + std::to_string(kernel.operand_bytes()->Get(i)) + " bytes as operand " + std::to_string(i));
    }
  }
  return {};
}

bool hasFeature(const std::string &name) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (name == "avx2") {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
  if (name == "avx512f") {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  }
#endif
  return name.empty();
}

} // namespace

Status moelle::verifyPayload(const uint8_t *payload, size_t size, const art::Program *&program) {
  flatbuffers::Verifier verifier(payload, size, /*max_depth=*/16, /*max_tables=*/100000000);
  if (!verifier.VerifyBuffer<art::Program>(nullptr)) {
    return Status::invalidArtifact("must be well-formed: its structure is damaged");
  }
  const art::Program &p = *flatbuffers::GetRoot<art::Program>(payload);
  if (p.arena_bytes() > (uint64_t(1) << 60) || p.world_size() == 0) {
    return Status::invalidArtifact("must have an arena below 2^60 bytes and a world of at least 1 rank");
  }
  RETURN_IF_ERROR(verifyTensors(*p.inputs(), "input"));
  RETURN_IF_ERROR(verifyTensors(*p.outputs(), "output"));
  RETURN_IF_ERROR(verifyBuffers(p));
  for (const art::Kernel *kernel : *p.kernels()) {
    if (kernel->items() < 0 || kernel->grain() < 1 || kernel->scratch_bytes() > (uint64_t(1) << 40) ||
        kernel->operand_bytes()->size() != kernel->written()->size() || kernel->symbol()->size() == 0) {
      return Status::invalidArtifact("kernel " + quoted(kernel->symbol()) + " must have a symbol, items >= 0, grain >= 1 and scratch below 2^40 bytes");
    }
  }
  for (uint32_t i = 0; i < p.commands()->size(); ++i) {
    RETURN_IF_ERROR(verifyCommand(p, *p.commands()->Get(i), "command " + std::to_string(i)));
  }
  program = &p;
  return {};
}

Status moelle::verifyArtifact(const void *data, size_t size, const art::Program *&program) {
  ArtifactHeader header;
  if (size < sizeof(header)) {
    return Status::invalidArtifact("must have a header of 64 bytes, but the file has " + std::to_string(size));
  }
  std::memcpy(&header, data, sizeof(header));
  if (std::memcmp(header.magic, kArtifactMagic, sizeof(kArtifactMagic)) != 0) {
    return Status::invalidArtifact("must begin with the magic of a .moelle file");
  }
  if (header.version != kArtifactVersion) {
    return Status::invalidArtifact("has format version " + std::to_string(header.version) + ", but this runtime reads version " + std::to_string(kArtifactVersion));
  }
  const auto *payload = static_cast<const uint8_t *>(data) + sizeof(header);
  if (header.payloadSize != size - sizeof(header)) {
    return Status::invalidArtifact("must have " + std::to_string(header.payloadSize) + " bytes of payload, but the file has " + std::to_string(size - sizeof(header)));
  }
  XXH128_hash_t hash = XXH3_128bits(payload, header.payloadSize);
  if (hash.low64 != header.hash[0] || hash.high64 != header.hash[1]) {
    return Status::invalidArtifact("is damaged: its hash does not match its content");
  }
  return verifyPayload(payload, header.payloadSize, program);
}

uint64_t Program::getBytes(const art::Tensor &tensor) const {
  uint64_t bytes = 0;
  getTensorBytes(tensor, bytes);
  return bytes;
}

Status Program::load(std::vector<char> data, std::unique_ptr<Program> &program) {
  std::unique_ptr<Program> loaded(new Program());
  loaded->data = std::move(data);
  RETURN_IF_ERROR(verifyArtifact(loaded->data.data(), loaded->data.size(), loaded->payload));
  std::string missing;
  for (const flatbuffers::String *feature : *loaded->payload->features()) {
    if (!hasFeature(feature->str())) {
      missing += (missing.empty() ? "'" : ", '") + feature->str() + "'";
    }
  }
  if (!missing.empty()) {
    return {MOELLE_UNSUPPORTED, "artifact needs a CPU with " + missing + ", which this one lacks: compile for this machine"};
  }
  RETURN_IF_ERROR(loaded->loadCode());
  program = std::move(loaded);
  return {};
}

Status Program::loadCode() {
  for (const art::Kernel *kernel : *payload->kernels()) {
    scratchBytes = std::max<uint64_t>(scratchBytes, kernel->scratch_bytes());
  }
  for (const art::Command *command : *payload->commands()) {
    const art::Launch *launch = command->action_as_Launch();
    const art::Kernel *kernel = launch ? payload->kernels()->Get(launch->kernel()) : nullptr;
    std::string label = kernel ? kernel->symbol()->str() : "copy";
    if (command->location()) {
      label += " @ " + command->location()->str();
    }
    labels.push_back(label);
  }
  if (payload->kernels()->size() == 0) {
    return {};
  }
  int fd = memfd_create("moelle-kernels", MFD_CLOEXEC);
  const uint8_t *code = payload->code()->data();
  size_t size = payload->code()->size(), written = 0;
  while (fd >= 0 && written < size) {
    ssize_t count = write(fd, code + written, size - written);
    if (count <= 0) {
      close(fd);
      fd = -1;
    }
    written += count > 0 ? count : 0;
  }
  if (fd < 0) {
    return {MOELLE_IO, std::string("can not hold the kernels' code in memory: ") + std::strerror(errno)};
  }
  std::string path = "/proc/self/fd/" + std::to_string(fd);
  dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(fd);
  if (!library) {
    return Status::invalidArtifact(std::string("holds code that can not be loaded: ") + dlerror());
  }
  for (const art::Kernel *kernel : *payload->kernels()) {
    void *symbol = dlsym(library, kernel->symbol()->c_str());
    if (!symbol) {
      return Status::invalidArtifact("must define kernel " + quoted(kernel->symbol()) + " in its code");
    }
    kernels.push_back(reinterpret_cast<KernelFunction>(symbol));
  }
  return {};
}

Program::~Program() {
  if (library) {
    dlclose(library);
  }
}
