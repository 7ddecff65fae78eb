// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C ABI over Program and Session.
#include "runtime/Session.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace moelle;
namespace art = moelle::artifact;

struct moelle_program {
  std::unique_ptr<Program> program;
  std::vector<std::vector<int64_t>> inputShapes, outputShapes;
};
struct moelle_session {
  std::unique_ptr<Session> session;
};

static thread_local std::string lastMessage;

static moelle_status report(Status status) {
  if (!status.ok()) {
    lastMessage = std::move(status.message);
  }
  return status.code;
}

static moelle_status finishLoad(std::vector<char> data, moelle_program **program) {
  std::unique_ptr<Program> loaded;
  Status status = Program::load(std::move(data), loaded);
  if (status.ok()) {
    auto *made = new moelle_program{std::move(loaded), {}, {}};
    for (const art::Tensor *tensor : *made->program->get().inputs()) {
      made->inputShapes.emplace_back(tensor->shape()->begin(), tensor->shape()->end());
    }
    for (const art::Tensor *tensor : *made->program->get().outputs()) {
      made->outputShapes.emplace_back(tensor->shape()->begin(), tensor->shape()->end());
    }
    *program = made;
  }
  return report(std::move(status));
}

int32_t moelle_runtime_version(void) { return MOELLE_RUNTIME_VERSION; }
const char *moelle_last_message(void) { return lastMessage.c_str(); }

moelle_status moelle_program_load(const char *path, moelle_program **program) {
  if (!path || !program) {
    return report(Status::invalidArgument("path and program must not be null"));
  }
  std::FILE *file = std::fopen(path, "rb");
  std::vector<char> data;
  bool good = file && std::fseek(file, 0, SEEK_END) == 0;
  long size = good ? std::ftell(file) : -1;
  if (size >= 0 && size < (1L << 40)) {
    data.resize(size);
    std::rewind(file);
    good = std::fread(data.data(), 1, data.size(), file) == data.size();
  } else {
    good = false;
  }
  int error = errno;
  if (file) {
    std::fclose(file);
  }
  if (!good) {
    return report({MOELLE_IO, "can not read '" + std::string(path) + "': " + std::strerror(error)});
  }
  return finishLoad(std::move(data), program);
}

moelle_status moelle_program_load_memory(const void *data, size_t size, moelle_program **program) {
  if (!data || !program) {
    return report(Status::invalidArgument("data and program must not be null"));
  }
  const char *bytes = static_cast<const char *>(data);
  return finishLoad(std::vector<char>(bytes, bytes + size), program);
}

void moelle_program_destroy(moelle_program *program) { delete program; }
size_t moelle_program_input_count(const moelle_program *p) { return p->program->get().inputs()->size(); }
size_t moelle_program_output_count(const moelle_program *p) { return p->program->get().outputs()->size(); }
size_t moelle_program_command_count(const moelle_program *p) { return p->program->get().commands()->size(); }
uint64_t moelle_program_arena_bytes(const moelle_program *p) { return p->program->get().arena_bytes(); }
const char *moelle_program_source(const moelle_program *p) {
  const flatbuffers::String *source = p->program->get().source();
  return source ? source->c_str() : "";
}
const char *moelle_program_command_label(const moelle_program *p, size_t index) {
  return index < moelle_program_command_count(p) ? p->program->getLabel(index).c_str() : "";
}

static moelle_status describe(const moelle_program *p, bool output, size_t index, moelle_tensor_info *info) {
  const auto &tensors = output ? *p->program->get().outputs() : *p->program->get().inputs();
  if (!info || info->struct_size < sizeof(moelle_tensor_info) || index >= tensors.size()) {
    return report(Status::invalidArgument("tensor index must be below " + std::to_string(tensors.size()) + " and struct_size set, but got index " + std::to_string(index)));
  }
  const art::Tensor &tensor = *tensors.Get(index);
  const std::vector<int64_t> &shape = (output ? p->outputShapes : p->inputShapes)[index];
  *info = {info->struct_size, tensor.name()->c_str(), static_cast<moelle_dtype>(tensor.dtype()), static_cast<moelle_kind>(tensor.kind()),
           static_cast<int32_t>(shape.size()), shape.data(), p->program->getBytes(tensor)};
  return MOELLE_OK;
}

moelle_status moelle_program_input_info(const moelle_program *p, size_t index, moelle_tensor_info *info) { return describe(p, false, index, info); }
moelle_status moelle_program_output_info(const moelle_program *p, size_t index, moelle_tensor_info *info) { return describe(p, true, index, info); }

moelle_status moelle_session_create(const moelle_program *program, const moelle_session_options *options, moelle_session **session) {
  if (!program || !session || (options && options->struct_size < sizeof(moelle_session_options)) || (options && (options->threads < 0 || options->threads > 4096))) {
    return report(Status::invalidArgument("program and session must not be null, struct_size set and threads in [0, 4096]"));
  }
  std::unique_ptr<Session> made;
  Status status = Session::create(*program->program, options ? options->threads : 0, made);
  if (status.ok()) {
    *session = new moelle_session{std::move(made)};
  }
  return report(std::move(status));
}

void moelle_session_destroy(moelle_session *session) { delete session; }
moelle_status moelle_session_bind_input(moelle_session *s, size_t index, const void *data, uint64_t bytes) { return report(s->session->bindInput(index, data, bytes)); }
moelle_status moelle_session_bind_output(moelle_session *s, size_t index, void *data, uint64_t bytes) { return report(s->session->bindOutput(index, data, bytes)); }
moelle_status moelle_session_run(moelle_session *s) { return report(s->session->run()); }
moelle_status moelle_session_set_timing(moelle_session *s, int enabled) {
  s->session->timed = enabled != 0;
  return MOELLE_OK;
}
moelle_status moelle_session_timing(const moelle_session *s, uint64_t *nanoseconds, size_t count) {
  if (!nanoseconds || count != s->session->timing.size()) {
    return report(Status::invalidArgument("timing has " + std::to_string(s->session->timing.size()) + " entries, but " + std::to_string(count) + " were asked for"));
  }
  std::copy(s->session->timing.begin(), s->session->timing.end(), nanoseconds);
  return MOELLE_OK;
}
