// Hand-tuned CPU versions of kernels, from libgreta_kernels.so beside this library.
//
// A kernel's source names its hand-tuned version (GRETA_NATIVE_KERNEL in greta.engine.kernels). The
// device then runs that one, with the same arguments, block by block. Not where every access of a
// kernel is to be checked or noted: only the compiled version does that.
#pragma once

#include "simt/launch_abi.h"

namespace greta::sim {

// The entry for "name@version"; null if there is none, or if GRETA_SIM_NATIVE_KERNELS=0, strict
// placement or footprints ask for the compiled version.
greta_simt_entry find_native_kernel(const char* key);

}  // namespace greta::sim
