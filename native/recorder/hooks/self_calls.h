// The calls that the HIP library makes to itself: not the program's, and told by where they come
// from.
#pragma once

#include "recorder/generated/calls.h"

namespace greta::recorder {

// Whether `site` lies in the library whose function `call` forwards to. In a signal handler it is
// as fit as the loader's own look-ups, and after the first such call only loads.
bool is_from_library(const void* site, Call call);

}  // namespace greta::recorder
