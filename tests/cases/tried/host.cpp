// What the host does with pinned memory while copies are in flight (--watch-host).
#include "scenarios.h"

#include <sys/mman.h>

#include <cstring>

static float* pages(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return static_cast<float*>(memory);
}

SCENARIO(host_read_wrong_event) {
  float* p = pinned<float>(N);
  float* d = on_device<float>(std::vector<float>(N, 1.f));
  hipStream_t s = new_stream();
  hipEvent_t e = new_event(), f = new_event();
  OK(hipEventRecord(e, s));
  hold(kernels, s);
  OK(hipMemcpyAsync(p, d, N * 4, hipMemcpyDeviceToHost, s));
  OK(hipEventRecord(f, s));
  OK(hipEventSynchronize(wrong ? e : f));
  tell(p[3] == 1.f, "read");
  OK(hipStreamSynchronize(s));
  to_host(d, N);
}

SCENARIO(stream_destroyed_pending) {
  float* p = pinned<float>(N);
  float* d = on_device<float>(std::vector<float>(N, 1.f));
  hipStream_t s = new_stream();
  hold(kernels, s);
  OK(hipMemcpyAsync(p, d, N * 4, hipMemcpyDeviceToHost, s));
  OK(hipStreamDestroy(s));
  if (!wrong) OK(hipDeviceSynchronize());
  tell(p[5] == 1.f, "read");
  if (wrong) OK(hipDeviceSynchronize());
  to_host(d, N);
}

SCENARIO(half_page_staging) {
  float* st = pinned<float>(512);
  float* d = on_device<float>(512);
  hipStream_t s = new_stream();
  for (int i = 0; i < 6; ++i) {
    float* h = st + (i % 2) * 256;
    if (i >= 2 && wrong) {
    } else if (i >= 2)
      OK(hipStreamSynchronize(s));
    for (int q = 0; q < 256; ++q) h[q] = i;
    hold(kernels, s);
    OK(hipMemcpyAsync(d + (i % 2) * 256, h, 1024, hipMemcpyHostToDevice, s));
  }
  OK(hipStreamSynchronize(s));
  to_host(d, 512);
}

SCENARIO(half_page_results) {
  float* st = pinned<float>(512);
  for (int i = 0; i < 512; ++i) st[i] = 0;
  float* d = on_device<float>(std::vector<float>(512, 1.f));
  hipStream_t s = new_stream();
  OK(hipMemcpyAsync(st, d, 1024, hipMemcpyDeviceToHost, s));
  OK(hipStreamSynchronize(s));
  hold(kernels, s);
  OK(hipMemcpyAsync(st + 256, d + 256, 1024, hipMemcpyDeviceToHost, s));
  tell(st[wrong ? 300 : 100] == 1.f, "read");
  OK(hipStreamSynchronize(s));
  to_host(d, 16);
}

SCENARIO(double_buffer) {
  float* st[2] = {pinned<float>(N), pinned<float>(N)};
  float* d[2] = {on_device<float>(N), on_device<float>(N)};
  float* out = on_device<float>(N);
  hipStream_t c = new_stream(), k = new_stream();
  hipEvent_t up[2] = {new_event(), new_event()}, done[2] = {new_event(), new_event()};
  for (int i = 0; i < 8; ++i) {
    int j = i % 2;
    if (i >= 2) OK(hipEventSynchronize(wrong ? done[1 - j] : up[j]));
    for (int q = 0; q < N; ++q) st[j][q] = i;
    if (i >= 2) OK(hipStreamWaitEvent(c, done[wrong ? 1 - j : j], 0));
    OK(hipMemcpyAsync(d[j], st[j], N * 4, hipMemcpyHostToDevice, c));
    OK(hipEventRecord(up[j], c));
    OK(hipStreamWaitEvent(k, up[j], 0));
    if (i == 3) hold(kernels, k);
    launch(K("square"), 4, 256, k, (const float*)d[j], out, N);
    OK(hipEventRecord(done[j], k));
  }
  OK(hipDeviceSynchronize());
  to_host(out, N);
}

SCENARIO(pageable_modified) {
  std::vector<float> v(N, 1.f);
  float* d = on_device<float>(N);
  hipStream_t s = new_stream();
  OK(hipMemcpyAsync(d, v.data(), N * 4, hipMemcpyHostToDevice, s));
  for (auto& x : v) x = 2.f;
  OK(hipStreamSynchronize(s));
  to_host(d, N);
}

SCENARIO(unregister_in_flight) {
  float* host = pages(1 << 20);
  memset(host, 1, 1 << 20);
  OK(hipHostRegister(host, 1 << 20, 0));
  float* d = on_device<float>(1 << 18);
  hipStream_t s = new_stream();
  hold(kernels, s);
  OK(hipMemcpyAsync(d, host, 1 << 20, hipMemcpyHostToDevice, s));
  if (!wrong) OK(hipStreamSynchronize(s));
  hipError_t e = hipHostUnregister(host);
  tell(e == hipSuccess, "unregistered");
  OK(hipStreamSynchronize(s));
  to_host(d, 16);
}
