// The device side of HIP for kernels that run on the CPU.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_RUNTIME_H
#define GRETA_SIMT_HIP_RUNTIME_H

#include "greta_simt/barrier.h"
#include "greta_simt/kernel.h"

#endif
