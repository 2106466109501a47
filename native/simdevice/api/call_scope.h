// What happens around every exported call: the sticky error, the last error, the log.
// The generated stubs make one of these and hand the work to the function of the same name in
// namespace greta::api.
#pragma once

#include <hip/hip_runtime_api.h>

#include <string>
#include <type_traits>

#include "api/generated/call_ids.h"
#include "device/log.h"

#define GRETA_EXPORT __attribute__((visibility("default")))

namespace greta::api {

namespace text {

std::string of(const char* value);
std::string of(const void* value);
std::string of(hipStream_t value);
std::string of(hipEvent_t value);
std::string of(hipMemcpyKind value);
std::string of(const dim3& value);
std::string of(double value);

template <typename T>
std::string of(const T& value) {
  if constexpr (std::is_pointer_v<T>) {
    if constexpr (std::is_function_v<std::remove_pointer_t<T>>) {
      return of(reinterpret_cast<const void*>(value));
    } else {
      return of(static_cast<const void*>(value));
    }
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<long long>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    return "{...}";
  }
}

}  // namespace text

class CallScope {
 public:
  explicit CallScope(CallId id) : id_(id) {}

  // The process-wide GPU error, or no device: nearly every call returns it without doing anything.
  bool refused();
  hipError_t refusal();

  bool logging() const { return sim::logs(3); }
  template <typename... Arguments>
  void log_arguments(const Arguments&... arguments) {
    std::string list;
    ((list += list.empty() ? text::of(arguments) : ", " + text::of(arguments)), ...);
    log_call(list);
  }

  // Keeps the result as this thread's last error; a fault that came meanwhile takes its place.
  hipError_t finish(hipError_t result);

 private:
  void log_call(const std::string& arguments);

  const CallId id_;
  hipError_t refusal_ = hipSuccess;
};

// For calls the device does not have: says the name once, returns hipErrorNotSupported.
hipError_t not_supported(CallId id);

}  // namespace greta::api
