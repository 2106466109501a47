// How much the run may take of the disk: GRETA_RECORD_BUDGET bytes for the lanes of all processes.
#pragma once

#include <cstdint>

namespace greta::recorder {

// False if so much is not left. Without a budget always true.
bool take_from_budget(uint64_t bytes);
bool budget_is_spent();

}  // namespace greta::recorder
