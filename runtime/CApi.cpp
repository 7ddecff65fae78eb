// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of programs and communicators.
#include "runtime/CApiHandles.h"
#include "runtime/DType.h"
#include "runtime/artifact_generated.h"
#include "runtime/cpu/LocalCommunicator.h"

using namespace moelle;

namespace {

thread_local std::string lastMessage;

const char *textOf(const flatbuffers::String *text) {
  return text ? text->c_str() : "";
}

template <typename Vector> uint32_t sizeOf(const Vector *vector) {
  return vector ? vector->size() : 0;
}

moelle_status finishLoad(Result<std::shared_ptr<Program>> loaded,
                         moelle_program **out) {
  if (!loaded.ok()) {
    return report(loaded.status());
  }
  *out = new moelle_program{std::move(*loaded)};
  return MOELLE_OK;
}

moelle_status tensorInfo(const char *what, std::span<const TensorFacts> tensors,
                         uint32_t index, moelle_tensor_info *info) {
  if (index >= tensors.size()) {
    return report(makeError(MOELLE_NOT_FOUND,
                            "%s index must be below %zu, but got %u", what,
                            tensors.size(), index));
  }
  const TensorFacts &facts = tensors[index];
  return fillInfo<moelle_tensor_info>(
      info, {sizeof *info, facts.name, facts.kind, facts.dtype,
             uint32_t(facts.shape.size()), facts.shape.data(), facts.bytes});
}

moelle_status findTensor(const char *what, const uint32_t *found,
                         const char *name, uint32_t *index) {
  if (!found) {
    return report(
        makeError(MOELLE_NOT_FOUND, "program has no %s '%s'", what, name));
  }
  *index = *found;
  return MOELLE_OK;
}

} // namespace

namespace moelle {

moelle_status report(const Status &status) {
  if (!status.ok()) {
    lastMessage = status.message();
  }
  return status.code();
}

moelle_status reportNull(const char *name) {
  return report(makeError(MOELLE_INVALID_ARGUMENT,
                          "argument '%s' must not be null", name));
}

} // namespace moelle

