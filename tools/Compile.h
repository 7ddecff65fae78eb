// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that need the compiler.
#ifndef MOELLE_TOOLS_COMPILE_H
#define MOELLE_TOOLS_COMPILE_H

#include <optional>
#include <string>

namespace moelle {

/// Archive to artifact bytes through the whole pipeline; errors on stderr.
std::optional<std::string> compileArchive(const std::string &path, const std::string &cpu);
int importCommand(const std::string &path, const std::string &output);
int compileCommand(const std::string &path, const std::string &output, const std::string &cpu);

} // namespace moelle

#endif // MOELLE_TOOLS_COMPILE_H
