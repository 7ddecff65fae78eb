// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `moelle verify`: the accuracy rule against PyTorch and an fp64 reference.
#include "tools/BoundStep.h"
#include "tools/Compile.h"
#include "tools/Diagnostics.h"
#include "tools/RunCommands.h"

#include <cmath>
#include <cstring>
#include <iostream>

using namespace moelle;
using nlohmann::json;

namespace {

template <typename T>
std::vector<double> widen(const SafetensorsEntry &tensor) {
  std::vector<double> out(tensor.bytes / sizeof(T));
  for (size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, tensor.data + i * sizeof(T), sizeof(T));
    out[i] = static_cast<double>(value);
  }
  return out;
}

/// Elements as double; NaN patterns pass. Empty for dtypes no gradient has.
std::vector<double> toDouble(const SafetensorsEntry &tensor) {
  switch (tensor.dtype) {
  case MOELLE_F32:
    return widen<float>(tensor);
  case MOELLE_F64:
    return widen<double>(tensor);
  case MOELLE_I64:
    return widen<int64_t>(tensor);
  case MOELLE_I32:
    return widen<int32_t>(tensor);
  case MOELLE_BF16: {
    std::vector<double> out(tensor.bytes / 2);
    for (size_t i = 0; i < out.size(); ++i) {
      uint32_t bits = 0;
      std::memcpy(reinterpret_cast<char *>(&bits) + 2, tensor.data + 2 * i, 2);
      float value;
      std::memcpy(&value, &bits, 4);
      out[i] = value;
    }
    return out;
  }
  default:
    return {};
  }
}

/// |x - ref| / |ref| in the 2-norm; |x| where the reference is zero. NaN
/// against NaN is no difference.
double relativeError(const std::vector<double> &x,
                     const std::vector<double> &reference) {
  if (x.size() != reference.size()) {
    return INFINITY;
  }
  double difference = 0, norm = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) && std::isnan(reference[i])) {
      continue;
    }
    difference += (x[i] - reference[i]) * (x[i] - reference[i]);
    norm += reference[i] * reference[i];
  }
  return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

double epsilonOf(moelle_dtype dtype) {
  return dtype == MOELLE_F64    ? 0x1p-52
         : dtype == MOELLE_BF16 ? 0x1p-7
         : dtype == MOELLE_F16  ? 0x1p-10
                                : 0x1p-23;
}

/// The output of a name; a tied parameter's gradient may bear another of its
/// parameter's names.
const SafetensorsEntry *findOutput(const std::vector<SafetensorsEntry> &outputs,
                                   const std::string &name,
                                   const Archive &archive) {
  auto storage = [&](const std::string &output) {
    auto view = output.rfind("grad.", 0) == 0
                    ? archive.getWeights().find(output.substr(5))
                    : archive.getWeights().end();
    return view == archive.getWeights().end()
               ? std::string()
               : view->second.member + "@" +
                     std::to_string(view->second.storageOffset);
  };
  const SafetensorsEntry *alias = nullptr;
  for (const SafetensorsEntry &output : outputs) {
    if (output.name == name) {
      return &output;
    }
    if (!storage(name).empty() && storage(output.name) == storage(name)) {
      alias = &output;
    }
  }
  return alias;
}

} // namespace

int moelle::verifyCommand(const std::string &folder, unsigned threads,
                          const CompileOptions &options) {
  bool asJson = options.json;
  auto inputs = SafetensorsFile::open(folder + "/inputs.safetensors");
  auto expected = SafetensorsFile::open(folder + "/expected.safetensors");
  auto reference = SafetensorsFile::open(folder + "/reference.safetensors");
  bool isReadable = true;
  for (const auto *file : {&inputs, &expected, &reference}) {
    if (!file->ok()) {
      fail(file->status().message());
      isReadable = false;
    }
  }
  if (!isReadable) {
    return 1;
  }
  auto artifact = compileFile(folder + "/graph.pt2", options);
  if (!artifact) {
    return 1;
  }
  BoundStep step;
  if (moelle_program_load_memory(artifact->data(), artifact->size(),
                                 &step.program) != MOELLE_OK) {
    return fail(moelle_last_message());
  }
  std::string error;
  auto archive = Archive::open(folder + "/graph.pt2", error);
  if (!archive || !step.bind(*inputs, archive.get(), threads, error)) {
    return fail(error);
  }
  if (moelle_session_run(step.session) != MOELLE_OK) {
    return fail(moelle_session_message(step.session));
  }
  bool good = true;
  double logs = 0;
  size_t count = 0, width = 6;
  json table = json::array();
  for (const SafetensorsEntry &truth : reference->entries()) {
    width = std::max(width, truth.name.size());
  }
  if (!asJson) {
    std::printf("%-*s %12s %12s %8s\n", static_cast<int>(width), "output",
                "error", "PyTorch's", "ratio");
  }
  for (const SafetensorsEntry &truth : reference->entries()) {
    const SafetensorsEntry *ours =
        findOutput(step.getOutputs(), truth.name, *archive);
    const SafetensorsEntry *theirs = expected->find(truth.name);
    if (!ours || !theirs) {
      good = false;
      fail("output '" + truth.name + "' must be computed, but " +
           (ours ? "'expected.safetensors'" : "the program") + " lacks it");
      continue;
    }
    std::vector<double> exact = toDouble(truth);
    double mine = relativeError(toDouble(*ours), exact),
           other = relativeError(toDouble(*theirs), exact);
    double eps = epsilonOf(ours->dtype);
    double ratio = std::max(mine, eps) / std::max(other, eps);
    bool holds = mine <= std::max(2 * other, 4 * eps); // false for NaN too
    good &= holds;
    logs += std::log(ratio);
    ++count;
    table.push_back({{"output", truth.name},
                     {"error", mine},
                     {"pytorch", other},
                     {"ratio", ratio},
                     {"holds", holds}});
    if (!asJson) {
      std::printf("%-*s %12.3e %12.3e %8.3f%s\n", static_cast<int>(width),
                  truth.name.c_str(), mine, other, ratio,
                  holds ? "" : "  over the limit");
    }
  }
  double mean = count ? std::exp(logs / count) : INFINITY;
  good = good && mean <= 1.1;
  if (asJson) {
    std::cout << json{{"outputs", table}, {"mean_ratio", mean}, {"holds", good}}
                     .dump(1)
              << "\n";
  } else {
    std::printf(
        "%zu outputs, geometric mean of the ratios %.3f (at most 1.1): %s\n",
        count, mean, good ? "holds" : "does NOT hold");
  }
  return good ? 0 : 1;
}
