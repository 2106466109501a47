// hipError_t, from the device's own public header.
#pragma once

#if __has_include("../include/hip/hip_runtime_api.h")
#include <hip/hip_runtime_api.h>
#else
// A stand-in for builds of the device layer alone.
enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorInvalidImage = 200,
  hipErrorNoBinaryForGpu = 209,
  hipErrorOperatingSystem = 304,
};
#endif
