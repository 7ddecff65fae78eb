/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime's C11 ABI: load a compiled step, bind tensors, run it. */
#ifndef MOELLE_RUNTIME_H
#define MOELLE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define MOELLE_API
#else
#define MOELLE_API __attribute__((visibility("default")))
#endif

/* Packed as major * 10000 + minor * 100 + patch. */
#define MOELLE_RUNTIME_VERSION 100

typedef enum moelle_status {
  MOELLE_OK = 0,
  MOELLE_INVALID_ARGUMENT = 1, /* wrong name, index, shape, dtype or overlap */
  MOELLE_INVALID_ARTIFACT = 2, /* damaged, of another version, or not ours */
  MOELLE_UNSUPPORTED = 3,      /* this machine lacks what the code needs */
  MOELLE_IO = 4,               /* a file can not be read */
  MOELLE_OUT_OF_MEMORY = 5,
} moelle_status;

typedef enum moelle_dtype {
  MOELLE_F32 = 1, MOELLE_F64 = 2, MOELLE_F16 = 3, MOELLE_BF16 = 4, MOELLE_I8 = 5, MOELLE_U8 = 6,
  MOELLE_I16 = 7, MOELLE_I32 = 8, MOELLE_I64 = 9, MOELLE_BOOL = 10, MOELLE_C64 = 11,
} moelle_dtype;

typedef enum moelle_kind {
  MOELLE_PARAMETER = 0, MOELLE_BUFFER = 1, MOELLE_CONSTANT = 2, MOELLE_INPUT = 3, MOELLE_LOSS = 4,
  MOELLE_GRADIENT = 5, MOELLE_INPUT_GRADIENT = 6, MOELLE_MUTATION = 7, MOELLE_OUTPUT = 8,
} moelle_kind;

/* A compiled step. Immutable: thread-safe. Owns its code. */
typedef struct moelle_program moelle_program;
/* A program with its arena, threads and bound tensors. Thread-compatible: one
   thread at a time. The program must outlive it. */
typedef struct moelle_session moelle_session;

/* Describes one input or output; strings and shape live as long as the program. */
typedef struct moelle_tensor_info {
  size_t struct_size; /* set by the caller to sizeof(moelle_tensor_info) */
  const char *name;
  moelle_dtype dtype;
  moelle_kind kind;
  int32_t rank;
  const int64_t *shape; /* row-major */
  uint64_t bytes;
} moelle_tensor_info;

typedef struct moelle_session_options {
  size_t struct_size;
  int32_t threads; /* 0: as many as the process may use */
} moelle_session_options;

/* Version of the loaded library, packed. Thread-safe. */
MOELLE_API int32_t moelle_runtime_version(void);
/* What the last failed call of this thread said; "" before any. */
MOELLE_API const char *moelle_last_message(void);

/* Loads and fully verifies an artifact. Blocks on the file; allocates. */
MOELLE_API moelle_status moelle_program_load(const char *path, moelle_program **program);
/* The same from memory, which is copied. */
MOELLE_API moelle_status moelle_program_load_memory(const void *data, size_t size, moelle_program **program);
/* Null is legal. No session of the program may be alive. */
MOELLE_API void moelle_program_destroy(moelle_program *program);

MOELLE_API size_t moelle_program_input_count(const moelle_program *program);
MOELLE_API size_t moelle_program_output_count(const moelle_program *program);
MOELLE_API size_t moelle_program_command_count(const moelle_program *program);
MOELLE_API uint64_t moelle_program_arena_bytes(const moelle_program *program);
/* Path of the archive the step was compiled from, or "". */
MOELLE_API const char *moelle_program_source(const moelle_program *program);
MOELLE_API moelle_status moelle_program_input_info(const moelle_program *program, size_t index, moelle_tensor_info *info);
MOELLE_API moelle_status moelle_program_output_info(const moelle_program *program, size_t index, moelle_tensor_info *info);

/* Allocates the arena and starts the threads: nothing is allocated later. */
MOELLE_API moelle_status moelle_session_create(const moelle_program *program, const moelle_session_options *options, moelle_session **session);
/* Null is legal. */
MOELLE_API void moelle_session_destroy(moelle_session *session);
/* Gives the memory of an input: `bytes` in row-major order, which stay the
   caller's and must live through every run. Any alignment. One memory may
   serve several inputs. */
MOELLE_API moelle_status moelle_session_bind_input(moelle_session *session, size_t index, const void *data, uint64_t bytes);
/* Gives the memory that an output is written to. */
MOELLE_API moelle_status moelle_session_bind_output(moelle_session *session, size_t index, void *data, uint64_t bytes);
/* Executes the step on the calling thread and the session's own, and returns
   when outputs are written. Fails when a tensor is unbound or an output
   overlaps another tensor. Allocates nothing. */
MOELLE_API moelle_status moelle_session_run(moelle_session *session);
/* Nanoseconds that each command of the last run took; `count` entries. */
MOELLE_API moelle_status moelle_session_set_timing(moelle_session *session, int enabled);
MOELLE_API moelle_status moelle_session_timing(const moelle_session *session, uint64_t *nanoseconds, size_t count);
/* Label of a command: its kernel and where it comes from. */
MOELLE_API const char *moelle_program_command_label(const moelle_program *program, size_t index);

#ifdef __cplusplus
}
#endif

#endif /* MOELLE_RUNTIME_H */
