// What only libroctx64.so has.
#include <roctracer/roctx.h>

uint32_t roctx_version_major() { return ROCTX_VERSION_MAJOR; }

uint32_t roctx_version_minor() { return ROCTX_VERSION_MINOR; }
