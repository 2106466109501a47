// What the AMDGPU metadata note of a code object says about its kernels.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codeobject/kernel_info.h"

namespace greta::codeobject {

struct KernelMetadata {
  std::string target;  // amdgcn-amd-amdhsa--gfx942; empty in old notes
  std::vector<KernelInfo> kernels;
};

// Reads the MessagePack map of the note. False, with the reason, if it is corrupt. Arguments lie
// inside the kernarg segment of their kernel.
bool read_kernel_metadata(const unsigned char* bytes, size_t size, KernelMetadata* metadata,
                          std::string* reason);

}  // namespace greta::codeobject
