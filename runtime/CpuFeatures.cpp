// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps LLVM's feature names to CPUID bits. Not __builtin_cpu_supports: it takes
// literals only, and the two host compilers know different sets.
#include "runtime/CpuFeatures.h"

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace moelle {

#if defined(__x86_64__)

std::string_view hostArchitecture() { return "x86_64"; }

namespace {

enum Register : uint8_t { A, B, C, D };
// What the operating system must save: nothing, ymm, zmm, or tiles.
enum State : uint8_t { None, Ymm, Zmm, Tile };

struct Feature {
  std::string_view name;
  uint32_t leaf;
  uint32_t subleaf;
  Register reg;
  uint8_t bit;
  State state;
};

constexpr uint32_t kExtended = 0x80000001;
constexpr Feature kFeatures[] = {
    {"cmov", 1, 0, D, 15, None},
    {"cx8", 1, 0, D, 8, None},
    {"cx16", 1, 0, C, 13, None},
    {"fxsr", 1, 0, D, 24, None},
    {"mmx", 1, 0, D, 23, None},
    {"x87", 1, 0, D, 0, None},
    {"sse", 1, 0, D, 25, None},
    {"sse2", 1, 0, D, 26, None},
    {"sse3", 1, 0, C, 0, None},
    {"pclmul", 1, 0, C, 1, None},
    {"ssse3", 1, 0, C, 9, None},
    {"fma", 1, 0, C, 12, Ymm},
    {"sse4.1", 1, 0, C, 19, None},
    {"sse4.2", 1, 0, C, 20, None},
    {"crc32", 1, 0, C, 20, None},
    {"movbe", 1, 0, C, 22, None},
    {"popcnt", 1, 0, C, 23, None},
    {"aes", 1, 0, C, 25, None},
    {"xsave", 1, 0, C, 26, None},
    {"avx", 1, 0, C, 28, Ymm},
    {"f16c", 1, 0, C, 29, Ymm},
    {"rdrnd", 1, 0, C, 30, None},
    {"fsgsbase", 7, 0, B, 0, None},
    {"bmi", 7, 0, B, 3, None},
    {"avx2", 7, 0, B, 5, Ymm},
    {"bmi2", 7, 0, B, 8, None},
    {"invpcid", 7, 0, B, 10, None},
    {"avx512f", 7, 0, B, 16, Zmm},
    {"evex512", 7, 0, B, 16, Zmm},
    {"avx512dq", 7, 0, B, 17, Zmm},
    {"rdseed", 7, 0, B, 18, None},
    {"adx", 7, 0, B, 19, None},
    {"avx512ifma", 7, 0, B, 21, Zmm},
    {"clflushopt", 7, 0, B, 23, None},
    {"clwb", 7, 0, B, 24, None},
    {"avx512cd", 7, 0, B, 28, Zmm},
    {"sha", 7, 0, B, 29, None},
    {"avx512bw", 7, 0, B, 30, Zmm},
    {"avx512vl", 7, 0, B, 31, Zmm},
    {"avx512vbmi", 7, 0, C, 1, Zmm},
    {"avx512vbmi2", 7, 0, C, 6, Zmm},
    {"gfni", 7, 0, C, 8, None},
    {"vaes", 7, 0, C, 9, Ymm},
    {"vpclmulqdq", 7, 0, C, 10, Ymm},
    {"avx512vnni", 7, 0, C, 11, Zmm},
    {"avx512bitalg", 7, 0, C, 12, Zmm},
    {"avx512vpopcntdq", 7, 0, C, 14, Zmm},
    {"rdpid", 7, 0, C, 22, None},
    {"movdiri", 7, 0, C, 27, None},
    {"movdir64b", 7, 0, C, 28, None},
    {"amx-bf16", 7, 0, D, 22, Tile},
    {"avx512fp16", 7, 0, D, 23, Zmm},
    {"amx-tile", 7, 0, D, 24, Tile},
    {"amx-int8", 7, 0, D, 25, Tile},
    {"serialize", 7, 0, D, 14, None},
    {"avxvnni", 7, 1, A, 4, Ymm},
    {"avx512bf16", 7, 1, A, 5, Zmm},
    {"xsaveopt", 0xd, 1, A, 0, None},
    {"xsavec", 0xd, 1, A, 1, None},
    {"xsaves", 0xd, 1, A, 3, None},
    {"sahf", kExtended, 0, C, 0, None},
    {"lzcnt", kExtended, 0, C, 5, None},
    {"sse4a", kExtended, 0, C, 6, None},
    {"prfchw", kExtended, 0, C, 8, None},
    {"64bit", kExtended, 0, D, 29, None},
};

bool systemSaves(State state) {
  if (state == None) {
    return true;
  }
  uint32_t registers[4];
  if (!__get_cpuid(1, &registers[A], &registers[B], &registers[C],
                   &registers[D]) ||
      !(registers[C] >> 27 & 1)) {
    return false;
  }
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  uint32_t mask = state == Ymm ? 0x6 : state == Zmm ? 0xe6 : 0x60000;
  return (low & mask) == mask;
}

} // namespace

FeatureSupport cpuFeature(std::string_view name) {
  for (const Feature &feature : kFeatures) {
    if (feature.name != name) {
      continue;
    }
    uint32_t registers[4];
    if (!__get_cpuid_count(feature.leaf, feature.subleaf, &registers[A],
                           &registers[B], &registers[C], &registers[D])) {
      return FeatureSupport::Absent;
    }
    return registers[feature.reg] >> feature.bit & 1 &&
                   systemSaves(feature.state)
               ? FeatureSupport::Present
               : FeatureSupport::Absent;
  }
  return FeatureSupport::Unknown;
}

#else

#if defined(__aarch64__)
std::string_view hostArchitecture() { return "aarch64"; }
#else
std::string_view hostArchitecture() { return "unknown"; }
#endif

FeatureSupport cpuFeature(std::string_view) { return FeatureSupport::Unknown; }

#endif

} // namespace moelle
