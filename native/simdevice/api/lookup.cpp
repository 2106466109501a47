// Finding a call, or a name, at run time.
#include <hip/hip_version.h>

#include <cstring>
#include <iterator>
#include <string>

#include "api/function_handles.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

namespace greta::api {

void* find_exported(const char* name);

namespace {

constexpr uint64_t kPerThreadDefaultStream = 2;

void* find_call(const char* name, bool per_thread) {
  if (per_thread) {
    if (void* twin = find_exported((std::string(name) + "_spt").c_str())) return twin;
  }
  return find_exported(name);
}

// From 6.0 on two names mean calls with another structure, as in HIP's headers.
const char* name_in(int version, const char* name) {
  constexpr int kRelease6 = 600;
  if (version < kRelease6) return name;
  if (std::strcmp(name, "hipGetDeviceProperties") == 0) return "hipGetDevicePropertiesR0600";
  return std::strcmp(name, "hipChooseDevice") == 0 ? "hipChooseDeviceR0600" : name;
}

hipError_t proc_address(const char* name, int version, void** address, bool per_thread,
                        hipDriverProcAddressQueryResult* status) {
  if (!name || !address) return hipErrorInvalidValue;
  *address = find_call(name_in(version, name), per_thread);
  if (status) {
    *status = *address ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return *address ? hipSuccess : hipErrorNotFound;
}

hipError_t entry_point(const char* name, void** address, unsigned long long flags, bool per_thread,
                       hipDriverEntryPointQueryResult* status) {
  if (!name || !*name || !address || flags > kPerThreadDefaultStream) return hipErrorInvalidValue;
  *address = find_call(name_in(HIP_VERSION, name), per_thread);
  if (status) *status = *address ? hipDriverEntryPointSuccess : hipDriverEntryPointSymbolNotFound;
  return *address ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace

hipError_t hipGetProcAddress(const char* name, void** address, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult* status) {
  return proc_address(name, version, address, flags == kPerThreadDefaultStream, status);
}

hipError_t hipGetProcAddress_spt(const char* name, void** address, int version, uint64_t,
                                 hipDriverProcAddressQueryResult* status) {
  return proc_address(name, version, address, true, status);
}

hipError_t hipGetDriverEntryPoint(const char* name, void** address, unsigned long long flags,
                                  hipDriverEntryPointQueryResult* status) {
  return entry_point(name, address, flags, flags == kPerThreadDefaultStream, status);
}

hipError_t hipGetDriverEntryPoint_spt(const char* name, void** address, unsigned long long flags,
                                      hipDriverEntryPointQueryResult* status) {
  return entry_point(name, address, flags, true, status);
}

hipError_t hipGetFuncBySymbol(hipFunction_t* out, const void* symbol) {
  return out ? handle_from_host_stub(symbol, out) : hipErrorInvalidValue;
}

const char* hipApiName(uint32_t id) { return id < std::size(kCalls) ? kCalls[id].name : "unknown"; }

const char* hipKernelNameRef(const hipFunction_t handle) {
  const sim::FunctionRef function = function_from_handle(handle);
  return function ? function->kernel->name.c_str() : nullptr;
}

const char* hipKernelNameRefByPtr(const void* stub, hipStream_t) {
  const StubLookup found = function_from_host_stub(stub);
  return found.function ? found.function->kernel->name.c_str() : nullptr;
}

// There is no profiler to start or stop; programs that bracket a region still run.
hipError_t hipProfilerStart() { return hipSuccess; }
hipError_t hipProfilerStop() { return hipSuccess; }

}  // namespace greta::api
