// __device__ and __constant__ variables of compiled programs, by their host address.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>

namespace greta::api {

struct VariableLookup {
  hipError_t error;
  void* address;
  size_t bytes;
};

VariableLookup find_registered_variable(const void* symbol);

}  // namespace greta::api
