// The instruction sets that the kernels are written for, and the one to use.
#pragma once

namespace greta::kernels {

enum class Isa { portable, avx2, avx512 };

// The best that this CPU runs, or less if GRETA_KERNELS_ISA (portable, avx2 or avx512) says so.
Isa chosen_isa();

}  // namespace greta::kernels
