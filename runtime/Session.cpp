// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binding of tensors and the command loop.
#include "runtime/Session.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

using namespace moelle;
namespace art = moelle::artifact;

Status Session::create(const Program &program, unsigned threads, std::unique_ptr<Session> &session) {
  const art::Program &p = program.get();
  if (p.world_size() != 1) {
    return {MOELLE_UNSUPPORTED, "program is compiled for " + std::to_string(p.world_size()) + " ranks, but this session has 1"};
  }
  unsigned count = threads != 0 ? threads : ThreadPool::availableCores();
  std::unique_ptr<Session> made(new Session(program, count));
  auto allocate = [](uint64_t bytes) { return static_cast<char *>(std::aligned_alloc(64, (std::max<uint64_t>(bytes, 1) + 63) / 64 * 64)); };
  made->scratchStride = (program.getScratchBytes() + 127) / 64 * 64;
  made->arena = allocate(p.arena_bytes());
  made->scratch = allocate(made->scratchStride * count);
  if (!made->arena || !made->scratch) {
    return {MOELLE_OUT_OF_MEMORY, "can not allocate an arena of " + std::to_string(p.arena_bytes()) + " bytes and scratch of " + std::to_string(made->scratchStride * count)};
  }
  std::memset(made->scratch, 0, made->scratchStride * count);
  for (const art::Command *command : *p.commands()) {
    Command entry;
    entry.first = made->operands.size();
    if (const art::Launch *launch = command->action_as_Launch()) {
      const art::Kernel &kernel = *p.kernels()->Get(launch->kernel());
      entry.kernel = program.getKernels()[launch->kernel()];
      entry.items = kernel.items();
      entry.grain = kernel.grain();
      for (uint32_t operand : *launch->operands()) {
        made->operands.push_back(operand);
      }
    } else {
      const art::Copy *copy = command->action_as_Copy();
      made->operands.push_back(copy->source());
      made->operands.push_back(copy->target());
      entry.items = static_cast<int64_t>(p.buffers()->Get(copy->source())->bytes());
    }
    entry.count = made->operands.size() - entry.first;
    made->commands.push_back(entry);
  }
  made->pointers.resize(made->operands.size());
  made->inputs.resize(p.inputs()->size());
  made->outputs.resize(p.outputs()->size());
  made->timing.resize(made->commands.size());
  session = std::move(made);
  return {};
}

Session::~Session() {
  std::free(arena);
  std::free(scratch);
}

Status Session::bind(bool output, size_t index, void *data, uint64_t bytes) {
  const auto &tensors = output ? *program.get().outputs() : *program.get().inputs();
  const char *what = output ? "output" : "input";
  if (index >= tensors.size()) {
    return Status::invalidArgument(std::string(what) + " index must be below " + std::to_string(tensors.size()) + ", but got " + std::to_string(index));
  }
  const art::Tensor &tensor = *tensors.Get(index);
  if (bytes != program.getBytes(tensor) || (!data && bytes != 0)) {
    return Status::invalidArgument(std::string(what) + " '" + tensor.name()->str() + "' must have " + std::to_string(program.getBytes(tensor)) + " bytes, but got " + std::to_string(bytes));
  }
  (output ? outputs : inputs)[index] = {static_cast<char *>(data), true};
  checked = false;
  return {};
}

Status Session::bindInput(size_t index, const void *data, uint64_t bytes) { return bind(false, index, const_cast<void *>(data), bytes); }
Status Session::bindOutput(size_t index, void *data, uint64_t bytes) { return bind(true, index, data, bytes); }

/// All tensors bound, no output over another tensor; then fills in pointers.
Status Session::check() {
  const art::Program &p = program.get();
  struct Range {
    const char *begin, *end;
    std::string name;
    bool output;
  };
  std::vector<Range> ranges;
  std::string unbound;
  for (bool output : {false, true}) {
    const auto &tensors = output ? *p.outputs() : *p.inputs();
    for (uint32_t i = 0; i < tensors.size(); ++i) {
      const Bound &bound = (output ? outputs : inputs)[i];
      std::string name = (output ? "output '" : "input '") + tensors.Get(i)->name()->str() + "'";
      if (!bound.bound) {
        unbound += (unbound.empty() ? "" : ", ") + name;
      } else if (uint64_t bytes = program.getBytes(*tensors.Get(i))) {
        ranges.push_back({bound.data, bound.data + bytes, name, output});
      }
    }
  }
  if (!unbound.empty()) {
    return Status::invalidArgument("every tensor must be bound before a run, but these are not: " + unbound);
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) { return a.begin < b.begin; });
  const Range *reach = nullptr, *reachOutput = nullptr; // furthest ends so far
  for (const Range &range : ranges) {
    const Range *before = range.output ? reach : reachOutput;
    if (before && before->end > range.begin) {
      return Status::invalidArgument(range.name + " must not overlap " + before->name);
    }
    if (!reach || range.end > reach->end) {
      reach = &range;
    }
    if (range.output && (!reachOutput || range.end > reachOutput->end)) {
      reachOutput = &range;
    }
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const art::Buffer &buffer = *p.buffers()->Get(operands[i]);
    pointers[i] = buffer.space() == art::Space::arena ? arena + buffer.offset()
                  : buffer.space() == art::Space::input ? inputs[buffer.index()].data : outputs[buffer.index()].data;
  }
  checked = true;
  return {};
}

Status Session::run() {
  if (!checked) {
    RETURN_IF_ERROR(check());
  }
  struct Launch {
    Session *session;
    const Command *command;
  } launch{this, nullptr};
  using Clock = std::chrono::steady_clock;
  for (size_t i = 0; i < commands.size(); ++i) {
    const Command &command = commands[i];
    Clock::time_point start = timed ? Clock::now() : Clock::time_point();
    if (command.kernel) {
      launch.command = &command;
      pool.parallelFor(command.items, command.grain, [](void *context, int64_t begin, int64_t end, unsigned thread) {
        auto *l = static_cast<Launch *>(context);
        Session &s = *l->session;
        l->command->kernel(s.pointers.data() + l->command->first, begin, end, s.scratch + thread * s.scratchStride);
      }, &launch);
    } else {
      std::memmove(pointers[command.first + 1], pointers[command.first], command.items);
    }
    if (timed) {
      timing[i] = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
    }
  }
  return {};
}
