// Annotations: what a program says about itself through roctx (ROCm's convention) names the HIP
// calls that it makes inside a range.
#pragma once

#include "recorder/hooks/real_functions.h"

namespace greta::recorder {

// How many there are.
constexpr uint32_t kRoctxCalls = 5;
// Their entries in tables.jsonl; they are numbered after the HIP calls.
void write_roctx_entries();

// In a forked child.
void forget_annotations();

// The hook of that name if there is one, and where it is to forward to from now on.
AnyFunction roctx_hook_for(const char* name, AnyFunction real);

}  // namespace greta::recorder
