// Runs a function on a stack of its own: a signal handler may have been called on one that has room
// for little.
#pragma once

namespace greta::recorder {

// False, and nothing was run, if there is no memory for a stack.
[[nodiscard]] bool run_on_roomy_stack(void (*function)(void*), void* argument);

}  // namespace greta::recorder
