#include "kernels/isa.h"

#include <cstdlib>
#include <cstring>

#include "cpu_features.h"

namespace greta::kernels {
namespace {

Isa best_isa() {
  const CpuFeatures features = cpu_features();
  if (!features.avx2) return Isa::portable;
  return features.avx512_vnni ? Isa::avx512 : Isa::avx2;
}

Isa wanted_isa() {
  const char* name = secure_getenv("GRETA_KERNELS_ISA");
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
