// The HIP library's own copies, where the CPU makes them: they go around the protection of watched
// pages, as a GPU's do.
#pragma once

namespace greta::recorder {

// Puts our memcpy and memmove in the place of those that the library which contains `function`
// calls. Once; other libraries are left alone.
void redirect_copies_of_library(const void* function);

}  // namespace greta::recorder
