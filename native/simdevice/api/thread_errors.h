// The last error of the calling thread, by the rules of HIP 7: one slot for the result of the
// latest call, one for the latest result that was an error.
#pragma once

#include <hip/hip_runtime_api.h>

namespace greta::api {

struct ThreadErrors {
  hipError_t command = hipSuccess;
  hipError_t last = hipSuccess;

  void note(hipError_t result) {
    command = result;
    // "Not ready" is an answer, not an error.
    if (result != hipSuccess && result != hipErrorNotReady) last = result;
  }
};

ThreadErrors& thread_errors();

}  // namespace greta::api
