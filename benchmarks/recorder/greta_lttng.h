#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER greta_peer

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./greta_lttng.h"

#if !defined(GRETA_LTTNG_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define GRETA_LTTNG_H

#include <lttng/tracepoint.h>

// clang-format off: the fields are a list with no commas, which it does not know
TRACEPOINT_EVENT(greta_peer, call,
                 TP_ARGS(unsigned int, number, int, result, unsigned long, begin, unsigned long, end,
                         unsigned long, site, unsigned long, word0, unsigned long, word1,
                         unsigned long, word2, unsigned long, word3, unsigned long, word4),
                 TP_FIELDS(ctf_integer(unsigned int, number, number)
                               ctf_integer(int, result, result)
                               ctf_integer_hex(unsigned long, begin, begin)
                               ctf_integer_hex(unsigned long, end, end)
                               ctf_integer_hex(unsigned long, site, site)
                               ctf_integer_hex(unsigned long, word0, word0)
                               ctf_integer_hex(unsigned long, word1, word1)
                               ctf_integer_hex(unsigned long, word2, word2)
                               ctf_integer_hex(unsigned long, word3, word3)
                               ctf_integer_hex(unsigned long, word4, word4)))
// clang-format on

#endif

#include <lttng/tracepoint-event.h>
