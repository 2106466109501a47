// Who makes a call: the Python frames and the native ones, together and by number.
#pragma once

#include <cstdint>

#include "recorder/sites/native_stack.h"

namespace greta::recorder {

// For greta_record.stack: the id of an entry "stack", or of an entry "script" where native frames
// are not asked for (GRETA_RECORD_STACKS=0); 0 if nothing is known. Keeps errno.
uint32_t current_stack(HookFrame hook, uint32_t call);

// In a forked child.
void forget_stacks();

}  // namespace greta::recorder
