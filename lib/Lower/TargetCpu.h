// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU that kernels are compiled for.
#ifndef MOELLE_LOWER_TARGETCPU_H
#define MOELLE_LOWER_TARGETCPU_H

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace moelle {

/// The machine that kernels are compiled for.
struct Target {
  std::string cpu; ///< LLVM's name; empty means this machine
};

/// The code generator for `target`; an error when LLVM knows no such CPU.
/// Machines are not shared between threads: one each.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const Target &target);

/// What code of `machine` needs of a CPU, of the features that the runtime can
/// check before it runs the code: LLVM's names, sorted.
std::vector<std::string>
getRequiredFeatures(const llvm::TargetMachine &machine);

} // namespace moelle

#endif // MOELLE_LOWER_TARGETCPU_H
