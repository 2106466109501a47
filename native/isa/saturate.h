#pragma once

#include "isa/program.h"

namespace greta::isa {

// For an integer operation with clamp; null where it is not implemented.
Handler saturating_handler(const Instruction& instruction);

}  // namespace greta::isa
