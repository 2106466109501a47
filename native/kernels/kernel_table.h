// The kernels of each instruction set, by the key that GRETA_NATIVE_KERNEL gives them in the HIP
// sources: name@version.
#pragma once

#include "simt/launch_abi.h"

namespace greta::kernels {

struct NativeKernel {
  const char* key;  // null ends a table
  greta_simt_entry entry;
};

namespace portable {
extern const NativeKernel table[];
}
namespace avx2 {
extern const NativeKernel table[];
}
namespace avx512 {
extern const NativeKernel table[];
}

}  // namespace greta::kernels
