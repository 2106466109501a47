// Which instruction set kernels are compiled for.
#pragma once

#include <string>
#include <vector>

namespace greta::hiprtc {

enum class Isa { kBaseline, kAvx2, kAvx512 };

// The widest set whose instructions this CPU really executes, found by executing them: on some
// machines the CPU's flags promise more. GRETA_SIM_ISA=baseline|avx2|avx512 overrides.
Isa best_isa();

const char* name_of(Isa isa);
std::vector<std::string> compiler_flags(Isa isa);

}  // namespace greta::hiprtc
