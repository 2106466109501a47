/* HIP calls, recorded if the recorder is there. */
#include "calls.h"

int hipMemcpyAsync(void* dst, const void* src, size_t bytes, int kind, void* stream);

static void call(long i) {
  hipMemcpyAsync((void*)0x7f0000000000, (void*)0x7e0000000000, (size_t)i, 2, (void*)0x5e1000000000);
}

MEASURE(call)
