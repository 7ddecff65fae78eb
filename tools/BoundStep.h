// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a session and memory for all of its tensors.
#ifndef MOELLE_TOOLS_BOUNDSTEP_H
#define MOELLE_TOOLS_BOUNDSTEP_H

#include "lib/Import/Archive.h"
#include "runtime/Safetensors.h"

namespace moelle {

/// Owns handles and memory. Inputs come from a safetensors file by name, and
/// parameters, buffers and constants that it lacks from an archive.
class BoundStep {
public:
  BoundStep() = default;
  BoundStep(const BoundStep &) = delete;
  ~BoundStep();

  /// Binds every tensor, or sets `error` to all that is missing, unused or of
  /// the wrong shape at once. `archive` may be null; both must outlive this.
  bool bind(const SafetensorsFile &given, const Archive *archive,
            unsigned threads, std::string &error);
  const std::vector<SafetensorsEntry> &getOutputs() const { return outputs; }
  moelle_program_info getInfo() const;

  moelle_program *program = nullptr;
  moelle_session *session = nullptr;

private:
  void bindInput(uint32_t index, const SafetensorsFile &given,
                 const Archive *archive);

  std::vector<std::vector<char>> memory;
  std::vector<SafetensorsEntry> outputs;
  std::string missing, wrong;
};

} // namespace moelle

#endif // MOELLE_TOOLS_BOUNDSTEP_H
