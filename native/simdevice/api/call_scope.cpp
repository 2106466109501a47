#include "api/call_scope.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <iterator>
#include <utility>

#include "api/generated/impl.h"
#include "api/thread_errors.h"
#include "device/device.h"
#include "device/fault.h"

namespace greta::api {
namespace {

// Answers that need no device.
bool works_without_device(CallId id) {
  return id == CallId::hipGetDeviceCount || id == CallId::hipRuntimeGetVersion ||
         id == CallId::hipDriverGetVersion;
}

bool answers_after_fault(CallId id) { return (info(id).flags & kCallStickyExempt) != 0; }

// What HIP hands to __hipOnError, an empty function that tools may take over.
struct ErrorReport {
  uint32_t version;
  uint32_t code;
  const char* name;
  const char* text;
};

void announce(hipError_t error) {
  const ErrorReport report{1, static_cast<uint32_t>(error), api::hipGetErrorName(error),
                           api::hipGetErrorString(error)};
  ::__hipOnError(&report);
}

}  // namespace

ThreadErrors& thread_errors() {
  __attribute__((tls_model("initial-exec"))) static thread_local ThreadErrors errors;
  return errors;
}

bool CallScope::refused() {
  refusal_ = sim::process_error();
  if (refusal_ == hipSuccess && !works_without_device(id_) && sim::device_count() == 0) {
    refusal_ = hipErrorNoDevice;
  }
  return refusal_ != hipSuccess;
}

hipError_t CallScope::refusal() {
  if (logging()) log_call("...");
  return finish(refusal_);
}

hipError_t CallScope::finish(hipError_t result) {
  const bool silent = std::exchange(thread_errors().launched, false) || answers_after_fault(id_);
  if (const hipError_t fault = sim::process_error(); fault && !silent) result = fault;
  thread_errors().note(result);
  if (logging()) {
    sim::log_line(3, info(id_).source, "%s: Returned %s : ", info(id_).name,
                  api::hipGetErrorName(result));
  }
  if (result != hipSuccess && result != hipErrorNotReady) announce(result);
  return result;
}

void CallScope::log_call(const std::string& arguments) {
  sim::log_line(3, info(id_).source, " %s ( %s )", info(id_).name, arguments.c_str());
}

hipError_t not_supported(CallId id) {
  static std::atomic<bool> said[std::size(kCalls)];
  if (!said[static_cast<size_t>(id)].exchange(true)) {
    std::fprintf(stderr, "greta-sim: %s is not supported by the simulated device\n", info(id).name);
  }
  return CallScope(id).finish(hipErrorNotSupported);
}

namespace text {

std::string of(const char* value) { return value ? value : "char array:<null>"; }

std::string of(const void* value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "0x%" PRIxPTR, reinterpret_cast<uintptr_t>(value));
  return value ? buffer : "char array:<null>";
}

std::string of(hipStream_t value) {
  return value ? "stream:" + of(static_cast<const void*>(value)) : "stream:<null>";
}

std::string of(hipEvent_t value) {
  return value ? "event:" + of(static_cast<const void*>(value)) : "event:0";
}

std::string of(hipMemcpyKind value) {
  static const char* const names[] = {"hipMemcpyHostToHost", "hipMemcpyHostToDevice",
                                      "hipMemcpyDeviceToHost", "hipMemcpyDeviceToDevice",
                                      "hipMemcpyDefault"};
  const auto index = static_cast<size_t>(value);
  return index < std::size(names) ? names[index] : std::to_string(index);
}

std::string of(const dim3& value) {
  return "{" + std::to_string(value.x) + "," + std::to_string(value.y) + "," +
         std::to_string(value.z) + "}";
}

std::string of(double value) { return std::to_string(value); }

}  // namespace text
}  // namespace greta::api
