// Which code lies where in this process: what call sites are resolved by.
#pragma once

#include <cstdint>

namespace greta::recorder {

// Writes an entry for each library that has been loaded since the last time.
void note_new_libraries();

// To be called with every call site: looks for new libraries when it is one not seen before.
void note_site(uint64_t address);

// Forgets what has been unloaded since the last time, and the call sites with it.
void note_unloaded_libraries();

// In a forked child.
void forget_libraries();

}  // namespace greta::recorder
