// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of VerifyPayload.h. Nothing that passes here can make the command
// loop leave its buffers, short of a kernel that does so itself.
#include "runtime/VerifyPayload.h"
#include "runtime/ArtifactFormat.h"
#include "runtime/CpuFeatures.h"
#include "runtime/DType.h"
#include "runtime/artifact_generated.h"

#include <cinttypes>
#include <elf.h>
#include <string_view>
#include <unordered_set>

namespace moelle::artifact {

namespace {

// Limits that no real program meets and that keep every later sum in range.
constexpr uint32_t kMaxRank = 64;
constexpr int64_t kMaxGrid = int64_t(1) << 56;
constexpr uint64_t kMaxScratch = uint64_t(1) << 32;
constexpr uint64_t kMaxArena = uint64_t(1) << 56;

template <typename... Arguments>
Status invalid(const char *format, Arguments... arguments) {
  return makeError(MOELLE_INVALID_ARTIFACT, format, arguments...);
}

template <typename Vector> uint32_t sizeOf(const Vector *vector) {
  return vector ? vector->size() : 0;
}

std::span<const int64_t> shapeOf(const flatbuffers::Vector<int64_t> *shape) {
  return shape ? std::span(shape->data(), shape->size())
               : std::span<const int64_t>();
}

// A name that can be printed and passed as a C string.
bool isPlainText(const flatbuffers::String *text) {
  return std::string_view(text->data(), text->size()).find('\0') ==
         std::string_view::npos;
}

Status checkType(const char *what, uint32_t index, DType dtype,
                 const flatbuffers::Vector<int64_t> *shape, uint64_t *bytes) {
  if (dtype <= DType::None || dtype > DType::MAX) {
    return invalid("dtype of %s %u must be in [1, %u], but got %u", what, index,
                   unsigned(DType::MAX), unsigned(dtype));
  }
  if (sizeOf(shape) > kMaxRank) {
    return invalid("rank of %s %u must be at most %u, but got %u", what, index,
                   kMaxRank, sizeOf(shape));
  }
  auto size = tensorBytes(shapeOf(shape), moelle_dtype(dtype));
  if (!size) {
    return invalid("shape of %s %u must be non-negative and below 2^63 bytes, "
                   "but got %s",
                   what, index, shapeText(shapeOf(shape)).c_str());
  }
  *bytes = *size;
  return {};
}

Status checkTensors(const char *what,
                    const flatbuffers::Vector<flatbuffers::Offset<Tensor>> *all,
                    TensorKind first, TensorKind last) {
  std::unordered_set<std::string_view> names;
  for (uint32_t i = 0; i < sizeOf(all); ++i) {
    const Tensor *tensor = all->Get(i);
    uint64_t bytes = 0;
    MOELLE_RETURN_IF_ERROR(
        checkType(what, i, tensor->dtype(), tensor->shape(), &bytes));
    if (tensor->name()->size() == 0 || !isPlainText(tensor->name())) {
      return invalid("name of %s %u must be non-empty text", what, i);
    }
    if (tensor->kind() < first || tensor->kind() > last) {
      return invalid("kind of %s '%s' must be in [%u, %u], but got %u", what,
                     tensor->name()->c_str(), unsigned(first), unsigned(last),
                     unsigned(tensor->kind()));
    }
    if (!names.insert(tensor->name()->string_view()).second) {
      return invalid("names of %ss must be unique, but got '%s' twice", what,
                     tensor->name()->c_str());
    }
  }
  return {};
}

/// Holds what the checks of one program share.
class Checker {
public:
  explicit Checker(const Program &program) : program_(program) {}

  Status run() {
    MOELLE_RETURN_IF_ERROR(checkFacts());
    MOELLE_RETURN_IF_ERROR(checkTensors(
        "input", program_.inputs(), TensorKind::Parameter, TensorKind::Input));
    MOELLE_RETURN_IF_ERROR(checkTensors("output", program_.outputs(),
                                        TensorKind::Loss, TensorKind::Output));
    for (uint32_t i = 0; i < sizeOf(program_.buffers()); ++i) {
      MOELLE_RETURN_IF_ERROR(checkBuffer(i, *program_.buffers()->Get(i)));
    }
    for (uint32_t i = 0; i < sizeOf(program_.kernels()); ++i) {
      MOELLE_RETURN_IF_ERROR(checkKernel(i, *program_.kernels()->Get(i)));
    }
    MOELLE_RETURN_IF_ERROR(checkCode());
    for (uint32_t i = 0; i < sizeOf(program_.commands()); ++i) {
      MOELLE_RETURN_IF_ERROR(checkCommand(i, *program_.commands()->Get(i)));
    }
    return {};
  }

private:
  Status checkFacts() {
    uint32_t alignment = program_.arena_alignment();
    if (alignment == 0 || alignment > 4096 || (alignment & (alignment - 1))) {
      return invalid("arena alignment must be a power of two in [1, 4096], but "
                     "got %u",
                     alignment);
    }
    if (program_.arena_bytes() > kMaxArena) {
      return invalid("arena size must be at most 2^56 bytes, but got %" PRIu64,
                     program_.arena_bytes());
    }
    if (program_.world_size() == 0) {
      return invalid("world size must be at least 1, but got 0");
    }
    return {};
  }

