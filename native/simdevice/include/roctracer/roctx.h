/* Names for moments and spans of time of a program, for a profiler to show: libroctx64.so, as of
 * ROCTX 4.1. On the simulated device nothing listens; see native/simdevice/roctx. */
#ifndef GRETA_ROCTRACER_ROCTX_H
#define GRETA_ROCTRACER_ROCTX_H

#include <stdint.h>

#define ROCTX_VERSION_MAJOR 4
#define ROCTX_VERSION_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

/* Of the library that is installed. */
uint32_t roctx_version_major(void);
uint32_t roctx_version_minor(void);

void roctxMarkA(const char* message);

/* Ranges of a thread, one inside the other. Both return the level of the range, from 0; without a
 * range to end, the second returns a negative value. */
int roctxRangePushA(const char* message);
int roctxRangePop(void);

/* Ranges of the process, which may overlap, and may end in another thread. */
typedef uint64_t roctx_range_id_t;
roctx_range_id_t roctxRangeStartA(const char* message);
void roctxRangeStop(roctx_range_id_t id);

#define roctxMark(message) roctxMarkA(message)
#define roctxRangePush(message) roctxRangePushA(message)
#define roctxRangeStart(message) roctxRangeStartA(message)

#ifdef __cplusplus
}
#endif

#endif
