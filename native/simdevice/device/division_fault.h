// A GPU does not trap on a division by zero; an x86 CPU does.
#pragma once

#include <ucontext.h>

namespace greta::sim {

// For a SIGFPE at a div or idiv: gives its registers the result a GPU would compute (quotient all
// ones, remainder the dividend; for an overflowing quotient its low bits) and steps over the
// instruction. False if the instruction is something else. Async-signal-safe.
bool emulate_failed_division(ucontext_t* context);

}  // namespace greta::sim