  Status checkBuffer(uint32_t index, const Buffer &buffer) {
    uint64_t bytes = 0;
    MOELLE_RETURN_IF_ERROR(
        checkType("buffer", index, buffer.dtype(), buffer.shape(), &bytes));
    if (bytes != buffer.bytes()) {
      return invalid("size of buffer %u must be that of its shape, %" PRIu64
                     " bytes, but got %" PRIu64,
                     index, bytes, buffer.bytes());
    }
    uint64_t room = 0;
    const char *where = "";
    switch (buffer.space()) {
    case Space::Input:
    case Space::Output: {
      bool input = buffer.space() == Space::Input;
      auto *tensors = input ? program_.inputs() : program_.outputs();
      where = input ? "input" : "output";
      if (buffer.index() >= sizeOf(tensors)) {
        return invalid("%s index of buffer %u must be below %u, but got %u",
                       where, index, sizeOf(tensors), buffer.index());
      }
      const Tensor *tensor = tensors->Get(buffer.index());
      room =
          *tensorBytes(shapeOf(tensor->shape()), moelle_dtype(tensor->dtype()));
      break;
    }
    case Space::Arena:
      where = "arena";
      room = program_.arena_bytes();
      break;
    case Space::Constant:
      where = "constants";
      room = sizeOf(program_.constants());
      break;
    default:
      return invalid("space of buffer %u must be in [1, %u], but got %u", index,
                     unsigned(Space::MAX), unsigned(buffer.space()));
    }
    if (buffer.offset() > room || bytes > room - buffer.offset()) {
      return invalid("buffer %u must lie within the %s of %" PRIu64
                     " bytes, but got offset %" PRIu64 " and size %" PRIu64,
                     index, where, room, buffer.offset(), bytes);
    }
    if (buffer.offset() % dtypeSize(moelle_dtype(buffer.dtype()))) {
      return invalid("offset of buffer %u must be a multiple of its element "
                     "size, but got %" PRIu64 " for %s",
                     index, buffer.offset(),
                     dtypeName(moelle_dtype(buffer.dtype())));
    }
    return {};
  }

  Status checkKernel(uint32_t index, const Kernel &kernel) {
    if (kernel.symbol()->size() == 0 || !isPlainText(kernel.symbol())) {
      return invalid("symbol of kernel %u must be non-empty text", index);
    }
    const char *name = kernel.symbol()->c_str();
    if (!symbols_.insert(kernel.symbol()->string_view()).second) {
      return invalid("symbols of kernels must be unique, but got '%s' twice",
                     name);
    }
    if (kernel.grid() < 0 || kernel.grid() > kMaxGrid) {
      return invalid("grid of kernel '%s' must be in [0, 2^56], but got "
                     "%" PRId64,
                     name, kernel.grid());
    }
    if (kernel.grain() < 1 || kernel.grain() > kMaxGrid) {
      return invalid("grain of kernel '%s' must be in [1, 2^56], but got "
                     "%" PRId64,
                     name, kernel.grain());
    }
    if (kernel.scratch_bytes() > kMaxScratch) {
      return invalid("scratch of kernel '%s' must be at most 2^32 bytes, but "
                     "got %" PRIu64,
                     name, kernel.scratch_bytes());
    }
    return {};
  }

