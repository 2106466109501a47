// What this processor executes. The compiler's own test would need its run-time library, which not
// every linker brings.
#ifndef GRETA_CPU_FEATURES_H
#define GRETA_CPU_FEATURES_H

#include <cpuid.h>

#include <cstdint>

namespace greta {

struct CpuFeatures {
  bool avx2 = false;    // with FMA and F16C
  bool avx512 = false;  // F, BW, DQ and VL
  bool avx512_vnni = false;
};

// A register file counts only if the operating system keeps it across a switch (XCR0).
inline CpuFeatures cpu_features() {
  uint32_t a, b, c, d;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return {};
  constexpr uint32_t fma = 1u << 12, osxsave = 1u << 27, avx = 1u << 28, f16c = 1u << 29;
  constexpr uint32_t basic = fma | osxsave | avx | f16c;
  uint32_t low, high;
  if ((c & basic) != basic) return {};
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  constexpr uint32_t ymm = 0x6, zmm = 0xe6;
  if ((low & ymm) != ymm || __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return {};
  constexpr uint32_t avx2 = 1u << 5, f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31;
  constexpr uint32_t wide = f | dq | bw | vl, vnni = 1u << 11;
  CpuFeatures found;
  found.avx2 = (b & avx2) != 0;
  found.avx512 = found.avx2 && (low & zmm) == zmm && (b & wide) == wide;
  found.avx512_vnni = found.avx512 && (c & vnni) != 0;
  return found;
}

}  // namespace greta

#endif  // GRETA_CPU_FEATURES_H
