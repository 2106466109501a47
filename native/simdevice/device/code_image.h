// Finds the code object for this device in what a program passes as an image: a pointer, without a
// size.
#pragma once

#include <string>
#include <vector>

#include "device/hip_error.h"

namespace greta::sim {

struct CodeImage {
  hipError_t error = hipErrorInvalidImage;
  std::string reason;               // of the error
  std::vector<unsigned char> file;  // a copy: an x86-64 shared object, or
  bool is_machine_code = false;     // an object for AMD's GPUs
};

// `image` may point at anything: memory that is not there makes it an invalid image.
CodeImage find_code_image(const void* image);

}  // namespace greta::sim
