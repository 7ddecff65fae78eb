// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `moelle run` and `moelle verify`.
#include "tools/RunStep.h"

#include "lib/Import/Archive.h"
#include "moelle/runtime.h"
#include "runtime/Safetensors.h"
#include "tools/Compile.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <set>

using namespace moelle;

namespace {

int fail(const std::string &message) {
  std::cerr << "moelle: error: " << message << "\n";
  return 1;
}

const char *const kDtypes[] = {"", "F32", "F64", "F16", "BF16", "I8", "U8", "I16", "I32", "I64", "BOOL", "C64"};

/// A program, its session and the memory of all its tensors.
class Step {
public:
  ~Step() {
    moelle_session_destroy(session);
    moelle_program_destroy(program);
  }
  /// Binds inputs from `given`, then parameters from `archive`; names every
  /// missing, unused and ill-shaped tensor in one message.
  bool bind(const std::map<std::string, SafeTensor> &given, const Archive *archive, int threads, std::string &error);
  std::map<std::string, SafeTensor> getOutputs() const { return outputs; }

  moelle_program *program = nullptr;
  moelle_session *session = nullptr;

private:
  std::vector<std::vector<char>> memory;
  std::map<std::string, SafeTensor> outputs;
};

std::string describe(const std::string &dtype, const std::vector<int64_t> &shape) {
  std::string text = dtype + "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i ? "," : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

bool Step::bind(const std::map<std::string, SafeTensor> &given, const Archive *archive, int threads, std::string &error) {
  moelle_session_options options{sizeof(options), threads};
  if (moelle_session_create(program, &options, &session) != MOELLE_OK) {
    error = moelle_last_message();
    return false;
  }
  std::set<std::string> unused;
  for (const auto &[name, tensor] : given) {
    unused.insert(name);
  }
  std::string missing, wrong;
  size_t inputs = moelle_program_input_count(program), count = moelle_program_output_count(program);
  memory.reserve(inputs + count);
  for (size_t i = 0; i < inputs; ++i) {
    moelle_tensor_info info{};
    info.struct_size = sizeof(info);
    moelle_program_input_info(program, i, &info);
    std::vector<int64_t> shape(info.shape, info.shape + info.rank);
    auto found = given.find(info.name);
    const char *data = nullptr;
    if (found != given.end()) {
      unused.erase(info.name);
      if (found->second.dtype != kDtypes[info.dtype] || found->second.shape != shape) {
        wrong += "\n  '" + std::string(info.name) + "' must be " + describe(kDtypes[info.dtype], shape) + ", but is " + describe(found->second.dtype, found->second.shape);
        continue;
      }
      data = found->second.data;
    } else {
      std::string why;
      memory.emplace_back();
      if (info.kind == MOELLE_INPUT || !archive || !archive->materialise(info.name, memory.back(), why)) {
        missing += "\n  '" + std::string(info.name) + "': " + describe(kDtypes[info.dtype], shape) + (why.empty() ? "" : " (" + why + ")");
        continue;
      }
      data = memory.back().data();
      if (memory.back().size() != info.bytes) {
        wrong += "\n  '" + std::string(info.name) + "' must have " + std::to_string(info.bytes) + " bytes, but the archive has " + std::to_string(memory.back().size());
        continue;
      }
    }
    static const char empty = 0;
    if (moelle_session_bind_input(session, i, data ? data : &empty, info.bytes) != MOELLE_OK) {
      wrong += "\n  " + std::string(moelle_last_message());
    }
  }
  std::string extra;
  for (const std::string &name : unused) {
    extra += "\n  '" + name + "'";
  }
  error += missing.empty() ? "" : "inputs that must be given, but are missing:" + missing;
  error += extra.empty() ? "" : (error.empty() ? "" : "\n") + std::string("inputs that the program does not have:") + extra;
  error += wrong.empty() ? "" : (error.empty() ? "" : "\n") + std::string("inputs of the wrong shape or dtype:") + wrong;
  for (size_t i = 0; error.empty() && i < count; ++i) {
    moelle_tensor_info info{};
    info.struct_size = sizeof(info);
    moelle_program_output_info(program, i, &info);
    memory.emplace_back(std::max<uint64_t>(info.bytes, 1));
    outputs[info.name] = {kDtypes[info.dtype], {info.shape, info.shape + info.rank}, memory.back().data(), info.bytes};
    if (moelle_session_bind_output(session, i, memory.back().data(), info.bytes) != MOELLE_OK) {
      error = moelle_last_message();
    }
  }
  return error.empty();
}

/// Elements as double; NaN patterns pass.
std::vector<double> toDouble(const SafeTensor &tensor) {
  std::vector<double> out;
  auto each = [&]<typename T>(T, auto convert) {
    out.resize(tensor.bytes / sizeof(T));
    for (size_t i = 0; i < out.size(); ++i) {
      T value;
      std::memcpy(&value, tensor.data + i * sizeof(T), sizeof(T));
      out[i] = convert(value);
    }
  };
  auto plain = [](auto value) { return static_cast<double>(value); };
  if (tensor.dtype == "F32") {
    each(float(), plain);
  } else if (tensor.dtype == "F64") {
    each(double(), plain);
  } else if (tensor.dtype == "I64") {
    each(int64_t(), plain);
  } else if (tensor.dtype == "I32") {
    each(int32_t(), plain);
  } else if (tensor.dtype == "BF16") {
    each(uint16_t(), [](uint16_t bits) {
      uint32_t wide = uint32_t(bits) << 16;
      float value;
      std::memcpy(&value, &wide, 4);
      return static_cast<double>(value);
    });
  }
  return out;
}

/// |x - ref| / |ref| in the 2-norm; |x| where the reference is zero.
double relativeError(const std::vector<double> &x, const std::vector<double> &reference) {
  if (x.size() != reference.size()) {
    return INFINITY;
  }
  double difference = 0, norm = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    difference += (x[i] - reference[i]) * (x[i] - reference[i]);
    norm += reference[i] * reference[i];
  }
  return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

double epsilonOf(const std::string &dtype) { return dtype == "F64" ? 0x1p-52 : dtype == "BF16" ? 0x1p-7 : dtype == "F16" ? 0x1p-10 : 0x1p-23; }

} // namespace

int moelle::runCommand(const RunOptions &options) {
  Step step;
  if (moelle_program_load(options.artifact.c_str(), &step.program) != MOELLE_OK) {
    return fail(moelle_last_message());
  }
  std::string error;
  auto given = SafetensorsFile::open(options.inputs, error);
  if (!given) {
    return fail(error);
  }
  std::string path = options.weights.empty() ? moelle_program_source(step.program) : options.weights;
  auto archive = path.empty() ? nullptr : Archive::open(path, error);
  if (!archive && !options.weights.empty()) {
    return fail(error);
  }
  error.clear();
  if (!step.bind(given->getTensors(), archive.get(), options.threads, error)) {
    return fail(error);
  }
  moelle_session_set_timing(step.session, !options.timing.empty());
  std::vector<double> seconds;
  for (int i = 0; i < options.repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (moelle_session_run(step.session) != MOELLE_OK) {
      return fail(moelle_last_message());
    }
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  if (!options.outputs.empty() && !writeSafetensors(options.outputs, step.getOutputs(), error)) {
    return fail(error);
  }
  std::sort(seconds.begin(), seconds.end());
  std::cout << "step " << seconds[seconds.size() / 2] * 1e3 << " ms (median of " << seconds.size() << "), arena "
            << moelle_program_arena_bytes(step.program) << " bytes\n";
  if (!options.timing.empty()) {
    std::vector<uint64_t> times(moelle_program_command_count(step.program));
    moelle_session_timing(step.session, times.data(), times.size());
    nlohmann::json table = {{"seconds", seconds}, {"commands", nlohmann::json::array()}};
    for (size_t i = 0; i < times.size(); ++i) {
      table["commands"].push_back({{"label", moelle_program_command_label(step.program, i)}, {"nanoseconds", times[i]}});
    }
    std::ofstream file(options.timing);
    if (!(file << table.dump(1) << "\n")) {
      return fail("can not write '" + options.timing + "'");
    }
  }
  return 0;
}

int moelle::verifyCommand(const std::string &folder, int threads, bool json) {
  auto artifact = compileArchive(folder + "/graph.pt2", "");
  if (!artifact) {
    return 1;
  }
  Step step;
  if (moelle_program_load_memory(artifact->data(), artifact->size(), &step.program) != MOELLE_OK) {
    return fail(moelle_last_message());
  }
  std::string error;
  auto inputs = SafetensorsFile::open(folder + "/inputs.safetensors", error);
  auto expected = inputs ? SafetensorsFile::open(folder + "/expected.safetensors", error) : nullptr;
  auto reference = expected ? SafetensorsFile::open(folder + "/reference.safetensors", error) : nullptr;
  auto archive = reference ? Archive::open(folder + "/graph.pt2", error) : nullptr;
  if (!archive || !step.bind(inputs->getTensors(), archive.get(), threads, error)) {
    return fail(error);
  }
  if (moelle_session_run(step.session) != MOELLE_OK) {
    return fail(moelle_last_message());
  }
  // A gradient of a tied parameter may be recorded under another of its names.
  auto outputs = step.getOutputs();
  auto find = [&](const std::string &name) {
    auto found = outputs.find(name);
    if (found != outputs.end() || name.rfind("grad.", 0) != 0) {
      return found;
    }
    auto view = archive->getWeights().find(name.substr(5));
    for (auto it = outputs.begin(); view != archive->getWeights().end() && it != outputs.end(); ++it) {
      auto other = it->first.rfind("grad.", 0) == 0 ? archive->getWeights().find(it->first.substr(5)) : archive->getWeights().end();
      if (other != archive->getWeights().end() && other->second.member == view->second.member) {
        return it;
      }
    }
    return outputs.end();
  };
  bool good = true;
  double logs = 0;
  size_t count = 0, width = 6;
  nlohmann::json table = nlohmann::json::array();
  for (const auto &[name, tensor] : reference->getTensors()) {
    width = std::max(width, name.size());
  }
  if (!json) {
    std::printf("%-*s %12s %12s %8s\n", static_cast<int>(width), "output", "error", "PyTorch's", "ratio");
  }
  for (const auto &[name, tensor] : reference->getTensors()) {
    auto ours = find(name);
    auto theirs = expected->getTensors().find(name);
    if (ours == outputs.end() || theirs == expected->getTensors().end()) {
      good = false;
      fail("output '" + name + "' must be computed, but the program or 'expected.safetensors' lacks it");
      continue;
    }
    auto truth = toDouble(tensor);
    double mine = relativeError(toDouble(ours->second), truth), other = relativeError(toDouble(theirs->second), truth);
    double eps = epsilonOf(ours->second.dtype);
    double ratio = std::max(mine, eps) / std::max(other, eps);
    bool holds = mine <= std::max(2 * other, 4 * eps);
    good &= holds;
    logs += std::log(ratio);
    ++count;
    table.push_back({{"output", name}, {"error", mine}, {"pytorch", other}, {"ratio", ratio}, {"holds", holds}});
    if (!json) {
      std::printf("%-*s %12.3e %12.3e %8.3f%s\n", static_cast<int>(width), name.c_str(), mine, other, ratio, holds ? "" : "  over the limit");
    }
  }
  double mean = count ? std::exp(logs / count) : INFINITY;
  good = good && mean <= 1.1;
  if (json) {
    std::cout << nlohmann::json{{"outputs", table}, {"mean_ratio", mean}, {"holds", good}}.dump(1) << "\n";
  } else {
    std::printf("%zu outputs, geometric mean of the ratios %.3f (at most 1.1): %s\n", count, mean, good ? "holds" : "does NOT hold");
  }
  return good ? 0 : 1;
}
