// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `moelle run`.
#include "tools/BoundStep.h"
#include "tools/Compile.h"
#include "tools/Diagnostics.h"
#include "tools/RunCommands.h"

#include <algorithm>
#include <chrono>
#include <iostream>

using namespace moelle;
using nlohmann::json;

/// One object: seconds of each run, planned bytes, and each command with its
/// time in the last run.
static bool writeTiming(const BoundStep &step,
                        const std::vector<double> &seconds,
                        const std::string &path) {
  uint32_t count = step.getInfo().commands;
  std::vector<uint64_t> times(count);
  moelle_session_get_timing(step.session, times.data(), &count);
  uint64_t outputBytes = 0;
  for (const SafetensorsEntry &output : step.getOutputs()) {
    outputBytes += output.bytes;
  }
  json table = {{"seconds", seconds},
                {"arena_bytes", step.getInfo().arena_bytes},
                {"output_bytes", outputBytes},
                {"commands", json::array()}};
  for (uint32_t i = 0; i < count; ++i) {
    moelle_command_info info{};
    info.size = sizeof(info);
    moelle_program_get_command(step.program, i, &info);
    table["commands"].push_back({{"name", info.name},
                                 {"operators", info.label},
                                 {"node", info.node},
                                 {"bytes", info.bytes},
                                 {"nanoseconds", times[i]}});
  }
  return writeFile(path, table.dump(1) + "\n");
}

int moelle::runCommand(const RunOptions &options) {
  BoundStep step;
  if (moelle_program_load_file(options.artifact.c_str(), &step.program) !=
      MOELLE_OK) {
    return fail(moelle_last_message());
  }
  auto given = SafetensorsFile::open(options.inputs);
  if (!given.ok()) {
    return fail(given.status().message());
  }
  std::string error, path = options.weights.empty()
                                ? step.getInfo().source_archive
                                : options.weights;
  auto archive = path.empty() ? nullptr : Archive::open(path, error);
  if (!archive && !options.weights.empty()) {
    return fail(error);
  }
  error.clear();
  if (!step.bind(*given, archive.get(), options.threads, error)) {
    return fail(error);
  }
  moelle_session_set_timing(step.session, !options.timing.empty());
  std::vector<double> seconds;
  for (int i = 0; i < options.repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (moelle_session_run(step.session) != MOELLE_OK) {
      return fail(moelle_session_message(step.session));
    }
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
  }
  if (!options.outputs.empty()) {
    if (Status status = writeSafetensors(options.outputs, step.getOutputs());
        !status.ok()) {
      return fail(status.message());
    }
  }
  if (!options.timing.empty() && !writeTiming(step, seconds, options.timing)) {
    return 1;
  }
  std::sort(seconds.begin(), seconds.end());
  if (options.json) {
    std::cout << json{{"seconds", seconds},
                      {"arena_bytes", step.getInfo().arena_bytes}}
                     .dump(1)
              << "\n";
    return 0;
  }
  std::cout << "step " << seconds[seconds.size() / 2] * 1e3 << " ms (median of "
            << seconds.size() << "), arena " << step.getInfo().arena_bytes
            << " bytes\n";
  return 0;
}
