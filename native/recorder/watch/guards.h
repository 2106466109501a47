// greta run --guard: each hipMalloc of the program ends before an unmapped page.
//
// By HIP's own virtual memory calls, so on any device that has them. The hooks of some calls ask
// here which function stands for the library's; in an ordinary run that is the library's own.
#pragma once

#include "recorder/hooks/real_functions.h"

namespace greta::recorder {

extern bool g_guards;

// What to call in the place of `real`.
AnyFunction guarding(Call call, AnyFunction real);

inline AnyFunction guarded(Call call, AnyFunction real) {
  return __builtin_expect(g_guards, false) ? guarding(call, real) : real;
}

// In a forked child.
void forget_guards();

}  // namespace greta::recorder
