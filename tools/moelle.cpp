// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's driver: import, compile, run and verify.
#include "tools/Compile.h"
#include "tools/RunCommands.h"

#include <CLI/CLI.hpp>
#include <iostream>

using namespace moelle;

int main(int argc, char **argv) {
  CLI::App app{"Compiles exported training steps of mixture-of-experts models.\n"
               "Example: moelle compile graph.pt2 -o step.moelle && moelle run step.moelle --inputs in.safetensors --outputs out.safetensors"};
  app.require_subcommand(1);
  std::string input, output, inputs, outputs, weights, cpu, timing;
  int repeat = 1;
  unsigned threads = 0;
  bool json = false;

  auto *import = app.add_subcommand("import", "read a .pt2 archive and print what was found");
  import->add_option("graph", input, "the exported program")->required();
  import->add_option("-o,--output", output, "write the module here");

  auto *compile = app.add_subcommand("compile", "compile a .pt2 archive to an artifact");
  compile->add_option("graph", input, "the exported program")->required();
  compile->add_option("-o,--output", output, "the artifact")->required();
  compile->add_option("--target", cpu, "'cpu' (this machine) or a CPU's name as LLVM spells it");

  auto *run = app.add_subcommand("run", "run an artifact once or more");
  run->add_option("artifact", input, "the compiled step")->required();
  run->add_option("--inputs", inputs, "safetensors file of inputs by name")->required();
  run->add_option("--outputs", outputs, "write loss and gradients here");
  run->add_option("--weights", weights, "archive of the parameters; default: the one compiled from");
  run->add_option("--repeat", repeat, "runs of the step")->check(CLI::PositiveNumber);
  run->add_option("--threads", threads, "0: all cores");
  run->add_option("--timing", timing, "write times as JSON here");

  auto *verify = app.add_subcommand("verify", "compile a case, run it and compare with PyTorch");
  verify->add_option("case", input, "folder of graph.pt2, inputs, expected and reference")->required();
  verify->add_option("--threads", threads, "0: all cores");
  verify->add_flag("--json", json, "print the table as JSON");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  cpu = cpu == "cpu" ? "" : cpu;
  if (*import) {
    return importCommand(input, output);
  }
  if (*compile) {
    return compileCommand(input, output, cpu);
  }
  if (*run) {
    return runCommand({input, inputs, outputs, weights, timing, repeat, threads});
  }
  return verifyCommand(input, threads, json);
}
