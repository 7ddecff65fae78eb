// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading, refusing, binding and running artifacts through the C interface.
#include "moelle/runtime.h"
#include "runtime/ArtifactFormat.h"
#include "runtime/CpuFeatures.h"
#include "runtime/artifact_generated.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace moelle::artifact;

constexpr int64_t kElements = 1000;

std::vector<int8_t> readKernels() {
  std::ifstream file(TEST_KERNELS, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// input x -> twice -> arena -> plus_one -> output y; copy of arena -> z.
ProgramT makeProgram() {
  ProgramT p;
  p.target_triple = std::string(moelle::hostArchitecture()) + "-linux-gnu";
  p.arena_bytes = 4 * kElements;
  auto tensor = [](const char *name, TensorKind kind) {
    auto t = std::make_unique<TensorT>();
    t->name = name;
    t->kind = kind;
    t->dtype = DType::F32;
    t->shape = {kElements};
    return t;
  };
  p.inputs.push_back(tensor("x", TensorKind::Input));
  p.outputs.push_back(tensor("y", TensorKind::Output));
  p.outputs.push_back(tensor("z", TensorKind::Output));
  auto buffer = [&](Space space, uint32_t index) {
    auto b = std::make_unique<BufferT>();
    b->space = space;
    b->index = index;
    b->bytes = 4 * kElements;
    b->dtype = DType::F32;
    b->shape = {kElements};
    p.buffers.push_back(std::move(b));
  };
  buffer(Space::Input, 0);
  buffer(Space::Arena, 0);
  buffer(Space::Output, 0);
  buffer(Space::Output, 1);
  uint32_t number = 0;
  for (const char *symbol : {"twice", "plus_one"}) {
    auto k = std::make_unique<KernelT>();
    k->symbol = symbol;
    k->grid = kElements;
    k->grain = 16;
    k->scratch_bytes = 4;
    k->operands = {Operand(4 * kElements, false), Operand(4 * kElements, true)};
    k->labels = {"aten.a", "aten.b"};
    p.kernels.push_back(std::move(k));
    auto c = std::make_unique<CommandT>();
    LaunchT launch;
    launch.kernel = number;
    launch.operands = {number, number + 1};
    c->action.Set(launch);
    p.commands.push_back(std::move(c));
    ++number;
  }
  auto c = std::make_unique<CommandT>();
  CopyT copy;
  copy.source = 1;
  copy.destination = 3;
  c->action.Set(copy);
  p.commands.push_back(std::move(c));
  auto kernels = readKernels();
  p.code.assign(kernels.begin(), kernels.end());
  return p;
}

// A last command that requires the second input `n` to be in [low, high).
void addScalarCheck(ProgramT &p, int64_t low, int64_t high) {
  auto tensor = std::make_unique<TensorT>();
  tensor->name = "n";
  tensor->kind = TensorKind::Input;
  tensor->dtype = DType::I32;
  p.inputs.push_back(std::move(tensor));
  auto buffer = std::make_unique<BufferT>();
  buffer->space = Space::Input;
  buffer->index = 1;
  buffer->bytes = 4;
  buffer->dtype = DType::I32;
  p.buffers.push_back(std::move(buffer));
  CheckT check;
  check.value = 4;
  check.low = low;
  check.high = high;
  check.what = "count";
  auto command = std::make_unique<CommandT>();
  command->action.Set(check);
  p.commands.push_back(std::move(command));
}

std::string seal(const ProgramT &program) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Program::Pack(builder, &program), ProgramIdentifier());
  Header header = makeHeader(builder.GetBufferPointer(), builder.GetSize());
  std::string file(reinterpret_cast<char *>(&header), sizeof header);
  file.append(reinterpret_cast<char *>(builder.GetBufferPointer()),
              builder.GetSize());
  return file;
}

moelle_program *load(const std::string &file) {
  moelle_program *program = nullptr;
  moelle_program_load_memory(file.data(), file.size(), &program);
  return program;
}

void expectRefused(const std::function<void(ProgramT &)> &edit,
                   const char *message) {
  ProgramT program = makeProgram();
  edit(program);
  moelle_program *loaded = load(seal(program));
  EXPECT_EQ(loaded, nullptr) << message;
  EXPECT_NE(std::string(moelle_last_message()).find(message), std::string::npos)
      << moelle_last_message();
  moelle_program_destroy(&loaded);
}

