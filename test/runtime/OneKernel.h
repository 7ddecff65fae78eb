// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of one launch, x -> twice -> y, with the code of a given file.
#ifndef MOELLE_TEST_RUNTIME_ONEKERNEL_H
#define MOELLE_TEST_RUNTIME_ONEKERNEL_H

#include "moelle/runtime.h"
#include "runtime/ArtifactFormat.h"
#include "runtime/CpuFeatures.h"
#include "runtime/artifact_generated.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace moelle::test {

constexpr int64_t kItems = 256;
constexpr int64_t kItemsShape[] = {kItems};

/// A loaded program, or null after a failed expectation.
inline moelle_program *loadOneKernel(const char *code) {
  using namespace moelle::artifact;
  ProgramT program;
  program.target_triple = std::string(hostArchitecture()) + "-linux-gnu";
  for (bool output : {false, true}) {
    auto tensor = std::make_unique<TensorT>();
    tensor->name = output ? "y" : "x";
    tensor->kind = output ? TensorKind::Output : TensorKind::Input;
    tensor->dtype = DType::F32;
    tensor->shape = {kItems};
    (output ? program.outputs : program.inputs).push_back(std::move(tensor));
    auto buffer = std::make_unique<BufferT>();
    buffer->space = output ? Space::Output : Space::Input;
    buffer->bytes = 4 * kItems;
    buffer->dtype = DType::F32;
    buffer->shape = {kItems};
    program.buffers.push_back(std::move(buffer));
  }
  auto kernel = std::make_unique<KernelT>();
  kernel->symbol = "twice";
  kernel->grid = kItems;
  kernel->grain = 16;
  kernel->scratch_bytes = 4;
  kernel->operands = {Operand(4 * kItems, false), Operand(4 * kItems, true)};
  program.kernels.push_back(std::move(kernel));
  LaunchT launch;
  launch.operands = {0, 1};
  auto command = std::make_unique<CommandT>();
  command->action.Set(launch);
  program.commands.push_back(std::move(command));
  std::ifstream file(code, std::ios::binary);
  program.code.assign(std::istreambuf_iterator<char>(file), {});

  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Program::Pack(builder, &program), ProgramIdentifier());
  Header header = makeHeader(builder.GetBufferPointer(), builder.GetSize());
  std::string bytes(reinterpret_cast<char *>(&header), sizeof header);
  bytes.append(reinterpret_cast<char *>(builder.GetBufferPointer()),
               builder.GetSize());
  moelle_program *loaded = nullptr;
  EXPECT_EQ(moelle_program_load_memory(bytes.data(), bytes.size(), &loaded),
            MOELLE_OK)
      << moelle_last_message();
  return loaded;
}

/// A session of `program` with both tensors bound.
inline moelle_session *bindOneKernel(moelle_program *program, float *x,
                                     float *y) {
  moelle_session *session = nullptr;
  moelle_session_options options{sizeof options, 2};
  EXPECT_EQ(moelle_session_create(program, nullptr, &options, &session),
            MOELLE_OK)
      << moelle_last_message();
  moelle_tensor input{sizeof input, x, MOELLE_F32, 1, kItemsShape, nullptr};
  moelle_tensor output{sizeof output, y, MOELLE_F32, 1, kItemsShape, nullptr};
  EXPECT_EQ(moelle_session_bind_input(session, 0, &input), MOELLE_OK);
  EXPECT_EQ(moelle_session_bind_output(session, 0, &output), MOELLE_OK);
  return session;
}

} // namespace moelle::test

#endif // MOELLE_TEST_RUNTIME_ONEKERNEL_H