#define REFUSE_NULL(argument)                                                  \
  if (!(argument)) {                                                           \
    return reportNull(#argument);                                              \
  }

uint32_t moelle_version(void) { return MOELLE_VERSION; }

const char *moelle_last_message(void) { return lastMessage.c_str(); }

size_t moelle_dtype_size(moelle_dtype dtype) { return dtypeSize(dtype); }

const char *moelle_dtype_name(moelle_dtype dtype) { return dtypeName(dtype); }

moelle_status moelle_program_load_file(const char *path, moelle_program **out) {
  REFUSE_NULL(path);
  REFUSE_NULL(out);
  *out = nullptr;
  return finishLoad(Program::load(std::string(path)), out);
}

moelle_status moelle_program_load_memory(const void *data, size_t size,
                                         moelle_program **out) {
  REFUSE_NULL(data);
  REFUSE_NULL(out);
  *out = nullptr;
  return finishLoad(
      Program::load(std::span(static_cast<const std::byte *>(data), size)),
      out);
}

void moelle_program_destroy(moelle_program **program) {
  if (program) {
    delete *program;
    *program = nullptr;
  }
}

moelle_status moelle_program_get_info(const moelle_program *program,
                                      moelle_program_info *info) {
  REFUSE_NULL(program);
  REFUSE_NULL(info);
  const Program &loaded = *program->program;
  const artifact::Program &artifact = loaded.artifact();
  moelle_program_info value{};
  value.world_size = artifact.world_size();
  value.inputs = uint32_t(loaded.inputs().size());
  value.outputs = uint32_t(loaded.outputs().size());
  value.commands = sizeOf(artifact.commands());
  value.kernels = sizeOf(artifact.kernels());
  value.arena_bytes = artifact.arena_bytes();
  value.constant_bytes = sizeOf(artifact.constants());
  if (const artifact::Plan *plan = artifact.plan()) {
    value.plan_peak = plan->peak();
    value.plan_lower_bound = plan->lower_bound();
    value.plan_naive_bound = plan->naive_bound();
  }
  value.hash[0] = loaded.hash()[0];
  value.hash[1] = loaded.hash()[1];
  value.producer = textOf(artifact.producer());
  value.target_triple = textOf(artifact.target_triple());
  value.source_archive = textOf(artifact.source_archive());
  value.compile_options = textOf(artifact.compile_options());
  return fillInfo(info, value);
}

moelle_status moelle_program_get_input(const moelle_program *program,
                                       uint32_t index,
                                       moelle_tensor_info *info) {
  REFUSE_NULL(program);
  REFUSE_NULL(info);
  return tensorInfo("input", program->program->inputs(), index, info);
}

moelle_status moelle_program_get_output(const moelle_program *program,
                                        uint32_t index,
                                        moelle_tensor_info *info) {
  REFUSE_NULL(program);
  REFUSE_NULL(info);
  return tensorInfo("output", program->program->outputs(), index, info);
}

moelle_status moelle_program_get_command(const moelle_program *program,
                                         uint32_t index,
                                         moelle_command_info *info) {
  REFUSE_NULL(program);
  REFUSE_NULL(info);
  const artifact::Program &artifact = program->program->artifact();
  if (index >= sizeOf(artifact.commands())) {
    return report(makeError(MOELLE_NOT_FOUND,
                            "command index must be below %u, but got %u",
                            sizeOf(artifact.commands()), index));
  }
  const artifact::Command *command = artifact.commands()->Get(index);
  moelle_command_info value{};
  if (const artifact::Launch *launch = command->action_as_Launch()) {
    const artifact::Kernel *kernel = artifact.kernels()->Get(launch->kernel());
    value.kind = MOELLE_COMMAND_LAUNCH;
    value.name = kernel->symbol()->c_str();
    value.label = program->program->label(launch->kernel()).c_str();
    value.flops = kernel->flops();
    value.bytes = kernel->bytes();
  } else if (const artifact::Check *check = command->action_as_Check()) {
    value.kind = MOELLE_COMMAND_CHECK;
    value.name = "check";
    value.label = textOf(check->what());
    value.bytes = artifact.buffers()->Get(check->value())->bytes();
  } else {
    const artifact::Copy *copy = command->action_as_Copy();
    value.kind = MOELLE_COMMAND_COPY;
    value.name = "copy";
    value.label = "";
    value.bytes = 2 * artifact.buffers()->Get(copy->source())->bytes();
  }
  value.node = value.file = value.module_path = "";
  if (sizeOf(command->sources()) != 0) {
    const artifact::Source *source =
        artifact.sources()->Get(command->sources()->Get(0));
    value.node = textOf(source->node());
    value.file = textOf(source->file());
    value.line = source->line();
    value.module_path = textOf(source->module_path());
  }
  return fillInfo(info, value);
}

moelle_status moelle_program_get_kernel(const moelle_program *program,
                                        uint32_t index,
                                        moelle_kernel_info *info) {
  REFUSE_NULL(program);
  REFUSE_NULL(info);
  const Program &loaded = *program->program;
  const artifact::Program &artifact = loaded.artifact();
  if (index >= sizeOf(artifact.kernels())) {
    return report(makeError(MOELLE_NOT_FOUND,
                            "kernel index must be below %u, but got %u",
                            sizeOf(artifact.kernels()), index));
  }
  const artifact::Kernel *kernel = artifact.kernels()->Get(index);
  moelle_kernel_info value{};
  value.name = kernel->symbol()->c_str();
  value.label = loaded.label(index).c_str();
  value.grid = kernel->grid();
  value.grain = kernel->grain();
  value.scratch_bytes = kernel->scratch_bytes();
  value.operands = sizeOf(kernel->operands());
  value.launches = loaded.launches(index);
  value.flops = kernel->flops();
  value.bytes = kernel->bytes();
  return fillInfo(info, value);
}

moelle_status moelle_program_find_input(const moelle_program *program,
                                        const char *name, uint32_t *index) {
  REFUSE_NULL(program);
  REFUSE_NULL(name);
  REFUSE_NULL(index);
  return findTensor("input", program->program->findInput(name), name, index);
}

moelle_status moelle_program_find_output(const moelle_program *program,
                                         const char *name, uint32_t *index) {
  REFUSE_NULL(program);
  REFUSE_NULL(name);
  REFUSE_NULL(index);
  return findTensor("output", program->program->findOutput(name), name, index);
}

moelle_status moelle_communicator_create_local(moelle_communicator **out) {
  REFUSE_NULL(out);
  *out = new moelle_communicator{createLocalCommunicator()};
  return MOELLE_OK;
}

uint32_t moelle_communicator_rank(const moelle_communicator *communicator) {
  return communicator ? communicator->communicator->rank() : 0;
}

uint32_t
moelle_communicator_world_size(const moelle_communicator *communicator) {
  return communicator ? communicator->communicator->worldSize() : 0;
}

void moelle_communicator_abort(moelle_communicator *communicator) {
  if (communicator) {
    communicator->communicator->abort();
  }
}

void moelle_communicator_destroy(moelle_communicator **communicator) {
  if (communicator) {
    delete *communicator;
    *communicator = nullptr;
  }
}
