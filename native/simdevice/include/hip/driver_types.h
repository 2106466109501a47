/* AMD's headers keep some types here; ours are all in hip_types.h. */
#ifndef GRETA_HIP_DRIVER_TYPES_H
#define GRETA_HIP_DRIVER_TYPES_H

#include "hip/hip_types.h"

#endif
