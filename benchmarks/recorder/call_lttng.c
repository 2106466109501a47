/* The same facts as one event of LTTng-UST: call, result, both times, call site, five words, and
 * the thread as a context that a trace has by itself. */
#include "calls.h"
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#include "greta_lttng.h"

int hipMemcpyAsync(void* dst, const void* src, size_t bytes, int kind, void* stream);

static unsigned long ticks(void) { return __builtin_ia32_rdtsc(); }

static void call(long i) {
  const unsigned long begin = ticks();
  const int result = hipMemcpyAsync((void*)0x7f0000000000, (void*)0x7e0000000000, (size_t)i, 2,
                                    (void*)0x5e1000000000);
  tracepoint(greta_peer, call, 62, result, begin, ticks(),
             (unsigned long)__builtin_return_address(0), 0x7f0000000000ul, 0x7e0000000000ul,
             (unsigned long)i, 2ul, 0x5e1000000000ul);
}

MEASURE(call)
