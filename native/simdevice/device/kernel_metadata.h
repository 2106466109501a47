// What the AMDGPU metadata note of a code object says about its kernels.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "device/kernel.h"

namespace greta::sim {

// Reads the MessagePack map of the note (HIP: amdhsa.kernels). False, with the reason, if it is
// corrupt. Entries of the kernels stay null.
bool read_kernel_metadata(const unsigned char* bytes, size_t size, std::deque<Kernel>* kernels,
                          std::string* reason);

}  // namespace greta::sim
