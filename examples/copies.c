/* Copies through a stream, in C.
 *
 *   gcc examples/copies.c $(greta sim --cflags --libs) -o copies
 *   greta sim -- ./copies
 */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    hipError_t error_ = (call);                                                                    \
    if (error_ != hipSuccess) {                                                                    \
      fprintf(stderr, "%s: %s (%s)\n", #call, hipGetErrorString(error_), hipGetErrorName(error_)); \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

enum { COUNT = 1 << 20 };

int main(void) {
  const size_t bytes = COUNT * sizeof(int);
  int *host, *device, devices, i;
  float milliseconds;
  hipStream_t stream;
  hipEvent_t start, stop;

  CHECK(hipGetDeviceCount(&devices));
  printf("%d device(s)\n", devices);
  CHECK(hipHostMalloc((void **)&host, bytes, hipHostMallocDefault));
  CHECK(hipMalloc((void **)&device, bytes));
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));

  for (i = 0; i < COUNT; i++) host[i] = i;
  CHECK(hipEventRecord(start, stream));
  CHECK(hipMemcpyAsync(device, host, bytes, hipMemcpyHostToDevice, stream));
  CHECK(hipMemsetAsync(device, 0, bytes / 2, stream));
  CHECK(hipMemcpyAsync(host, device, bytes, hipMemcpyDeviceToHost, stream));
  CHECK(hipEventRecord(stop, stream));
  CHECK(hipStreamSynchronize(stream));
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));

  for (i = 0; i < COUNT; i++) {
    const int expected = i < COUNT / 2 ? 0 : i;
    if (host[i] != expected) {
      fprintf(stderr, "element %d is %d, not %d\n", i, host[i], expected);
      return 1;
    }
  }
  CHECK(hipEventDestroy(start));
  CHECK(hipEventDestroy(stop));
  CHECK(hipStreamDestroy(stream));
  CHECK(hipFree(device));
  CHECK(hipHostFree(host));
  printf("%zu bytes there and back in %.3f ms\nok\n", bytes, milliseconds);
  return 0;
}
