// How to get from a function to its caller: what the unwind tables of its library say of one place.
#pragma once

#include <cstdint>

namespace greta::recorder {

// Only what compilers write for ordinary functions. Any other rule ends a stack: a frame that is
// missing is better than one that was not there.
struct FrameRule {
  enum class Base : uint8_t {
    none,   // the outermost frame, or a rule of another kind
    rsp,    // the frame ends at rsp + offset
    rbp,    // at rbp + offset
    at_rbp  // where the address at rbp + offset says: a function that aligns its stack
  };
  enum class Saved : uint8_t {
    unchanged,  // rbp is still the caller's
    in_frame,   // the caller's lies at the end of the frame + saved
    at_rbp      // at rbp + saved
  };
  int32_t offset = 0;
  int16_t saved = 0;
  Base base = Base::none;
  Saved rbp = Saved::unchanged;
};

// For the call that returns to `address`. Reads the tables where they are loaded; takes no lock but
// the loader's for its list, which no constructor of a library is called with.
FrameRule find_frame_rule(uintptr_t address);

}  // namespace greta::recorder
