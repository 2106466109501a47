#include "kernels/isa.h"

#include <cstdlib>
#include <cstring>

namespace greta::kernels {
namespace {

// The compiler's own test asks the operating system as well, whether it keeps the registers.
Isa best_isa() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("f16c");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512vnni");
  if (!avx2) return Isa::portable;
  return avx512 ? Isa::avx512 : Isa::avx2;
}

Isa wanted_isa() {
  const char* name = std::getenv("GRETA_KERNELS_ISA");
  if (name != nullptr && std::strcmp(name, "portable") == 0) return Isa::portable;
  if (name != nullptr && std::strcmp(name, "avx2") == 0) return Isa::avx2;
  return Isa::avx512;
}

}  // namespace

Isa chosen_isa() {
  const Isa best = best_isa(), wanted = wanted_isa();
  return wanted < best ? wanted : best;
}

}  // namespace greta::kernels
