// Where a touch is made, as a call site: one byte past the beginning of the instruction, since
// sites are looked up as return addresses.
#pragma once

#include <cstdint>

namespace greta::recorder {

// Looks for the C library, once; before the first touch.
void find_c_library();

// Of an instruction inside the C library (memcpy, strlen ...) the place that called it, if that can
// be told: those functions have nothing on the stack but their return address.
uintptr_t touch_site(uintptr_t instruction, uintptr_t stack_pointer);

}  // namespace greta::recorder
