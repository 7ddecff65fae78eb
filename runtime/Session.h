// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program on a device, with bound memory, ready to run.
#ifndef MOELLE_RUNTIME_SESSION_H
#define MOELLE_RUNTIME_SESSION_H

#include "runtime/Communicator.h"
#include "runtime/Device.h"
#include "runtime/Program.h"

#include <memory>
#include <vector>

namespace moelle {

/// Thread-compatible. Owns the arena and the device; bound memory is the
/// caller's. Creation allocates all that a run needs.
class Session {
public:
  static Result<std::unique_ptr<Session>>
  create(std::shared_ptr<const Program> program,
         std::shared_ptr<Communicator> communicator,
         std::unique_ptr<Device> device);
  ~Session();
  Session(const Session &) = delete;

  /// Neither blocks nor touches the tensor's elements.
  Status bindInput(uint32_t index, const moelle_tensor &tensor);
  Status bindOutput(uint32_t index, const moelle_tensor &tensor);

  /// Walks the commands; allocates only for an error's text. Collective where
  /// the program has collectives.
  Status run();

  void setTiming(bool enabled) { timing_ = enabled; }
  std::span<const uint64_t> nanoseconds() const { return nanoseconds_; }
  const Program &program() const { return *program_; }
  const Device &device() const { return *device_; }

private:
  // A command with its addresses; for a copy, operand 0 is the destination. A
  // check is a copy into an observation.
  struct Step {
    void *kernel;
    int64_t grid;
    int64_t grain;
    uint64_t bytes; // a launch's scratch, a copy's size
    uint32_t firstOperand;
  };
  // An operand that follows a bound tensor.
  struct Patch {
    uint32_t operand;
    uint64_t offset;
  };
  // A check command, and where the run copies the value that it looks at.
  struct Observation {
    uint32_t command;
    union {
      int32_t narrow;
      int64_t wide;
    } value;
  };
  struct Interval {
    uintptr_t begin, end;
    uint32_t tensor; // inputs, then outputs
  };

  Session() = default;
  Status prepare();
  void addOperand(uint32_t buffer);
  Status bind(const char *what, const TensorFacts &facts, uint32_t slot,
              const moelle_tensor &tensor);
  Status checkBindings();
  Status checkObservations() const;
  const char *tensorName(uint32_t slot) const;

  std::shared_ptr<const Program> program_;
  std::shared_ptr<Communicator> communicator_;
  std::unique_ptr<Device> device_;
  std::byte *arena_ = nullptr;
  std::vector<Step> steps_;
  std::vector<void *> operands_;
  std::vector<Observation> observations_;   // addresses are operands
  std::vector<std::vector<Patch>> patches_; // by tensor
  std::vector<void *> bound_;
  std::vector<bool> isBound_;
  std::vector<Interval> intervals_; // room for the overlap check
  bool checked_ = false;
  bool timing_ = false;
  std::vector<uint64_t> nanoseconds_;
};

} // namespace moelle

#endif // MOELLE_RUNTIME_SESSION_H
