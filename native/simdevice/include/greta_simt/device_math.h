// The functions of mathematics that the small floating-point types are made with.
#pragma GCC system_header
#ifndef GRETA_HOST_DEVICE_MATH_H
#define GRETA_HOST_DEVICE_MATH_H

#include <math.h>

#include "greta_simt/platform.h"
#include "greta_simt/vector_types.h"

#endif
