// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether this CPU can execute code compiled for given features.
#ifndef MOELLE_RUNTIME_CPUFEATURES_H
#define MOELLE_RUNTIME_CPUFEATURES_H

#include <string_view>

namespace moelle {

enum class FeatureSupport { Present, Absent, Unknown };

/// Asks for a feature by LLVM's name ("avx2", "avx512bf16"). A feature whose
/// registers the operating system does not save is absent. Thread-safe.
FeatureSupport cpuFeature(std::string_view name);

/// First part of this machine's target triple: "x86_64".
std::string_view hostArchitecture();

} // namespace moelle

#endif // MOELLE_RUNTIME_CPUFEATURES_H
