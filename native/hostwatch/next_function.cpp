#include "hostwatch/next_function.h"

#include <dlfcn.h>

namespace greta::hostwatch {

void* next_function(const char* name) { return dlsym(RTLD_NEXT, name); }

}  // namespace greta::hostwatch
