// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolves a program's commands to addresses once, and walks them.
#include "runtime/Session.h"
#include "runtime/DType.h"
#include "runtime/artifact_generated.h"

#include <algorithm>
#include <cinttypes>
#include <ctime>

namespace moelle {

namespace {

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1000000000u + uint64_t(time.tv_nsec);
}

} // namespace

Result<std::unique_ptr<Session>>
Session::create(std::shared_ptr<const Program> program,
                std::shared_ptr<Communicator> communicator,
                std::unique_ptr<Device> device) {
  uint32_t expected = program->artifact().world_size();
  if (communicator->worldSize() != expected) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "world size of the communicator must be the program's %u, "
                     "but got %u",
                     expected, communicator->worldSize());
  }
  std::unique_ptr<Session> session(new Session);
  session->program_ = std::move(program);
  session->communicator_ = std::move(communicator);
  session->device_ = std::move(device);
  MOELLE_RETURN_IF_ERROR(session->prepare());
  return session;
}

Session::~Session() {
  if (device_) {
    device_->release(arena_, program_->artifact().arena_bytes());
  }
}

Status Session::prepare() {
  const artifact::Program &artifact = program_->artifact();
  MOELLE_ASSIGN_OR_RETURN(arena, device_->allocate(artifact.arena_bytes(),
                                                   artifact.arena_alignment()));
  arena_ = static_cast<std::byte *>(arena);
  size_t tensors = program_->inputs().size() + program_->outputs().size();
  patches_.resize(tensors);
  bound_.resize(tensors);
  isBound_.resize(tensors);
  intervals_.reserve(tensors);
  uint64_t scratch = 0;
  observations_.reserve(artifact.commands() ? artifact.commands()->size() : 0);
  for (uint32_t i = 0; artifact.commands() && i < artifact.commands()->size();
       ++i) {
    const artifact::Command *command = artifact.commands()->Get(i);
    Step step{nullptr, 0, 1, 0, uint32_t(operands_.size())};
    if (const artifact::Launch *launch = command->action_as_Launch()) {
      const artifact::Kernel *kernel =
          artifact.kernels()->Get(launch->kernel());
      step.kernel = program_->kernels()[launch->kernel()];
      step.grid = kernel->grid();
      step.grain = kernel->grain();
      step.bytes = kernel->scratch_bytes();
      scratch = std::max(scratch, step.bytes);
      for (uint32_t o = 0; launch->operands() && o < launch->operands()->size();
           ++o) {
        addOperand(launch->operands()->Get(o));
      }
    } else if (const artifact::Check *check = command->action_as_Check()) {
      step.bytes = artifact.buffers()->Get(check->value())->bytes();
      operands_.push_back(
          &observations_.emplace_back(Observation{i, {}}).value);
      addOperand(check->value());
    } else {
      const artifact::Copy *copy = command->action_as_Copy();
      step.bytes = artifact.buffers()->Get(copy->source())->bytes();
      addOperand(copy->destination());
      addOperand(copy->source());
    }
    steps_.push_back(step);
  }
  nanoseconds_.resize(steps_.size());
  return device_->reserveScratch(scratch);
}

void Session::addOperand(uint32_t index) {
  const artifact::Buffer *buffer = program_->artifact().buffers()->Get(index);
  void *address = nullptr;
  switch (buffer->space()) {
  case artifact::Space::Arena:
    address = arena_ + buffer->offset();
    break;
  case artifact::Space::Constant:
    if (auto *constants = program_->artifact().constants()) {
      address = const_cast<uint8_t *>(constants->data()) + buffer->offset();
    }
    break;
  case artifact::Space::Input:
    patches_[buffer->index()].push_back(
        {uint32_t(operands_.size()), buffer->offset()});
    break;
  default:
    patches_[program_->inputs().size() + buffer->index()].push_back(
        {uint32_t(operands_.size()), buffer->offset()});
  }
  operands_.push_back(address);
}

Status Session::bindInput(uint32_t index, const moelle_tensor &tensor) {
  if (index >= program_->inputs().size()) {
    return makeError(MOELLE_NOT_FOUND,
                     "input index must be below %zu, but got %u",
                     program_->inputs().size(), index);
  }
  return bind("input", program_->inputs()[index], index, tensor);
}

Status Session::bindOutput(uint32_t index, const moelle_tensor &tensor) {
  if (index >= program_->outputs().size()) {
    return makeError(MOELLE_NOT_FOUND,
                     "output index must be below %zu, but got %u",
                     program_->outputs().size(), index);
  }
  return bind("output", program_->outputs()[index],
              uint32_t(program_->inputs().size()) + index, tensor);
}