const int64_t kShape[] = {kElements};
moelle_tensor tensorOf(float *data) {
  return {sizeof(moelle_tensor), data, MOELLE_F32, 1, kShape, nullptr};
}

struct Running {
  moelle_program *program;
  moelle_session *session = nullptr;
  std::vector<float> x = std::vector<float>(kElements, 3);
  std::vector<float> y = std::vector<float>(kElements);
  std::vector<float> z = std::vector<float>(kElements);

  explicit Running(uint32_t threads = 2, const ProgramT &source = makeProgram())
      : program(load(seal(source))) {
    moelle_session_options options{sizeof options, threads};
    EXPECT_EQ(moelle_session_create(program, nullptr, &options, &session),
              MOELLE_OK)
        << moelle_last_message();
    moelle_program_destroy(&program); // the session holds it
    input(x.data());
    output("y", y.data());
    output("z", z.data());
  }
  ~Running() {
    moelle_session_destroy(&session);
    moelle_session_destroy(&session); // harmless
  }
  void input(float *data) {
    moelle_tensor tensor = tensorOf(data);
    EXPECT_EQ(moelle_session_bind_input(session, 0, &tensor), MOELLE_OK);
  }
  void output(const char *name, float *data) {
    moelle_tensor tensor = tensorOf(data);
    EXPECT_EQ(moelle_session_bind_output_by_name(session, name, &tensor),
              MOELLE_OK);
  }
  void expectMessage(moelle_status status, const char *message) {
    EXPECT_NE(status, MOELLE_OK);
    EXPECT_NE(std::string(moelle_session_message(session)).find(message),
              std::string::npos)
        << moelle_session_message(session);
  }
};

TEST(Artifact, RunsAndPassesNaN) {
  if (const char *path = std::getenv("MOELLE_TEST_ARTIFACT")) {
    std::string file = seal(makeProgram());
    std::ofstream(path, std::ios::binary).write(file.data(), file.size());
  }
  for (uint32_t threads : {1u, 2u, 5u}) {
    Running run(threads);
    EXPECT_EQ(moelle_session_threads(run.session), threads);
    run.x[7] = NAN;
    moelle_session_set_timing(run.session, 1);
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(moelle_session_run(run.session), MOELLE_OK);
    }
    EXPECT_EQ(run.y[kElements - 1], 7);
    EXPECT_EQ(run.z[0], 6);
    EXPECT_TRUE(std::isnan(run.y[7]));
    uint64_t times[3];
    uint32_t count = 3;
    EXPECT_EQ(moelle_session_get_timing(run.session, times, &count), MOELLE_OK);
    EXPECT_EQ(count, 3u);
  }
}

