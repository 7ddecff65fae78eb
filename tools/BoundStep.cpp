// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds files to the tensors of a program.
#include "tools/BoundStep.h"

#include <set>

using namespace moelle;

static std::string describe(moelle_dtype dtype,
                            std::span<const int64_t> shape) {
  std::string text = std::string(moelle_dtype_name(dtype)) + "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i ? "," : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

BoundStep::~BoundStep() {
  moelle_session_destroy(&session);
  moelle_program_destroy(&program);
}

moelle_program_info BoundStep::getInfo() const {
  moelle_program_info info{};
  info.size = sizeof(info);
  moelle_program_get_info(program, &info);
  return info;
}

void BoundStep::bindInput(uint32_t index, const SafetensorsFile &given,
                          const Archive *archive) {
  moelle_tensor_info info{};
  info.size = sizeof(info);
  moelle_program_get_input(program, index, &info);
  std::span<const int64_t> shape(info.shape, info.rank);
  std::string name = info.name;
  const SafetensorsEntry *entry = given.find(name);
  const void *data = nullptr;
  if (entry) {
    if (entry->dtype != info.dtype ||
        !std::equal(shape.begin(), shape.end(), entry->shape.begin(),
                    entry->shape.end())) {
      wrong += "\n  '" + name + "' must be " + describe(info.dtype, shape) +
               ", but is " + describe(entry->dtype, entry->shape);
      return;
    }
    data = entry->data;
    if (reinterpret_cast<uintptr_t>(data) %
            std::max<size_t>(moelle_dtype_size(info.dtype), 1) !=
        0) {
      // A file may place a tensor anywhere; a binding is aligned to its
      // element.
      memory.emplace_back(reinterpret_cast<const char *>(entry->data),
                          reinterpret_cast<const char *>(entry->data) +
                              entry->bytes);
      data = memory.back().data();
    }
  } else {
    std::string why;
    memory.emplace_back();
    if (info.kind == MOELLE_KIND_INPUT || !archive ||
        !archive->materialise(name, memory.back(), why)) {
      missing += "\n  '" + name + "': " + describe(info.dtype, shape) +
                 (why.empty() ? "" : " (" + why + ")");
      return;
    }
    data = memory.back().data();
    if (memory.back().size() != info.bytes) {
      wrong += "\n  '" + name + "' must have " + std::to_string(info.bytes) +
               " bytes, but has " + std::to_string(memory.back().size()) +
               " in the archive";
      return;
    }
  }
  moelle_tensor tensor{sizeof(tensor), const_cast<void *>(data),
                       info.dtype,     info.rank,
                       info.shape,     nullptr};
  if (moelle_session_bind_input(session, index, &tensor) != MOELLE_OK) {
    wrong += "\n  " + std::string(moelle_session_message(session));
  }
}

bool BoundStep::bind(const SafetensorsFile &given, const Archive *archive,
                     unsigned threads, std::string &error) {
  moelle_session_options options{sizeof(options), threads};
  if (moelle_session_create(program, nullptr, &options, &session) !=
      MOELLE_OK) {
    error = moelle_last_message();
    return false;
  }
  moelle_program_info info = getInfo();
  std::string unused;
  for (const SafetensorsEntry &entry : given.entries()) {
    uint32_t index = 0;
    if (moelle_program_find_input(program, entry.name.c_str(), &index) !=
        MOELLE_OK) {
      unused += "\n  '" + entry.name + "'";
    }
  }
  for (uint32_t i = 0; i < info.inputs; ++i) {
    bindInput(i, given, archive);
  }
  for (const auto &[title, list] :
       {std::pair<const char *, std::string &>(
            "inputs that must be given, but are missing:", missing),
        {"inputs that the program does not have:", unused},
        {"inputs of the wrong shape or dtype:", wrong}}) {
    if (!list.empty()) {
      error += (error.empty() ? "" : "\n") + std::string(title) + list;
    }
  }
  for (uint32_t i = 0; error.empty() && i < info.outputs; ++i) {
    moelle_tensor_info output{};
    output.size = sizeof(output);
    moelle_program_get_output(program, i, &output);
    memory.emplace_back(std::max<uint64_t>(output.bytes, 1));
    SafetensorsEntry entry;
    entry.name = output.name;
    entry.dtype = output.dtype;
    entry.shape.assign(output.shape, output.shape + output.rank);
    entry.data = reinterpret_cast<const std::byte *>(memory.back().data());
    entry.bytes = output.bytes;
    outputs.push_back(std::move(entry));
    moelle_tensor tensor{sizeof(tensor), memory.back().data(), output.dtype,
                         output.rank,    output.shape,         nullptr};
    if (moelle_session_bind_output(session, i, &tensor) != MOELLE_OK) {
      error = moelle_session_message(session);
    }
  }
  return error.empty();
}
