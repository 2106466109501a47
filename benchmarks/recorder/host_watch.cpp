// Copies of pinned memory from the device, each waited for and then read; nanoseconds per copy.
// Usage: host_watch BYTES COPIES EARLY; EARLY 1 reads one byte before it waits.
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void check(hipError_t error) {
  if (error != hipSuccess) exit(9);
}

int main(int, char** words) {
  const size_t bytes = strtoull(words[1], nullptr, 10);
  const long copies = atol(words[2]);
  const bool early = atol(words[3]) != 0;
  char *device, *host;
  hipStream_t stream;
  check(hipMalloc((void**)&device, bytes));
  check(hipHostMalloc((void**)&host, bytes, 0));
  check(hipStreamCreate(&stream));
  check(hipMemset(device, 1, bytes));
  volatile char sink = 0;
  double begin = 0;
  for (long i = -10; i < copies; ++i) {
    if (i == 0) begin = now();
    check(hipMemcpyAsync(host, device, bytes, hipMemcpyDeviceToHost, stream));
    if (early) sink = host[bytes / 2];
    check(hipStreamSynchronize(stream));
    sink = host[bytes / 2];
  }
  printf("%.0f\n", (now() - begin) / (double)copies);
  return sink == 1 ? 0 : 3;
}
