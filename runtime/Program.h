// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded artifact: verified payload and resolved kernels.
#ifndef MOELLE_RUNTIME_PROGRAM_H
#define MOELLE_RUNTIME_PROGRAM_H

#include "runtime/Status.h"
#include "runtime/artifact_generated.h"

#include <memory>
#include <vector>

namespace moelle {

using KernelFunction = void (*)(void *const *buffers, int64_t begin, int64_t end, void *scratch);

/// Bytes of a dtype's element; 0 where it is none of ours.
uint64_t getElementSize(artifact::DType dtype);

/// Checks a whole file before any of it is used: frame, hash, FlatBuffers
/// structure, every index, size and range. Sets `program` into `data`, which
/// must be 8-byte aligned and outlive it. Loads no code.
Status verifyArtifact(const void *data, size_t size, const artifact::Program *&program);
/// The checks behind frame and hash.
Status verifyPayload(const uint8_t *payload, size_t size, const artifact::Program *&program);

/// Immutable, thread-safe.
class Program {
public:
  static Status load(std::vector<char> data, std::unique_ptr<Program> &program);
  ~Program();

  const artifact::Program &get() const { return *payload; }
  const std::vector<KernelFunction> &getKernels() const { return kernels; }
  uint64_t getScratchBytes() const { return scratchBytes; }
  uint64_t getBytes(const artifact::Tensor &tensor) const;
  const std::string &getLabel(size_t command) const { return labels[command]; }

private:
  Program() = default;
  Status loadCode();

  std::vector<char> data;
  const artifact::Program *payload = nullptr;
  void *library = nullptr;
  std::vector<KernelFunction> kernels;
  std::vector<std::string> labels;
  uint64_t scratchBytes = 0;
};

} // namespace moelle

#endif // MOELLE_RUNTIME_PROGRAM_H
