// What the headers in simt/ that also fit a host program are written with, for any C++ compiler.
#pragma GCC system_header
#ifndef GRETA_HOST_PLATFORM_H
#define GRETA_HOST_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

#define GRETA_SIMT_INLINE inline __attribute__((always_inline))

#endif
