// Every hooked call by its number (see generated/calls.h).
#pragma once

#include "recorder/generated/calls.h"

namespace greta::recorder {

struct HookedCall {
  const char* name;
  const char* second_name;  // a C++ name under which it is exported as well, or null
  void (*hook)();
  bool returns_pointer;
};

extern const HookedCall kHooked[];  // kHooked[0] is call number 1
// Their entries in tables.jsonl.
extern const char kCallEntries[];

}  // namespace greta::recorder
