// From hipFunction_t, or the host address of a compiled kernel, to the function.
#pragma once

#include <hip/hip_runtime_api.h>

#include <string>
#include <vector>

#include "device/function.h"
#include "device/handle_table.h"

namespace greta::api {

sim::HandleTable<sim::Function>& function_table();

// Null if the handle is not one of a loaded function.
inline sim::FunctionRef function_from_handle(hipFunction_t handle) {
  return function_table().find(handle);
}

struct StubLookup {
  hipError_t error = hipErrorInvalidDeviceFunction;
  sim::FunctionRef function;
};

// `stub` is what __hipRegisterFunction got as hostFunction.
StubLookup function_from_host_stub(const void* stub);

// The handle of the same function; always the same one.
hipError_t handle_from_host_stub(const void* stub, hipFunction_t* handle);

// Either of the two, for calls that take both (hipFuncGetAttributes, graph nodes).
StubLookup function_from_any(const void* handle_or_stub);

// The kernels of a module, in the order of its file; false if there is no such module.
bool kernels_of(hipModule_t handle, std::vector<std::string>* names);

}  // namespace greta::api
