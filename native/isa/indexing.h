// Indexed vector registers (s_set_gpr_idx_*), which only scalar.cpp and program.cpp know of.
#pragma once

#include <cstdint>

namespace greta::isa {

inline constexpr uint32_t kModeIndexing = 1u << 27;  // MODE.GPR_IDX_EN

}  // namespace greta::isa