  Status checkCode() {
    uint32_t size = sizeOf(program_.code());
    if (sizeOf(program_.kernels()) == 0 && size == 0) {
      return {};
    }
    Elf64_Ehdr header;
    if (size < sizeof header) {
      return invalid("code must be an ELF shared object, but got %u bytes",
                     size);
    }
    std::memcpy(&header, program_.code()->data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN) {
      return invalid("code must be a 64-bit little-endian ELF shared object");
    }
    if (header.e_phoff > size ||
        uint64_t(header.e_phnum) * sizeof(Elf64_Phdr) > size - header.e_phoff) {
      return invalid("program headers of the code must lie within its %u "
                     "bytes, but got offset %" PRIu64 " and count %u",
                     size, uint64_t(header.e_phoff), unsigned(header.e_phnum));
    }
    // A segment past the end of the file would fault at its first touch.
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      std::memcpy(&segment,
                  program_.code()->data() + header.e_phoff +
                      i * sizeof(Elf64_Phdr),
                  sizeof segment);
      if (segment.p_offset > size ||
          segment.p_filesz > size - segment.p_offset) {
        return invalid("segment %u of the code must lie within its %u bytes", i,
                       size);
      }
    }
    return {};
  }

  Status checkReference(uint32_t command, const char *role, uint32_t index,
                        bool written) {
    if (index >= sizeOf(program_.buffers())) {
      return invalid("%s of command %u must be a buffer below %u, but got %u",
                     role, command, sizeOf(program_.buffers()), index);
    }
    Space space = program_.buffers()->Get(index)->space();
    if (written && (space == Space::Input || space == Space::Constant)) {
      return invalid("%s of command %u must be writable, but buffer %u is %s",
                     role, command, index,
                     space == Space::Input ? "an input" : "a constant");
    }
    return {};
  }

  Status checkLaunch(uint32_t index, const Launch &launch) {
    if (launch.kernel() >= sizeOf(program_.kernels())) {
      return invalid("kernel of command %u must be below %u, but got %u", index,
                     sizeOf(program_.kernels()), launch.kernel());
    }
    const Kernel *kernel = program_.kernels()->Get(launch.kernel());
    uint32_t expected = sizeOf(kernel->operands());
    if (sizeOf(launch.operands()) != expected) {
      return invalid("command %u must have the %u operands of kernel '%s', but "
                     "got %u",
                     index, expected, kernel->symbol()->c_str(),
                     sizeOf(launch.operands()));
    }
    for (uint32_t i = 0; i < expected; ++i) {
      const Operand *operand = kernel->operands()->Get(i);
      uint32_t buffer = launch.operands()->Get(i);
      MOELLE_RETURN_IF_ERROR(
          checkReference(index, "operand", buffer, operand->written()));
      uint64_t bytes = program_.buffers()->Get(buffer)->bytes();
      if (bytes != operand->bytes()) {
        return invalid("operand %u of command %u must have the %" PRIu64
                       " bytes of kernel '%s', but buffer %u has %" PRIu64,
                       i, index, operand->bytes(), kernel->symbol()->c_str(),
                       buffer, bytes);
      }
    }
    return {};
  }

  Status checkCopy(uint32_t index, const Copy &copy) {
    MOELLE_RETURN_IF_ERROR(
        checkReference(index, "source", copy.source(), false));
    MOELLE_RETURN_IF_ERROR(
        checkReference(index, "destination", copy.destination(), true));
    const Buffer *source = program_.buffers()->Get(copy.source());
    const Buffer *destination = program_.buffers()->Get(copy.destination());
    if (source->bytes() != destination->bytes()) {
      return invalid("buffers of copy %u must have one size, but got %" PRIu64
                     " and %" PRIu64 " bytes",
                     index, source->bytes(), destination->bytes());
    }
    bool shared = source->space() == destination->space() &&
                  (source->space() == Space::Arena ||
                   source->index() == destination->index());
    if (shared && source->offset() < destination->offset() + source->bytes() &&
        destination->offset() < source->offset() + source->bytes()) {
      return invalid("buffers %u and %u of copy %u must not overlap",
                     copy.source(), copy.destination(), index);
    }
    return {};
  }

  Status checkCheck(uint32_t index, const Check &check) {
    MOELLE_RETURN_IF_ERROR(
        checkReference(index, "value", check.value(), false));
    const Buffer *value = program_.buffers()->Get(check.value());
    uint64_t expected = value->dtype() == DType::I32   ? 4
                        : value->dtype() == DType::I64 ? 8
                                                       : 0;
    if (expected == 0 || value->bytes() != expected) {
      return invalid("value of check %u must be one i32 or i64, but buffer %u "
                     "has dtype %u and %" PRIu64 " bytes",
                     index, check.value(), unsigned(value->dtype()),
                     value->bytes());
    }
    if (check.low() >= check.high()) {
      return invalid("range of check %u must not be empty, but got [%" PRId64
                     ", %" PRId64 ")",
                     index, check.low(), check.high());
    }
    return {};
  }