Status Session::bind(const char *what, const TensorFacts &facts, uint32_t slot,
                     const moelle_tensor &tensor) {
  if (tensor.dtype != facts.dtype) {
    return makeError(
        MOELLE_INVALID_ARGUMENT, "dtype of %s '%s' must be %s, but got %s",
        what, facts.name, dtypeName(facts.dtype), dtypeName(tensor.dtype));
  }
  if (tensor.rank != 0 && !tensor.shape) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "shape of %s '%s' must not be null at rank %u", what,
                     facts.name, tensor.rank);
  }
  std::span<const int64_t> shape(tensor.shape, tensor.rank);
  if (!std::equal(shape.begin(), shape.end(), facts.shape.begin(),
                  facts.shape.end())) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "shape of %s '%s' must be %s, but got %s", what,
                     facts.name, shapeText(facts.shape).c_str(),
                     shapeText(shape).c_str());
  }
  if (tensor.strides && facts.bytes != 0) {
    int64_t expected = 1;
    for (uint32_t i = tensor.rank; i-- > 0;) {
      // The stride of an extent of 1 is never used.
      if (shape[i] != 1 && tensor.strides[i] != expected) {
        return makeError(
            MOELLE_INVALID_ARGUMENT,
            "%s '%s' must be contiguous, but got strides %s for shape %s", what,
            facts.name, shapeText({tensor.strides, tensor.rank}).c_str(),
            shapeText(shape).c_str());
      }
      expected *= shape[i];
    }
  }
  auto address = reinterpret_cast<uintptr_t>(tensor.data);
  if (facts.bytes != 0 && !tensor.data) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "data of %s '%s' must not be null", what, facts.name);
  }
  if (address % dtypeSize(facts.dtype)) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "data of %s '%s' must be aligned to its element of %zu "
                     "bytes, but got address %p",
                     what, facts.name, dtypeSize(facts.dtype), tensor.data);
  }
  if (address > UINTPTR_MAX - facts.bytes) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "data of %s '%s' must not wrap the address space", what,
                     facts.name);
  }
  for (const Patch &patch : patches_[slot]) {
    operands_[patch.operand] = reinterpret_cast<void *>(address + patch.offset);
  }
  bound_[slot] = tensor.data;
  isBound_[slot] = true;
  checked_ = false;
  return {};
}

const char *Session::tensorName(uint32_t slot) const {
  size_t inputs = program_->inputs().size();
  return slot < inputs ? program_->inputs()[slot].name
                       : program_->outputs()[slot - inputs].name;
}

Status Session::checkBindings() {
  size_t inputs = program_->inputs().size();
  std::string missing;
  intervals_.clear();
  for (uint32_t i = 0; i < bound_.size(); ++i) {
    if (!isBound_[i]) {
      missing += missing.empty() ? "" : ", ";
      missing += i < inputs ? "input '" : "output '";
      missing += std::string(tensorName(i)) + "'";
      continue;
    }
    uint64_t bytes = i < inputs ? program_->inputs()[i].bytes
                                : program_->outputs()[i - inputs].bytes;
    auto begin = reinterpret_cast<uintptr_t>(bound_[i]);
    if (bytes != 0) {
      intervals_.push_back({begin, begin + bytes, i});
    }
  }
  if (!missing.empty()) {
    return makeError(MOELLE_FAILED_PRECONDITION,
                     "every input and output must be bound, but got none for "
                     "%s",
                     missing.c_str());
  }
  std::sort(
      intervals_.begin(), intervals_.end(),
      [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
  // Of the intervals so far, the ones that reach furthest. Zero: none.
  Interval any{0, 0, 0}, output{0, 0, 0};
  for (const Interval &interval : intervals_) {
    bool written = interval.tensor >= inputs;
    const Interval &other = written ? any : output;
    if (interval.begin < other.end) {
      bool otherWritten = other.tensor >= inputs;
      const Interval &victim = written ? interval : other;
      const Interval &partner = written ? other : interval;
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "memory of output '%s' must not overlap that of %s '%s'",
                       tensorName(victim.tensor),
                       written && otherWritten ? "output" : "input",
                       tensorName(partner.tensor));
    }
    if (interval.end > any.end) {
      any = interval;
    }
    if (written && interval.end > output.end) {
      output = interval;
    }
  }
  checked_ = true;
  return {};
}

Status Session::run() {
  if (!checked_) {
    MOELLE_RETURN_IF_ERROR(checkBindings());
  }
  MOELLE_RETURN_IF_ERROR(communicator_->status());
  uint64_t before = timing_ ? now() : 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step &step = steps_[i];
    void **operands = operands_.data() + step.firstOperand;
    if (step.kernel) {
      MOELLE_RETURN_IF_ERROR(device_->launch(
          {step.kernel, operands, step.grid, step.grain, step.bytes}));
    } else {
      MOELLE_RETURN_IF_ERROR(
          device_->copy(operands[0], operands[1], step.bytes));
    }
    if (timing_) {
      uint64_t after = now();
      nanoseconds_[i] = after - before;
      before = after;
    }
  }
  MOELLE_RETURN_IF_ERROR(device_->synchronise());
  return checkObservations();
}

Status Session::checkObservations() const {
  const artifact::Program &artifact = program_->artifact();
  for (const Observation &each : observations_) {
    const artifact::Command *command = artifact.commands()->Get(each.command);
    const artifact::Check *check = command->action_as_Check();
    bool isWide = artifact.buffers()->Get(check->value())->bytes() == 8;
    int64_t value = isWide ? each.value.wide : each.value.narrow;
    if (value >= check->low() && value < check->high()) {
      continue;
    }
    const char *node = "";
    if (command->sources() && command->sources()->size() != 0) {
      const artifact::Source *source =
          artifact.sources()->Get(command->sources()->Get(0));
      node = source->node() ? source->node()->c_str() : "";
    }
    return makeError(
        MOELLE_INVALID_ARGUMENT,
        "%s%s%s must be in [%" PRId64 ", %" PRId64 "), but got %" PRId64,
        check->what() ? check->what()->c_str() : "a value",
        *node ? " at node " : "", node, check->low(), check->high(), value);
  }
  return {};
}

} // namespace moelle
