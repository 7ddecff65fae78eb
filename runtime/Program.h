// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A verified, loaded artifact.
#ifndef MOELLE_RUNTIME_PROGRAM_H
#define MOELLE_RUNTIME_PROGRAM_H

#include "runtime/Device.h"
#include "runtime/MappedFile.h"

#include <unordered_map>
#include <vector>

namespace moelle {

namespace artifact {
struct Program;
}

/// An input or output. Name and shape point into the artifact.
struct TensorFacts {
  const char *name;
  moelle_tensor_kind kind;
  moelle_dtype dtype;
  std::span<const int64_t> shape;
  uint64_t bytes;
};

/// Thread-safe. Owns the artifact's bytes and its code; sessions share it.
class Program {
public:
  /// Maps, verifies and loads. Blocks; allocates.
  static Result<std::shared_ptr<Program>> load(const std::string &path);
  static Result<std::shared_ptr<Program>>
  load(std::span<const std::byte> bytes);
  ~Program();
  Program(const Program &) = delete;

  const artifact::Program &artifact() const { return *artifact_; }
  std::span<const TensorFacts> inputs() const { return inputs_; }
  std::span<const TensorFacts> outputs() const { return outputs_; }
  /// By index of the artifact's kernels.
  std::span<void *const> kernels() const { return kernels_; }
  /// Labels of a kernel joined by '+'.
  const std::string &label(uint32_t kernel) const { return labels_[kernel]; }
  /// Commands that launch a kernel.
  uint32_t launches(uint32_t kernel) const { return launches_[kernel]; }
  const uint64_t *hash() const { return hash_; }

  /// Null where there is no such name.
  const uint32_t *findInput(std::string_view name) const;
  const uint32_t *findOutput(std::string_view name) const;

private:
  Program() = default;
  Status prepare(std::span<const std::byte> file);

  MappedFile file_;
  std::byte *copy_ = nullptr; // where it came from memory
  const artifact::Program *artifact_ = nullptr;
  std::shared_ptr<Code> code_;
  std::vector<TensorFacts> inputs_, outputs_;
  std::unordered_map<std::string_view, uint32_t> inputNames_, outputNames_;
  std::vector<void *> kernels_;
  std::vector<std::string> labels_;
  std::vector<uint32_t> launches_;
  uint64_t hash_[2] = {0, 0};
};

} // namespace moelle

#endif // MOELLE_RUNTIME_PROGRAM_H
