// Mathematical functions: clang's own headers declare them, and ocml has them.
#pragma GCC system_header
#ifndef GRETA_GPU_DEVICE_MATH_H
#define GRETA_GPU_DEVICE_MATH_H

#include <math.h>

#include "greta_simt/platform.h"
#include "greta_simt/vector_types.h"

#endif
