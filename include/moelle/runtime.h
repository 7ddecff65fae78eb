/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The C11 interface of the runtime: load a compiled step, bind, run. */
#ifndef MOELLE_RUNTIME_H
#define MOELLE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

/* Contract.
 * Errors:    every call returns a status; the text is had from the object's
 *            *_message call or, for calls that make no object, from
 *            moelle_last_message() of the same thread. Nothing throws.
 * Ownership: bound memory is the caller's and must outlive its last run.
 *            A session keeps its program and communicator alive. Strings and
 *            shapes in info structs live as long as the program.
 * Threads:   programs are thread-safe once loaded; sessions and communicators
 *            are thread-compatible: one call at a time each.
 * ABI:       structs begin with their size, set by the caller to sizeof; zero
 *            means unset. Enum values never change. */

#ifdef __cplusplus
extern "C" {
#endif

#define MOELLE_API __attribute__((visibility("default")))
/* 0.1.0, packed: major * 10000 + minor * 100 + patch. */
#define MOELLE_VERSION 100

typedef enum moelle_status {
  MOELLE_OK = 0,
  MOELLE_INVALID_ARGUMENT = 1, /* a caller's value breaks a rule */
  MOELLE_NOT_FOUND = 2,        /* no such name, index or file */
  MOELLE_INVALID_ARTIFACT = 3, /* damaged, or of another version */
  MOELLE_UNSUPPORTED = 4,      /* this machine or build cannot do it */
  MOELLE_OUT_OF_MEMORY = 5,
  MOELLE_IO_ERROR = 6,
  MOELLE_FAILED_PRECONDITION = 7, /* wrong order of calls, unbound tensors */
  MOELLE_TIMEOUT = 8,
  MOELLE_ABORTED = 9, /* a peer or abort() ended the communicator */
  MOELLE_INTERNAL = 10
} moelle_status;

typedef enum moelle_dtype {
  MOELLE_DTYPE_NONE = 0,
  MOELLE_BOOL = 1, /* one byte, 0 or 1 */
  MOELLE_U8 = 2,
  MOELLE_I8 = 3,
  MOELLE_I16 = 4,
  MOELLE_I32 = 5,
  MOELLE_I64 = 6,
  MOELLE_F16 = 7,
  MOELLE_BF16 = 8,
  MOELLE_F32 = 9,
  MOELLE_F64 = 10,
  MOELLE_COMPLEX64 = 11 /* two f32: real, imaginary */
} moelle_dtype;

typedef enum moelle_tensor_kind {
  MOELLE_KIND_NONE = 0,
  MOELLE_KIND_PARAMETER = 1,
  MOELLE_KIND_BUFFER = 2,
  MOELLE_KIND_CONSTANT = 3,
  MOELLE_KIND_INPUT = 4,
  MOELLE_KIND_LOSS = 16,
  MOELLE_KIND_GRADIENT = 17,
  MOELLE_KIND_INPUT_GRADIENT = 18,
  MOELLE_KIND_MUTATION = 19,
  MOELLE_KIND_OUTPUT = 20
} moelle_tensor_kind;

typedef enum moelle_command_kind {
  MOELLE_COMMAND_NONE = 0,
  MOELLE_COMMAND_LAUNCH = 1,
  MOELLE_COMMAND_COPY = 2,
  MOELLE_COMMAND_CHECK = 3 /* of a value that the step computed */
} moelle_command_kind;

typedef struct moelle_program moelle_program;
typedef struct moelle_communicator moelle_communicator;
typedef struct moelle_session moelle_session;

/* The version of the library in use. Thread-safe. */
MOELLE_API uint32_t moelle_version(void);

/* Text of this thread's last failed call; "" when none failed. Lives until the
 * thread's next failing call. Thread-safe. */
MOELLE_API const char *moelle_last_message(void);

/* Bytes of one element; 0 for an unknown dtype. Thread-safe. */
MOELLE_API size_t moelle_dtype_size(moelle_dtype dtype);
/* "f32", "bf16", "bool" ...; "none" for an unknown dtype. Thread-safe. */
MOELLE_API const char *moelle_dtype_name(moelle_dtype dtype);

/* Maps a file, verifies all of it, loads its code. A damaged file is refused
 * and never executed. Blocks; allocates. Thread-safe. */
MOELLE_API moelle_status moelle_program_load_file(const char *path,
                                                  moelle_program **out);
/* The same from memory, which is copied. */
MOELLE_API moelle_status moelle_program_load_memory(const void *data,
                                                    size_t size,
                                                    moelle_program **out);
/* Gives up the caller's hold and sets *program to NULL; a null handle is
 * ignored, so that a second destroy is harmless. Sessions keep working. */
MOELLE_API void moelle_program_destroy(moelle_program **program);

typedef struct moelle_program_info {
  size_t size;
  uint32_t world_size;
  uint32_t inputs;
  uint32_t outputs;
  uint32_t commands;
  uint32_t kernels;
  uint64_t arena_bytes;
  uint64_t constant_bytes;
  uint64_t plan_peak;
  uint64_t plan_lower_bound;
  uint64_t plan_naive_bound;
  uint64_t hash[2];
  const char *producer;
  const char *target_triple;
  const char *source_archive;
  const char *compile_options;
} moelle_program_info;

typedef struct moelle_tensor_info {
  size_t size;
  const char *name;
  moelle_tensor_kind kind;
  moelle_dtype dtype;
  uint32_t rank;
  const int64_t *shape;
  uint64_t bytes;
} moelle_tensor_info;

typedef struct moelle_command_info {
  size_t size;
  moelle_command_kind kind;
  const char *name;  /* the kernel's symbol, or "copy" */
  const char *label; /* the operators inside, joined by '+' */
  uint64_t flops;
  uint64_t bytes;
  const char *node; /* first source; "" and 0 where the export has none */
  const char *file;
  uint32_t line;
  const char *module_path;
} moelle_command_info;

/* Code that commands launch; flops and bytes are those of one launch. */
typedef struct moelle_kernel_info {
  size_t size;
  const char *name;       /* the symbol */
  const char *label;      /* the operators inside, joined by '+' */
  int64_t grid;           /* work items */
  int64_t grain;          /* fewest items worth a thread */
  uint64_t scratch_bytes; /* per thread */
  uint32_t operands;
  uint32_t launches; /* commands that launch it */
  uint64_t flops;
  uint64_t bytes;
} moelle_kernel_info;

MOELLE_API moelle_status moelle_program_get_info(const moelle_program *program,
                                                 moelle_program_info *info);
MOELLE_API moelle_status moelle_program_get_input(const moelle_program *program,
                                                  uint32_t index,
                                                  moelle_tensor_info *info);
MOELLE_API moelle_status moelle_program_get_output(
    const moelle_program *program, uint32_t index, moelle_tensor_info *info);
MOELLE_API moelle_status moelle_program_get_command(
    const moelle_program *program, uint32_t index, moelle_command_info *info);
MOELLE_API moelle_status moelle_program_get_kernel(
    const moelle_program *program, uint32_t index, moelle_kernel_info *info);
/* Index of a name; MOELLE_NOT_FOUND where the program has no such tensor. */
MOELLE_API moelle_status moelle_program_find_input(
    const moelle_program *program, const char *name, uint32_t *index);
MOELLE_API moelle_status moelle_program_find_output(
    const moelle_program *program, const char *name, uint32_t *index);

/* A world of one rank: collectives are copies. Thread-safe. */
MOELLE_API moelle_status
moelle_communicator_create_local(moelle_communicator **out);
MOELLE_API uint32_t
moelle_communicator_rank(const moelle_communicator *communicator);
MOELLE_API uint32_t
moelle_communicator_world_size(const moelle_communicator *communicator);
/* Every waiting and later call on it returns MOELLE_ABORTED. Thread-safe. */
MOELLE_API void moelle_communicator_abort(moelle_communicator *communicator);
/* As moelle_program_destroy. */
MOELLE_API void moelle_communicator_destroy(moelle_communicator **communicator);

typedef struct moelle_session_options {
  size_t size;
  uint32_t threads; /* 0: MOELLE_THREADS, else the cores this process may use */
} moelle_session_options;

/* Memory of one tensor: row-major. */
typedef struct moelle_tensor {
  size_t size;
  void *data; /* may be null when the tensor has no elements */
  moelle_dtype dtype;
  uint32_t rank;
  const int64_t *shape;
  const int64_t *strides; /* in elements; null: contiguous. Else must be so */
} moelle_tensor;

/* Allocates everything a run needs: the arena once, scratch, threads.
 * `communicator` null: a world of one. `options` null: the defaults. */
MOELLE_API moelle_status moelle_session_create(
    moelle_program *program, moelle_communicator *communicator,
    const moelle_session_options *options, moelle_session **out);
/* As moelle_program_destroy. Must not be called while a run is under way. */
MOELLE_API void moelle_session_destroy(moelle_session **session);

/* Binds memory to an input or output until it is bound anew. Name, dtype and
 * shape must be the program's; outputs must not overlap any other tensor,
 * inputs may share memory. The first run after a bind finds overlaps. */
MOELLE_API moelle_status moelle_session_bind_input(moelle_session *session,
                                                   uint32_t index,
                                                   const moelle_tensor *tensor);
MOELLE_API moelle_status moelle_session_bind_output(
    moelle_session *session, uint32_t index, const moelle_tensor *tensor);
MOELLE_API moelle_status moelle_session_bind_input_by_name(
    moelle_session *session, const char *name, const moelle_tensor *tensor);
MOELLE_API moelle_status moelle_session_bind_output_by_name(
    moelle_session *session, const char *name, const moelle_tensor *tensor);

/* Runs the step on the caller's thread and the session's. Does not allocate;
 * returns when the outputs are written. NaN and Inf pass through. Every input
 * and output must be bound: the message names all that are not. An index out of
 * range is MOELLE_INVALID_ARGUMENT. Outputs may hold other values until they
 * are written: after a run that failed they are undefined. */
MOELLE_API moelle_status moelle_session_run(moelle_session *session);

/* Text of the session's last failed call; "" when none failed. */
MOELLE_API const char *moelle_session_message(const moelle_session *session);

/* Threads that take part in a run, the caller's included. */
MOELLE_API uint32_t moelle_session_threads(const moelle_session *session);

/* With timing on, run records the wall time of each command (about 50 ns
 * each); off at first. */
MOELLE_API moelle_status moelle_session_set_timing(moelle_session *session,
                                                   int enabled);
/* Nanoseconds of each command in the last timed run, one per command of the
 * program; *count holds the room before and the number after the call. */
MOELLE_API moelle_status moelle_session_get_timing(
    const moelle_session *session, uint64_t *nanoseconds, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif /* MOELLE_RUNTIME_H */
