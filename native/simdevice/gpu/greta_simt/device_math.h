// Mathematical functions: clang's own headers declare them, and ocml has them.
#pragma GCC system_header
#ifndef GRETA_GPU_DEVICE_MATH_H
#define GRETA_GPU_DEVICE_MATH_H

#include <math.h>

#include "greta_simt/platform.h"
#include "greta_simt/vector_types.h"

// For the host, which has conversions to half too.
inline __attribute__((host)) float __saturatef(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

#endif
