// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads artifacts: verification first, code last.
#include "runtime/Program.h"
#include "runtime/ArtifactFormat.h"
#include "runtime/DType.h"
#include "runtime/VerifyPayload.h"
#include "runtime/artifact_generated.h"
#include "runtime/cpu/Code.h"

#include <cstdlib>

namespace moelle {

namespace {

using TensorVector = flatbuffers::Vector<flatbuffers::Offset<artifact::Tensor>>;

void readTensors(const TensorVector *from, std::vector<TensorFacts> &tensors,
                 std::unordered_map<std::string_view, uint32_t> &names) {
  for (uint32_t i = 0; from && i < from->size(); ++i) {
    const artifact::Tensor *tensor = from->Get(i);
    TensorFacts facts;
    facts.name = tensor->name()->c_str();
    facts.kind = moelle_tensor_kind(tensor->kind());
    facts.dtype = moelle_dtype(tensor->dtype());
    if (tensor->shape()) {
      facts.shape = {tensor->shape()->data(), tensor->shape()->size()};
    }
    facts.bytes = *tensorBytes(facts.shape, facts.dtype);
    tensors.push_back(facts);
    names.emplace(facts.name, i);
  }
}

const uint32_t *
find(const std::unordered_map<std::string_view, uint32_t> &names,
     std::string_view name) {
  auto entry = names.find(name);
  return entry == names.end() ? nullptr : &entry->second;
}

} // namespace

Program::~Program() { std::free(copy_); }

Result<std::shared_ptr<Program>> Program::load(const std::string &path) {
  std::shared_ptr<Program> program(new Program);
  MOELLE_ASSIGN_OR_RETURN(file, MappedFile::open(path));
  program->file_ = std::move(file);
  if (Status status = program->prepare(program->file_.bytes()); !status.ok()) {
    return Status(status.code(), "'" + path + "': " + status.message());
  }
  return program;
}

Result<std::shared_ptr<Program>>
Program::load(std::span<const std::byte> bytes) {
  std::shared_ptr<Program> program(new Program);
  // Constants need the alignment that a mapped file has by itself.
  size_t room = (bytes.size() + 63) / 64 * 64;
  program->copy_ = static_cast<std::byte *>(std::aligned_alloc(64, room + 64));
  if (!program->copy_) {
    return makeError(MOELLE_OUT_OF_MEMORY, "cannot allocate %zu bytes", room);
  }
  if (!bytes.empty()) {
    std::memcpy(program->copy_, bytes.data(), bytes.size());
  }
  MOELLE_RETURN_IF_ERROR(program->prepare({program->copy_, bytes.size()}));
  return program;
}

Status Program::prepare(std::span<const std::byte> file) {
  artifact::Header header;
  MOELLE_ASSIGN_OR_RETURN(payload, artifact::verifyHeader(file, &header));
  hash_[0] = header.hashLow;
  hash_[1] = header.hashHigh;
  MOELLE_ASSIGN_OR_RETURN(verified, artifact::verifyPayload(payload));
  artifact_ = verified;
  MOELLE_RETURN_IF_ERROR(artifact::checkTarget(*artifact_));
  readTensors(artifact_->inputs(), inputs_, inputNames_);
  readTensors(artifact_->outputs(), outputs_, outputNames_);
  if (!artifact_->kernels() || artifact_->kernels()->size() == 0) {
    return {};
  }
  MOELLE_ASSIGN_OR_RETURN(
      code, loadCpuCode(std::as_bytes(std::span(artifact_->code()->data(),
                                                artifact_->code()->size()))));
  code_ = code;
  for (const artifact::Kernel *kernel : *artifact_->kernels()) {
    MOELLE_ASSIGN_OR_RETURN(address, code_->find(artifact::kKernelPrefix +
                                                 kernel->symbol()->str()));
    kernels_.push_back(address);
    std::string label;
    if (kernel->labels()) {
      for (const flatbuffers::String *text : *kernel->labels()) {
        label += label.empty() ? "" : "+";
        label += text->c_str();
      }
    }
    labels_.push_back(std::move(label));
  }
  launches_.resize(kernels_.size());
  for (uint32_t i = 0;
       artifact_->commands() && i < artifact_->commands()->size(); ++i) {
    if (auto *launch = artifact_->commands()->Get(i)->action_as_Launch()) {
      ++launches_[launch->kernel()];
    }
  }
  return {};
}

const uint32_t *Program::findInput(std::string_view name) const {
  return find(inputNames_, name);
}

const uint32_t *Program::findOutput(std::string_view name) const {
  return find(outputNames_, name);
}

} // namespace moelle
