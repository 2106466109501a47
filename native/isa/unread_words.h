// Scalar loads that read more than the program asked for.
#pragma once

#include "isa/program.h"

namespace greta::isa {

// Compilers load three words as four where the alignment says that the fourth is in the same page,
// also at the end of an allocation: nothing reads it afterwards, and hardware does not fault. Of
// the load that has just faulted, loads the words up to the last one that may be read, if those may
// be accessed; then the fault is gone. False where it stands.
bool load_read_words(const Program& program, Wave& wave, uint32_t step);

}  // namespace greta::isa
