// Programs that open the HIP library themselves get our hooks from dlsym, too.
#pragma once

namespace greta::recorder {

using DlsymFunction = void* (*)(void*, const char*);

// The C library's own.
DlsymFunction real_dlsym();

}  // namespace greta::recorder
