// One line that says exactly what an access of machine code did wrong.
#pragma once

#include <string>

#include "gfx/loaded_module.h"
#include "isa/wave.h"

namespace greta::sim::gfx {

// "write of 4 bytes at 0x7f10, 0 bytes past the end of the buffer of 4096 bytes at 0x6f10, by
// thread 5,0,0 of block 2,0,0 of saxpy(float*), saxpy.cpp:12, global_store_dword v0, v1, s[2:3]"
struct FaultPlace {
  const std::string& kernel;
  const KernelCode& code;
  Dim3 block;
  Dim3 thread;
};
std::string text_of_fault(const isa::Fault& fault, const FaultPlace& place);

}  // namespace greta::sim::gfx
