// Programs that open the HIP library themselves get our hooks from dlsym, too.
#pragma once

#include <dlfcn.h>

#include <cstdint>

namespace greta::recorder {

using DlsymFunction = void* (*)(void*, const char*);

// The C library's own.
DlsymFunction real_dlsym();
// Ours, as an address: only the asking code's own call may go there.
uintptr_t our_dlsym();

// The function of that name that would have been called without us.
template <typename Function>
Function next_function(const char* name) {
  return reinterpret_cast<Function>(real_dlsym()(RTLD_NEXT, name));
}

}  // namespace greta::recorder
