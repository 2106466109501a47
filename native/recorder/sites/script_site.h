// Which line of a Python program makes the call.
#pragma once

#include <cstdint>

#include "recorder/sites/loaded_code.h"

namespace greta::recorder {

// The id of an entry "script"; 0 if this thread runs no Python code, or GRETA_RECORD_PYTHON=0.
uint32_t current_script();
// The interpreter that runs it.
Code interpreter_code();

// The next id; entries "script" and "stack" are counted together.
uint32_t new_stack_id();

// To be called when libraries were loaded: Python may be among them.
void look_for_python();

// In a forked child.
void forget_scripts();

}  // namespace greta::recorder
