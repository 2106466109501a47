// What a call leaves in its thread for the calls after it.
//
// The last error by the rules of HIP 7: one slot for the result of the latest call, one for the
// latest result that was an error.
#pragma once

#include <hip/hip_runtime_api.h>

namespace greta::api {

struct ThreadErrors {
  hipError_t command = hipSuccess;
  hipError_t last = hipSuccess;
  // The call that is under way has launched something and does not wait for it. It succeeds, even
  // if the kernel is so quick to fault that the error is there before the call returns: hardware
  // is never so quick, and the next call tells.
  bool launched = false;

  void note(hipError_t result) {
    command = result;
    // "Not ready" is an answer, not an error.
    if (result != hipSuccess && result != hipErrorNotReady) last = result;
  }
};

ThreadErrors& thread_errors();

}  // namespace greta::api
