/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads an artifact in C11, binds every tensor, runs it. */
#include "moelle/runtime.h"

#include <stdio.h>
#include <stdlib.h>

static int check(moelle_status status) {
  if (status != MOELLE_OK) {
    fprintf(stderr, "%s\n", moelle_last_message());
    exit(1);
  }
  return 0;
}

int main(int argc, char **argv) {
  moelle_program *program = NULL;
  moelle_session *session = NULL;
  moelle_program_info info = {.size = sizeof info};
  if (argc != 2 || moelle_version() != MOELLE_VERSION) {
    return 2;
  }
  check(moelle_program_load_file(argv[1], &program));
  check(moelle_program_get_info(program, &info));
  check(moelle_session_create(program, NULL, NULL, &session));
  void **memory = calloc(info.inputs + info.outputs, sizeof *memory);
  for (uint32_t i = 0; i < info.inputs + info.outputs; ++i) {
    moelle_tensor_info facts = {.size = sizeof facts};
    int input = i < info.inputs;
    check(input ? moelle_program_get_input(program, i, &facts)
                : moelle_program_get_output(program, i - info.inputs, &facts));
    memory[i] = calloc(1, facts.bytes + 1);
    moelle_tensor tensor = {sizeof tensor, memory[i],   facts.dtype,
                            facts.rank,    facts.shape, NULL};
    check(input
              ? moelle_session_bind_input(session, i, &tensor)
              : moelle_session_bind_output(session, i - info.inputs, &tensor));
  }
  check(moelle_session_run(session));
  int good = *(float *)memory[info.inputs] == 1.0f;
  moelle_program_destroy(&program);
  moelle_session_destroy(&session);
  for (uint32_t i = 0; i < info.inputs + info.outputs; ++i) {
    free(memory[i]);
  }
  free(memory);
  return good ? 0 : 1;
}
