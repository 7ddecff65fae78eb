// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a backend provides: memory, code, and an ordered stream of work.
#ifndef MOELLE_RUNTIME_DEVICE_H
#define MOELLE_RUNTIME_DEVICE_H

#include "runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace moelle {

/// Loaded code. Thread-safe. Unloads on destruction.
class Code {
public:
  virtual ~Code() = default;
  /// A kernel of the code by name; what it points to is the backend's.
  virtual Result<void *> find(const std::string &symbol) const = 0;
};

/// One kernel launch. All pointers are on the device but `operands` itself.
struct LaunchRequest {
  void *kernel;          // from Code::find of the same device
  void *const *operands; // the host reads it before launch returns
  int64_t grid;          // work items
  int64_t grain;         // fewest items worth a thread
  uint64_t scratchBytes; // per thread; within reserveScratch's
};

/// Thread-compatible: one session drives a device object. Work issued by
/// `launch` and `copy` runs in order of issue; on `cpu` it is done when they
/// return, on a GPU when `synchronise` returns. `launch`, `copy` and
/// `synchronise` do not allocate and are legal in graph capture, synchronise
/// excepted. Memory handed out must be released before the device goes.
class Device {
public:
  virtual ~Device() = default;

  /// "cpu", "cuda".
  virtual const char *name() const = 0;
  /// Threads (cpu) or multiprocessors that share a launch.
  virtual uint32_t parallelism() const = 0;

  /// Blocks and allocates. Zero bytes give a null pointer.
  virtual Result<void *> allocate(size_t bytes, size_t alignment) = 0;
  virtual void release(void *memory, size_t bytes) = 0;
  /// Makes room for kernels that ask for up to `bytes` of scratch a thread.
  virtual Status reserveScratch(uint64_t bytes) = 0;

  virtual Status launch(const LaunchRequest &request) = 0;
  virtual Status copy(void *destination, const void *source,
                      uint64_t bytes) = 0;
  /// Blocks the host until all issued work is done; returns its first error.
  virtual Status synchronise() = 0;
};

} // namespace moelle

#endif // MOELLE_RUNTIME_DEVICE_H
