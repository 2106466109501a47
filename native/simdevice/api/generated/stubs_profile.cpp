// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipProfilerStart(void) {
  greta::api::CallScope call(greta::api::CallId::hipProfilerStart);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments();
  return call.finish(greta::api::hipProfilerStart());
}

extern "C" GRETA_EXPORT hipError_t hipProfilerStop(void) {
  greta::api::CallScope call(greta::api::CallId::hipProfilerStop);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments();
  return call.finish(greta::api::hipProfilerStop());
}
