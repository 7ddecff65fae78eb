// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that run an artifact through the C ABI.
#ifndef MOELLE_TOOLS_RUNCOMMANDS_H
#define MOELLE_TOOLS_RUNCOMMANDS_H

#include "tools/Compile.h"

namespace moelle {

struct RunOptions {
  std::string artifact, inputs, outputs, weights, timing;
  int repeat = 1;
  unsigned threads = 0;
  bool json = false;
};
int runCommand(const RunOptions &options);
int verifyCommand(const std::string &folder, unsigned threads,
                  const CompileOptions &options);

} // namespace moelle

#endif // MOELLE_TOOLS_RUNCOMMANDS_H
