// Names and texts of errors; the last error of a thread.
#include <algorithm>
#include <iterator>

#include "api/generated/impl.h"
#include "api/thread_errors.h"
#include "device/device.h"
#include "device/fault.h"

namespace greta::api {
namespace {

struct ErrorRow {
  int code;
  const char* name;
  const char* text;
};

const ErrorRow kErrors[] = {
#include "api/generated/error_table.inc"
};

const ErrorRow* find_error(hipError_t error) {
  const auto* end = std::end(kErrors);
  const auto* row = std::lower_bound(std::begin(kErrors), end, static_cast<int>(error),
                                     [](const ErrorRow& r, int code) { return r.code < code; });
  return row != end && row->code == static_cast<int>(error) ? row : nullptr;
}

// A fault is for good, and with no device there is nothing else to say.
hipError_t standing_error() {
  if (const hipError_t fault = sim::process_error()) return fault;
  return sim::device_count() == 0 ? hipErrorNoDevice : hipSuccess;
}

}  // namespace

const char* hipGetErrorName(hipError_t error) {
  const ErrorRow* row = find_error(error);
  return row ? row->name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t error) {
  const ErrorRow* row = find_error(error);
  return row ? row->text : "unknown error";
}

hipError_t hipDrvGetErrorName(hipError_t error, const char** text) {
  if (!text) return hipErrorInvalidValue;
  const ErrorRow* row = find_error(error);
  *text = row ? row->name : nullptr;
  return row ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
  if (!text) return hipErrorInvalidValue;
  const ErrorRow* row = find_error(error);
  *text = row ? row->text : nullptr;
  return row ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipGetLastError() {
  if (const hipError_t standing = standing_error()) return standing;
  const hipError_t last = thread_errors().last;
  thread_errors().last = hipSuccess;
  return last;
}

// The one of the three whose own result counts as that of a call.
hipError_t hipPeekAtLastError() {
  if (const hipError_t standing = standing_error()) return standing;
  thread_errors().note(thread_errors().last);
  return thread_errors().last;
}

hipError_t hipExtGetLastError() {
  if (const hipError_t standing = standing_error()) return standing;
  const hipError_t command = thread_errors().command;
  thread_errors().command = hipSuccess;
  return command;
}

}  // namespace greta::api
