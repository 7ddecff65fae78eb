// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with its memory, its threads and the caller's tensors.
#ifndef MOELLE_RUNTIME_SESSION_H
#define MOELLE_RUNTIME_SESSION_H

#include "runtime/Program.h"
#include "runtime/ThreadPool.h"

namespace moelle {

/// Thread-compatible. `run` allocates nothing and does not touch the
/// floating-point environment.
class Session {
public:
  static Status create(const Program &program, unsigned threads, std::unique_ptr<Session> &session);
  ~Session();

  Status bindInput(size_t index, const void *data, uint64_t bytes);
  Status bindOutput(size_t index, void *data, uint64_t bytes);
  Status run();

  const Program &program;
  bool timed = false;
  std::vector<uint64_t> timing; ///< nanoseconds of each command

private:
  struct Command {
    KernelFunction kernel = nullptr; ///< null: a copy
    int64_t items = 0, grain = 1;
    uint32_t first = 0, count = 0; ///< operands, in `pointers`
  };
  struct Bound {
    char *data = nullptr;
    bool bound = false;
  };

  Session(const Program &program, unsigned threads) : program(program), pool(threads) {}
  Status bind(bool output, size_t index, void *data, uint64_t bytes);
  Status check();

  ThreadPool pool;
  char *arena = nullptr, *scratch = nullptr;
  uint64_t scratchStride = 0;
  std::vector<Command> commands;
  std::vector<uint32_t> operands; ///< buffer of each pointer
  std::vector<void *> pointers;
  std::vector<Bound> inputs, outputs;
  bool checked = false;
};

} // namespace moelle

#endif // MOELLE_RUNTIME_SESSION_H
