// The device side of HIP for kernels that run on the CPU.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_RUNTIME_H
#define GRETA_SIMT_HIP_RUNTIME_H

#include "greta_simt/amdgcn.h"
#include "greta_simt/atomics.h"
#include "greta_simt/barrier.h"
#include "greta_simt/conversions.h"
#include "greta_simt/device_math.h"
#include "greta_simt/integer.h"
#include "greta_simt/kernel.h"
#include "greta_simt/output.h"
#include "greta_simt/spellings.h"
#include "greta_simt/vector_types.h"
#include "greta_simt/wave.h"

#endif
