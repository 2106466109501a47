// The calls that the HIP library makes to itself: not the program's, and told by where they come
// from.
#pragma once

#include "recorder/generated/calls.h"

namespace greta::recorder {

// Whether `site` lies in the library whose function `call` forwards to. Fit for a signal handler.
bool is_from_library(const void* site, Call call);

}  // namespace greta::recorder
