// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fork-join costs beyond its work: the price of a command is this plus
// two loads. Limit: 1 us with a trivial body.
#include "runtime/cpu/CpuDevice.h"

#include <benchmark/benchmark.h>

namespace {

void trivial(void *const *, int64_t, int64_t, void *) {}

void launchCommands(benchmark::State &state) {
  auto device = moelle::createCpuDevice(uint32_t(state.range(0)));
  if (!device.ok() || !(*device)->reserveScratch(64).ok()) {
    state.SkipWithError("cannot create the device");
    return;
  }
  for (auto _ : state) {
    moelle::Status status = (*device)->launch(
        {reinterpret_cast<void *>(trivial), nullptr, state.range(1), 1, 64});
    benchmark::DoNotOptimize(status);
  }
}

BENCHMARK(launchCommands)
    ->ArgNames({"threads", "grid"})
    ->Args({1, 1})
    ->Args({2, 1})
    ->Args({1, 2})
    ->Args({2, 2})
    ->Args({2, 64})
    ->UseRealTime();

} // namespace

BENCHMARK_MAIN();