TEST(Artifact, RunsInForkedChild) {
  Running run(2);
  ASSERT_EQ(moelle_session_run(run.session), MOELLE_OK);
  pid_t child = fork();
  if (child == 0) {
    run.x[0] = 10;
    bool good = moelle_session_run(run.session) == MOELLE_OK && run.y[0] == 21;
    _exit(good ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(moelle_session_run(run.session), MOELLE_OK);
}

TEST(Artifact, RefusesBindings) {
  Running run;
  int64_t wrong[] = {kElements + 1}, stride[] = {2};
  moelle_tensor t = tensorOf(run.x.data());
  t.shape = wrong;
  run.expectMessage(moelle_session_bind_input(run.session, 0, &t),
                    "shape of input 'x' must be [1000], but got [1001]");
  t = tensorOf(run.x.data());
  t.dtype = MOELLE_F64;
  run.expectMessage(moelle_session_bind_input(run.session, 0, &t),
                    "must be f32, but got f64");
  t = tensorOf(run.x.data());
  t.strides = stride;
  run.expectMessage(moelle_session_bind_input(run.session, 0, &t),
                    "must be contiguous");
  t = tensorOf(nullptr);
  run.expectMessage(moelle_session_bind_input(run.session, 0, &t),
                    "must not be null");
  run.expectMessage(moelle_session_bind_input(run.session, 1, &t), "below 1");
  run.expectMessage(moelle_session_bind_input_by_name(run.session, "w", &t),
                    "no input 'w'");
  run.output("y", run.x.data());
  run.expectMessage(moelle_session_run(run.session),
                    "memory of output 'y' must not overlap that of input 'x'");
  run.output("y", run.z.data());
  run.expectMessage(moelle_session_run(run.session), "that of output");
}

TEST(Artifact, NamesAllUnbound) {
  moelle_program *program = load(seal(makeProgram()));
  moelle_session *session = nullptr;
  ASSERT_EQ(moelle_session_create(program, nullptr, nullptr, &session),
            MOELLE_OK);
  EXPECT_EQ(moelle_session_run(session), MOELLE_FAILED_PRECONDITION);
  EXPECT_STREQ(moelle_session_message(session),
               "every input and output must be bound, but got none for input "
               "'x', output 'y', output 'z'");
  moelle_session_destroy(&session);
  moelle_program_destroy(&program);
}

TEST(Artifact, RefusesWorldSize) {
  ProgramT p = makeProgram();
  p.world_size = 4;
  moelle_program *program = load(seal(p));
  moelle_session *session = nullptr;
  EXPECT_EQ(moelle_session_create(program, nullptr, nullptr, &session),
            MOELLE_INVALID_ARGUMENT);
  EXPECT_STREQ(
      moelle_last_message(),
      "world size of the communicator must be the program's 4, but got 1");
  moelle_program_destroy(&program);
}

TEST(Artifact, RefusesDamagedFiles) {
  std::string file = seal(makeProgram());
  EXPECT_EQ(load(""), nullptr);
  EXPECT_EQ(load(file.substr(0, 63)), nullptr);
  EXPECT_EQ(load(file.substr(0, file.size() - 1)), nullptr);
  for (size_t i = 0; i < 200; ++i) {
    if (i >= 40 && i < 64) {
      continue; // reserved bytes of the header
    }
    std::string damaged = file;
    damaged[i] ^= 1;
    EXPECT_EQ(load(damaged), nullptr) << i;
  }
  std::string newer = file;
  newer[8] = 9;
  EXPECT_EQ(load(newer), nullptr);
  EXPECT_STREQ(moelle_last_message(),
               "artifact format must be version 1, but got 9");
}

TEST(Artifact, RefusesHostilePrograms) {
  auto R = expectRefused;
  R([](auto &p) { p.arena_alignment = 3; }, "power of two");
  R([](auto &p) { p.arena_bytes = ~0ull; }, "at most 2^56");
  R([](auto &p) { p.world_size = 0; }, "world size");
  R([](auto &p) { p.target_triple = "vax-dec"; }, "'vax-dec'");
  R([](auto &p) { p.cpu_features = {"avx9000"}; }, "'avx9000'");
  R([](auto &p) { p.inputs[0]->dtype = DType(77); }, "dtype of input 0");
  R([](auto &p) { p.inputs[0]->shape = {-1}; }, "non-negative");
  R([](auto &p) { p.inputs[0]->shape = {1ll << 62}; }, "2^63");
  R([](auto &p) { p.inputs[0]->kind = TensorKind::Loss; }, "kind of input");
  R([](auto &p) { p.outputs[1]->name = "y"; }, "'y' twice");
  R([](auto &p) { p.buffers[1]->offset = 4; }, "within the arena");
  R([](auto &p) { p.buffers[1]->offset = ~3ull; }, "within the arena");
  R([](auto &p) { p.buffers[1]->bytes = 8; }, "size of buffer 1");
  R([](auto &p) { p.buffers[0]->index = 1; }, "input index of buffer 0");
  R([](auto &p) { p.buffers[1]->space = Space::Constant; }, "constants");
  R([](auto &p) { p.buffers[1]->space = Space(9); }, "space of buffer 1");
  R([](auto &p) { p.kernels[0]->grid = -1; }, "grid of kernel 'twice'");
  R([](auto &p) { p.kernels[0]->grain = 0; }, "grain of kernel 'twice'");
  R([](auto &p) { p.kernels[0]->scratch_bytes = ~0ull; }, "scratch");
  R([](auto &p) { p.kernels[0]->symbol = "exit"; },
    "'kernel_exit' must be defined");
  R([](auto &p) { p.kernels[0]->symbol = "none"; },
    "'kernel_none' must be defined");
  R([](auto &p) { p.kernels[1]->symbol = "twice"; }, "'twice' twice");
  R([](auto &p) { p.kernels[0]->operands.pop_back(); }, "must have the 1");
  R([](auto &p) { p.kernels[0]->operands[0] = Operand(8, false); },
    "operand 0 of command 0 must have the 8 bytes");
  R([](auto &p) { p.commands[0]->action.AsLaunch()->operands = {1, 0}; },
    "must be writable");
  R([](auto &p) { p.commands[0]->action.AsLaunch()->operands[0] = 99; },
    "below 4, but got 99");
  R([](auto &p) { p.commands[0]->action.AsLaunch()->kernel = 9; },
    "kernel of command 0");
  R([](auto &p) { p.commands[2]->action.AsCopy()->source = 3; },
    "must not overlap");
  R([](auto &p) { p.commands[2]->action.AsCopy()->destination = 0; },
    "must be writable");
  R([](auto &p) { p.commands[2]->action.Reset(); }, "action of command 2");
  R([](auto &p) { p.buffers[2]->offset = 4; }, "within the output of");
  R([](auto &p) { p.buffers[2]->offset = ~3ull; }, "within the output of");
  auto check = [](uint32_t value, int64_t low, int64_t high) {
    return [=](ProgramT &p) {
      addScalarCheck(p, low, high);
      p.commands.back()->action.AsCheck()->value = value;
    };
  };
  R(check(77, 0, 1), "value of command 3 must be a buffer below 5");
  R(check(0, 0, 1), "value of check 3 must be one i32 or i64");
  R(check(4, 1, 1), "range of check 3 must not be empty, but got [1, 1)");
  R([](auto &p) { p.commands[0]->sources = {0}; }, "source of command 0");
  R([](auto &p) { p.code.resize(10); }, "ELF");
  R([](auto &p) { p.code.resize(p.code.size() / 2); }, "must lie within");
}

TEST(Artifact, ChecksValues) {
  ProgramT program = makeProgram();
  addScalarCheck(program, -3, 4);
  Running running(2, program);
  int32_t n = 0;
  moelle_tensor tensor{sizeof tensor, &n, MOELLE_I32, 0, nullptr, nullptr};
  ASSERT_EQ(moelle_session_bind_input(running.session, 1, &tensor), MOELLE_OK);
  for (int32_t good : {-3, 3}) {
    n = good;
    EXPECT_EQ(moelle_session_run(running.session), MOELLE_OK);
  }
  for (int32_t bad : {-4, 4, INT32_MIN}) {
    n = bad;
    running.expectMessage(
        moelle_session_run(running.session),
        ("count must be in [-3, 4), but got " + std::to_string(bad)).c_str());
  }
  n = 0; // the session goes on
  EXPECT_EQ(moelle_session_run(running.session), MOELLE_OK);
}

TEST(Artifact, ListsCommands) {
  moelle_program *program = load(seal(makeProgram()));
  ASSERT_NE(program, nullptr) << moelle_last_message();
  moelle_command_info command{};
  command.size = sizeof command;
  ASSERT_EQ(moelle_program_get_command(program, 0, &command), MOELLE_OK);
  EXPECT_STREQ(command.name, "twice");
  EXPECT_STREQ(command.label, "aten.a+aten.b");
  moelle_kernel_info kernel{};
  kernel.size = sizeof kernel;
  ASSERT_EQ(moelle_program_get_kernel(program, 1, &kernel), MOELLE_OK);
  EXPECT_STREQ(kernel.name, "plus_one");
  EXPECT_EQ(kernel.grid, kElements);
  EXPECT_EQ(kernel.launches, 1u);
  EXPECT_EQ(moelle_program_get_kernel(program, 2, &kernel), MOELLE_NOT_FOUND);
  moelle_program_info info{};
  info.size = sizeof info;
  ASSERT_EQ(moelle_program_get_info(program, &info), MOELLE_OK);
  EXPECT_EQ(info.commands, 3u);
  uint32_t index = 9;
  EXPECT_EQ(moelle_program_find_output(program, "z", &index), MOELLE_OK);
  EXPECT_EQ(index, 1u);
  moelle_program_destroy(&program);
}

} // namespace
