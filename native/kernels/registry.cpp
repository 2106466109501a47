// What the simulated device asks for.
#include <cstring>

#include "kernels/isa.h"
#include "kernels/kernel_table.h"

namespace greta::kernels {
namespace {

const NativeKernel* chosen_table() {
  switch (chosen_isa()) {
    case Isa::avx512:
      return avx512::table;
    case Isa::avx2:
      return avx2::table;
    default:
      return portable::table;
  }
}

}  // namespace
}  // namespace greta::kernels

// The hand-tuned version of the kernel with this key, or null if there is none.
extern "C" __attribute__((visibility("default"))) greta_simt_entry
greta_find_native_kernel(const char* key) {
  for (auto* kernel = greta::kernels::chosen_table(); kernel->key != nullptr; ++kernel) {
    if (std::strcmp(kernel->key, key) == 0) return kernel->entry;
  }
  return nullptr;
}
