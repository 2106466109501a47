// Which loaded code lies around an address.
#pragma once

#include <cstdint>

namespace greta::recorder {

struct Code {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool contains(uintptr_t address) const { return address >= begin && address < end; }
};

// The executable part of a library or program; empty if there is none.
Code code_around(uintptr_t address);

}  // namespace greta::recorder
