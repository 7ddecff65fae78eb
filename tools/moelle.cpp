// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's driver: import, compile, run and verify.
#include "tools/Compile.h"
#include "tools/RunCommands.h"

#include <CLI/CLI.hpp>
#include <iostream>

using namespace moelle;

namespace {

/// Every option of every command, and the commands themselves.
struct CommandLine {
  CommandLine();

  CLI::App app{
      "Compiles exported training steps of mixture-of-experts models.\n\n"
      "  moelle compile graph.pt2 -o step.moelle\n"
      "  moelle run step.moelle --inputs in.safetensors --outputs "
      "out.safetensors\n\n"
      "Exit status: 0 done, 1 the input or the result is wrong, 2 wrong "
      "usage."};
  CLI::App *import, *compile, *run, *verify;
  std::string input, output;
  CompileOptions compileOptions;
  RunOptions runOptions;

private:
  CLI::App *add(const char *name, const char *what, const char *example);
};

CLI::App *CommandLine::add(const char *name, const char *what,
                           const char *example) {
  CLI::App *command = app.add_subcommand(name, what);
  command->footer(std::string("Example: ") + example);
  return command;
}

CommandLine::CommandLine() {
  app.require_subcommand(1);
  app.set_version_flag("--version", "moelle 0.1.0");
  std::string &cpu = compileOptions.cpu;
  unsigned &threads = runOptions.threads;

  import = add("import", "read an exported step and print what was found",
               "moelle import graph.pt2 -o graph.mlir");
  import->add_option("graph", input, "torch.export archive (.pt2), or .mlir")
      ->required();
  import->add_option("-o,--output", output, "write the module here");
  import->add_flag("--json", compileOptions.json, "print an object");

  compile = add("compile", "compile an exported step to an artifact",
                "moelle compile graph.pt2 -o step.moelle --target cpu");
  compile->add_option("graph", input, "torch.export archive (.pt2), or .mlir")
      ->required();
  compile->add_option("-o,--output", output, "the artifact")->required();
  compile->add_option("--target", cpu,
                      "'cpu' (this machine) or a CPU as LLVM spells it: "
                      "haswell, skylake-avx512, znver4 ...");
  compile->add_option("--dump-dir", compileOptions.dumpDir,
                      "write the IR after each pass below this folder");
  compile->add_flag("--remarks", compileOptions.remarks,
                    "print each decision of the passes on stderr");
  compile->add_flag("--json", compileOptions.json,
                    "print the summary as an object");

  run = add("run", "run an artifact once or more",
            "moelle run step.moelle --inputs in.safetensors --outputs "
            "out.safetensors");
  run->add_option("artifact", runOptions.artifact, "the compiled step")
      ->required();
  run->add_option("--inputs", runOptions.inputs,
                  "safetensors file of inputs by name")
      ->required();
  run->add_option("--outputs", runOptions.outputs,
                  "write loss and gradients here");
  run->add_option("--weights", runOptions.weights,
                  "archive of the parameters that --inputs lacks; default: "
                  "the one compiled from");
  run->add_option("--repeat", runOptions.repeat, "runs of the step")
      ->check(CLI::PositiveNumber);
  run->add_option("--threads", threads, "0: all cores");
  run->add_option("--timing", runOptions.timing,
                  "write the times of runs and commands here, as JSON");
  run->add_flag("--json", runOptions.json, "print the times as an object");

  verify = add("verify", "compile a case, run it and compare with PyTorch",
               "moelle verify test/models/mixtral-grouped-f32");
  verify
      ->add_option("case", input,
                   "folder of graph.pt2, inputs.safetensors, "
                   "expected.safetensors and reference.safetensors")
      ->required();
  verify->add_option("--threads", threads, "0: all cores");
  verify->add_flag("--json", compileOptions.json, "print the table as JSON");
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line;
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return line.app.exit(error) == 0 ? 0 : 2;
  }
  if (line.compileOptions.cpu == "cpu") {
    line.compileOptions.cpu.clear();
  }
  if (*line.import) {
    return importCommand(line.input, line.output, line.compileOptions.json);
  }
  if (*line.compile) {
    return compileCommand(line.input, line.output, line.compileOptions);
  }
  if (*line.run) {
    return runCommand(line.runOptions);
  }
  return verifyCommand(line.input, line.runOptions.threads,
                       line.compileOptions);
}
