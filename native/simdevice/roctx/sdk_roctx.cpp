// What only librocprofiler-sdk-roctx.so has: requests that no profiler is there to refuse.
#include <rocprofiler-sdk-roctx/roctx.h>
#include <sys/syscall.h>
#include <unistd.h>

int roctxProfilerPause(roctx_thread_id_t) { return 0; }

int roctxProfilerResume(roctx_thread_id_t) { return 0; }

int roctxNameOsThread(const char*) { return 0; }

int roctxNameHsaAgent(const char*, const hsa_agent_s*) { return 0; }

int roctxNameHipDevice(const char*, int) { return 0; }

int roctxNameHipStream(const char*, const ihipStream_t*) { return 0; }

int roctxGetThreadId(roctx_thread_id_t* thread) {
  *thread = static_cast<roctx_thread_id_t>(syscall(SYS_gettid));
  return 0;
}
