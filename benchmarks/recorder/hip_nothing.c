/* A HIP library that does nothing, so that what is measured is the recorder alone. */
#include <stddef.h>

int hipMemcpyAsync(void* dst, const void* src, size_t bytes, int kind, void* stream) {
  (void)dst, (void)src, (void)bytes, (void)kind, (void)stream;
  return 0;
}
