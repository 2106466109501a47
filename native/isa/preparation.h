// One instruction made ready to run.
#pragma once

#include "isa/program.h"

namespace greta::isa {

// Fills what a step's handler needs; null where all is well, else what is missing of it, to be said
// after its name. `indexing`: between s_set_gpr_idx_on and _off.
const char* prepare(const Instruction& instruction, Lanes lanes, bool indexing, Step* step);

bool is_memory(Format format);

}  // namespace greta::isa
