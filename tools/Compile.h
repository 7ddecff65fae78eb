// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that need the compiler.
#ifndef MOELLE_TOOLS_COMPILE_H
#define MOELLE_TOOLS_COMPILE_H

#include <optional>
#include <string>

namespace moelle {

struct CompileOptions {
  std::string cpu;     ///< LLVM's name of a CPU; empty: this machine
  std::string dumpDir; ///< IR after each pass goes here; empty: nowhere
  bool remarks = false;
  bool json = false;
};

/// A step (.pt2 or .mlir) to artifact bytes through the whole pipeline; errors
/// on stderr.
std::optional<std::string> compileFile(const std::string &path,
                                       const CompileOptions &options);
int importCommand(const std::string &path, const std::string &output,
                  bool asJson);
int compileCommand(const std::string &path, const std::string &output,
                   const CompileOptions &options);

/// Writes through a temporary file, so that a failure leaves nothing behind;
/// false with the error on stderr.
bool writeFile(const std::string &path, const std::string &content);

} // namespace moelle

#endif // MOELLE_TOOLS_COMPILE_H
