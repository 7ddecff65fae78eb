// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that run an artifact through the C ABI.
#ifndef MOELLE_TOOLS_RUNSTEP_H
#define MOELLE_TOOLS_RUNSTEP_H

#include <string>

namespace moelle {

struct RunOptions {
  std::string artifact, inputs, outputs, weights, timing;
  int repeat = 1, threads = 0;
};
int runCommand(const RunOptions &options);
int verifyCommand(const std::string &folder, int threads, bool json);

} // namespace moelle

#endif // MOELLE_TOOLS_RUNSTEP_H
