// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of sessions.
#include "runtime/CApiHandles.h"
#include "runtime/cpu/CpuDevice.h"
#include "runtime/cpu/LocalCommunicator.h"

using namespace moelle;

namespace {

moelle_status finish(moelle_session *session, const Status &status) {
  if (!status.ok()) {
    session->message = status.message();
  }
  return report(status);
}

// Where the members of moelle_tensor that every version has end.
constexpr size_t kTensorSize = sizeof(moelle_tensor);

moelle_status
bind(moelle_session *session, uint32_t index, const moelle_tensor *tensor,
     Status (Session::*bindTensor)(uint32_t, const moelle_tensor &)) {
  if (!tensor) {
    return reportNull("tensor");
  }
  if (tensor->size < kTensorSize) {
    return finish(session, makeError(MOELLE_INVALID_ARGUMENT,
                                     "size of moelle_tensor must be at least "
                                     "%zu, but got %zu",
                                     kTensorSize, tensor->size));
  }
  return finish(session, ((*session->session).*bindTensor)(index, *tensor));
}

} // namespace

moelle_status moelle_session_create(moelle_program *program,
                                    moelle_communicator *communicator,
                                    const moelle_session_options *options,
                                    moelle_session **out) {
  if (!program) {
    return reportNull("program");
  }
  if (!out) {
    return reportNull("out");
  }
  *out = nullptr;
  uint32_t threads = 0;
  if (options) {
    if (options->size < sizeof *options) {
      return report(makeError(MOELLE_INVALID_ARGUMENT,
                              "size of moelle_session_options must be at least "
                              "%zu, but got %zu",
                              sizeof *options, options->size));
    }
    threads = options->threads;
  }
  auto device = createCpuDevice(threads);
  if (!device.ok()) {
    return report(device.status());
  }
  std::shared_ptr<Communicator> ranks =
      communicator ? communicator->communicator
                   : std::shared_ptr<Communicator>(createLocalCommunicator());
  auto session =
      Session::create(program->program, std::move(ranks), std::move(*device));
  if (!session.ok()) {
    return report(session.status());
  }
  *out = new moelle_session{std::move(*session), {}};
  return MOELLE_OK;
}

void moelle_session_destroy(moelle_session **session) {
  if (session) {
    delete *session;
    *session = nullptr;
  }
}

moelle_status moelle_session_bind_input(moelle_session *session, uint32_t index,
                                        const moelle_tensor *tensor) {
  return session ? bind(session, index, tensor, &Session::bindInput)
                 : reportNull("session");
}

moelle_status moelle_session_bind_output(moelle_session *session,
                                         uint32_t index,
                                         const moelle_tensor *tensor) {
  return session ? bind(session, index, tensor, &Session::bindOutput)
                 : reportNull("session");
}

moelle_status moelle_session_bind_input_by_name(moelle_session *session,
                                                const char *name,
                                                const moelle_tensor *tensor) {
  if (!session || !name) {
    return reportNull(session ? "name" : "session");
  }
  const uint32_t *index = session->session->program().findInput(name);
  return index ? moelle_session_bind_input(session, *index, tensor)
               : finish(session, makeError(MOELLE_NOT_FOUND,
                                           "program has no input '%s'", name));
}

moelle_status moelle_session_bind_output_by_name(moelle_session *session,
                                                 const char *name,
                                                 const moelle_tensor *tensor) {
  if (!session || !name) {
    return reportNull(session ? "name" : "session");
  }
  const uint32_t *index = session->session->program().findOutput(name);
  return index ? moelle_session_bind_output(session, *index, tensor)
               : finish(session, makeError(MOELLE_NOT_FOUND,
                                           "program has no output '%s'", name));
}

moelle_status moelle_session_run(moelle_session *session) {
  return session ? finish(session, session->session->run())
                 : reportNull("session");
}

const char *moelle_session_message(const moelle_session *session) {
  return session ? session->message.c_str() : "";
}

uint32_t moelle_session_threads(const moelle_session *session) {
  return session ? session->session->device().parallelism() : 0;
}

moelle_status moelle_session_set_timing(moelle_session *session, int enabled) {
  if (!session) {
    return reportNull("session");
  }
  session->session->setTiming(enabled != 0);
  return MOELLE_OK;
}

moelle_status moelle_session_get_timing(const moelle_session *session,
                                        uint64_t *nanoseconds,
                                        uint32_t *count) {
  if (!session || !count) {
    return reportNull(session ? "count" : "session");
  }
  auto times = session->session->nanoseconds();
  if (!nanoseconds && *count != 0 && !times.empty()) {
    return reportNull("nanoseconds");
  }
  uint32_t room = *count;
  *count = uint32_t(times.size());
  if (room < times.size()) {
    return report(makeError(MOELLE_INVALID_ARGUMENT,
                            "room for times must be at least %zu, but got %u",
                            times.size(), room));
  }
  if (!times.empty()) {
    std::memcpy(nanoseconds, times.data(), times.size_bytes());
  }
  return MOELLE_OK;
}
