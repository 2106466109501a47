/* Names for moments and spans of time of a program, for a profiler to show:
 * librocprofiler-sdk-roctx.so, the successor of libroctx64.so. On the simulated device nothing
 * listens; see native/simdevice/roctx. */
#ifndef GRETA_ROCPROFILER_SDK_ROCTX_H
#define GRETA_ROCPROFILER_SDK_ROCTX_H

#include <rocprofiler-sdk-roctx/types.h>
#include <rocprofiler-sdk-roctx/version.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hsa_agent_s;
struct ihipStream_t;

void roctxMarkA(const char* message);

/* Ranges of a thread, one inside the other. Both return the level of the range, from 0; without a
 * range to end, the second returns a negative value. */
int roctxRangePushA(const char* message);
int roctxRangePop(void);

/* Ranges of the process, which may overlap, and may end in another thread. */
roctx_range_id_t roctxRangeStartA(const char* message);
void roctxRangeStop(roctx_range_id_t id);

/* Requests to a profiler, if one listens. They return 0 unless it says otherwise. Pause and resume
 * are meant for one thread, or with 0 for all. */
int roctxProfilerPause(roctx_thread_id_t thread);
int roctxProfilerResume(roctx_thread_id_t thread);
int roctxNameOsThread(const char* name);
int roctxNameHsaAgent(const char* name, const struct hsa_agent_s* agent);
int roctxNameHipDevice(const char* name, int device);
int roctxNameHipStream(const char* name, const struct ihipStream_t* stream);

/* The system's number of the calling thread. */
int roctxGetThreadId(roctx_thread_id_t* thread);

#ifdef __cplusplus
}
#endif

#ifndef roctxMark
#define roctxMark(message) roctxMarkA(message)
#endif
#ifndef roctxRangePush
#define roctxRangePush(message) roctxRangePushA(message)
#endif
#ifndef roctxRangeStart
#define roctxRangeStart(message) roctxRangeStartA(message)
#endif

#endif