  Status checkCommand(uint32_t index, const Command &command) {
    for (uint32_t i = 0; i < sizeOf(command.sources()); ++i) {
      if (command.sources()->Get(i) >= sizeOf(program_.sources())) {
        return invalid("source of command %u must be below %u, but got %u",
                       index, sizeOf(program_.sources()),
                       command.sources()->Get(i));
      }
    }
    if (const Launch *launch = command.action_as_Launch()) {
      return checkLaunch(index, *launch);
    }
    if (const Copy *copy = command.action_as_Copy()) {
      return checkCopy(index, *copy);
    }
    if (const Check *check = command.action_as_Check()) {
      return checkCheck(index, *check);
    }
    return invalid("action of command %u must be in [1, %u], but got %u", index,
                   unsigned(Action::MAX), unsigned(command.action_type()));
  }

  const Program &program_;
  std::unordered_set<std::string_view> symbols_;
};

} // namespace

Result<std::span<const std::byte>> verifyHeader(std::span<const std::byte> file,
                                                Header *header) {
  if (file.size() < sizeof(Header)) {
    return invalid("artifact must have a header of %zu bytes, but got %zu "
                   "bytes",
                   sizeof(Header), file.size());
  }
  std::memcpy(header, file.data(), sizeof(Header));
  if (std::memcmp(header->magic, kMagic, sizeof kMagic) != 0) {
    return invalid("artifact must begin with 'MOELLE'");
  }
  if (header->version != kFormatVersion) {
    return invalid("artifact format must be version %u, but got %u",
                   kFormatVersion, header->version);
  }
  if (header->headerSize != sizeof(Header)) {
    return invalid("header size must be %zu, but got %u", sizeof(Header),
                   header->headerSize);
  }
  auto payload = file.subspan(sizeof(Header));
  if (header->payloadSize != payload.size()) {
    return invalid("payload must have the %" PRIu64
                   " bytes of the header, but got %zu",
                   header->payloadSize, payload.size());
  }
  Header expected = makeHeader(payload.data(), payload.size());
  if (header->hashLow != expected.hashLow ||
      header->hashHigh != expected.hashHigh) {
    return invalid("hash of the payload must be %016" PRIx64 "%016" PRIx64
                   ", but got %016" PRIx64 "%016" PRIx64,
                   header->hashHigh, header->hashLow, expected.hashHigh,
                   expected.hashLow);
  }
  return payload;
}

Result<const Program *> verifyPayload(std::span<const std::byte> payload) {
  auto *data = reinterpret_cast<const uint8_t *>(payload.data());
  if (reinterpret_cast<uintptr_t>(data) % kPayloadAlignment) {
    return makeError(MOELLE_INTERNAL, "payload must be 64-byte aligned");
  }
  // The format's own limit; a larger payload trips an assert in the verifier.
  if (payload.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return invalid("payload must be below 2^31 bytes, but got %zu",
                   payload.size());
  }
  // Room for graphs of millions of commands; depth guards the stack.
  flatbuffers::Verifier verifier(data, payload.size(), /*max_depth=*/16,
                                 /*max_tables=*/100000000);
  if (!VerifyProgramBuffer(verifier)) {
    return invalid("payload must be a well-formed flatbuffer of %zu bytes",
                   payload.size());
  }
  const Program *program = GetProgram(data);
  MOELLE_RETURN_IF_ERROR(Checker(*program).run());
  return program;
}

Status checkTarget(const Program &program) {
  std::string_view triple = program.target_triple()->string_view();
  std::string_view architecture = triple.substr(0, triple.find('-'));
  if (architecture != hostArchitecture()) {
    return makeError(MOELLE_UNSUPPORTED,
                     "artifact is for target '%s', but this machine is '%s'",
                     program.target_triple()->c_str(),
                     std::string(hostArchitecture()).c_str());
  }
  std::string absent;
  for (uint32_t i = 0; i < sizeOf(program.cpu_features()); ++i) {
    const flatbuffers::String *name = program.cpu_features()->Get(i);
    switch (cpuFeature(name->string_view())) {
    case FeatureSupport::Present:
      break;
    case FeatureSupport::Absent:
      absent += absent.empty() ? "'" : ", '";
      absent += name->c_str();
      absent += "'";
      break;
    case FeatureSupport::Unknown:
      return makeError(MOELLE_UNSUPPORTED,
                       "artifact needs CPU feature '%s', which this runtime "
                       "does not know",
                       name->c_str());
    }
  }
  if (!absent.empty()) {
    return makeError(MOELLE_UNSUPPORTED,
                     "artifact needs CPU features that this machine lacks: %s",
                     absent.c_str());
  }
  return {};
}

} // namespace moelle::artifact
