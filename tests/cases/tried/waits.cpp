// Work that waits, or does not, in the ways that HIP has.
#include "scenarios.h"

#include <condition_variable>
#include <cstring>
#include <mutex>

SCENARIO(event_reused) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  hipStream_t a = new_stream(), b = new_stream();
  hipEvent_t e = new_event();
  for (int i = 0; i < 4; ++i) {
    if (wrong) {
      OK(hipEventRecord(e, a));
    }
    launch(K("set"), 4, 256, a, x, float(i), N);
    if (!wrong) OK(hipEventRecord(e, a));
    OK(hipStreamWaitEvent(b, e, 0));
    launch(K("square"), 4, 256, b, (const float*)x, y, N);
    OK(hipEventRecord(e, b));
    OK(hipStreamWaitEvent(a, e, 0));
  }
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

SCENARIO(event_never_recorded) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  hipStream_t a = new_stream(), b = new_stream();
  hipEvent_t e = new_event();
  launch(K("set"), 4, 256, a, x, 1.f, N);
  if (!wrong) OK(hipEventRecord(e, a));
  OK(hipStreamWaitEvent(b, e, 0));
  launch(K("square"), 4, 256, b, (const float*)x, y, N);
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

SCENARIO(event_of_destroyed_stream) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  hipStream_t a = new_stream(), b = new_stream();
  hipEvent_t e = new_event();
  launch(K("set"), 4, 256, a, x, 1.f, N);
  OK(hipEventRecord(e, a));
  OK(hipStreamDestroy(a));
  OK(hipStreamWaitEvent(b, e, 0));
  launch(K("square"), 4, 256, b, (const float*)x, y, N);
  OK(hipStreamSynchronize(b));
  to_host(y, N);
}

SCENARIO(event_destroyed_waited) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  hipStream_t a = new_stream(), b = new_stream();
  for (int i = 0; i < 3; ++i) {
    hipEvent_t e = new_event();
    launch(K("set"), 4, 256, a, x, 1.f, N);
    OK(hipEventRecord(e, a));
    OK(hipStreamWaitEvent(b, e, 0));
    OK(hipEventDestroy(e));
    launch(K("square"), 4, 256, b, (const float*)x, y, N);
    e = new_event();
    OK(hipEventRecord(e, b));
    OK(hipStreamWaitEvent(a, e, 0));
    OK(hipEventDestroy(e));
  }
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

SCENARIO(ext_stop_event) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  hipStream_t a = new_stream(), b = new_stream();
  hipEvent_t e;
  OK(hipEventCreate(&e));
  float v = 1.f;
  int n = N;
  void* args[] = {&x, &v, &n};
  if (hipExtModuleLaunchKernel(K("set"), N, 1, 1, 256, 1, 1, 0, a, args, nullptr, nullptr,
                               wrong ? nullptr : e, 0) != hipSuccess)
    return;
  OK(hipStreamWaitEvent(b, e, 0));
  launch(K("square"), 4, 256, b, (const float*)x, y, N);
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

SCENARIO(legacy_orders) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  hipStream_t a = new_stream(wrong ? hipStreamNonBlocking : hipStreamDefault),
              b = new_stream(wrong ? hipStreamNonBlocking : hipStreamDefault);
  launch(K("set"), 4, 256, a, x, 1.f, N);
  launch(K("scale"), 4, 256, nullptr, x, 2.f, N);
  launch(K("square"), 4, 256, b, (const float*)x, y, N);
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

SCENARIO(legacy_event) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  hipStream_t b = new_stream();
  hipEvent_t e = new_event();
  launch(K("set"), 4, 256, nullptr, x, 1.f, N);
  OK(hipEventRecord(e, nullptr));
  if (!wrong) OK(hipStreamWaitEvent(b, e, 0));
  launch(K("square"), 4, 256, b, (const float*)x, y, N);
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

SCENARIO(legacy_handle) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  hipStream_t a = new_stream(hipStreamDefault);
  launch(K("set"), 4, 256, a, x, 1.f, N);
  launch(K("square"), 4, 256, (hipStream_t)1, (const float*)x, y, N);
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

SCENARIO(per_thread) {
  float* x = on_device<float>(N);
  float* out = on_device<float>(N);
  launch(K("set"), 4, 256, hipStreamPerThread, x, 2.f, N);
  if (!wrong) OK(hipStreamSynchronize(hipStreamPerThread));
  std::thread([&] {
    launch(K("square"), 4, 256, hipStreamPerThread, (const float*)x, out, N);
    OK(hipStreamSynchronize(hipStreamPerThread));
  }).join();
  to_host(out, N);
}

SCENARIO(sync_wrong_device) {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  expect(count == 2, "two devices");
  OK(hipSetDevice(1));
  hipModule_t m1 = load_kernels();
  float* x = on_device<float>(N);
  hipStream_t s1 = new_stream();
  launch(kernel(m1, "set"), 4, 256, s1, x, 1.f, N);
  OK(hipSetDevice(wrong ? 0 : 1));
  OK(hipDeviceSynchronize());
  OK(hipSetDevice(0));
  float* p = pinned<float>(N);
  hipStream_t s0 = new_stream();
  OK(hipMemcpyAsync(p, x, N * 4, hipMemcpyDeviceToHost, s0));
  OK(hipStreamSynchronize(s0));
  OK(hipSetDevice(1));
  OK(hipDeviceSynchronize());
}

SCENARIO(peer_copy) {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  expect(count == 2, "two devices");
  OK(hipSetDevice(1));
  float* there = on_device<float>(N);
  OK(hipSetDevice(0));
  float* here = on_device<float>(N);
  hipStream_t s = new_stream(), t = new_stream();
  launch(K("set"), 4, 256, s, here, 3.f, N);
  if (!wrong) after(t, s);
  OK(hipMemcpyPeerAsync(there, 1, here, 0, N * 4, t));
  OK(hipStreamSynchronize(t));
  to_host(there, N);
  OK(hipDeviceSynchronize());
}

SCENARIO(memcpy_with_stream) {
  float* x = on_device<float>(N);
  std::vector<float> h(N);
  hipStream_t a = new_stream(), b = new_stream();
  launch(K("set"), 4, 256, a, x, 1.f, N);
  OK(hipMemcpyWithStream(h.data(), x, N * 4, hipMemcpyDeviceToHost, wrong ? b : a));
  OK(hipDeviceSynchronize());
}

SCENARIO(thread_pool) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  std::mutex m;
  std::condition_variable cv;
  bool ready = false;
  hipStream_t s = new_stream(), t = new_stream();
  std::thread w([&] {
    std::unique_lock<std::mutex> l(m);
    cv.wait(l, [&] { return ready; });
    launch(K("square"), 4, 256, t, (const float*)x, y, N);
    OK(hipStreamSynchronize(t));
  });
  launch(K("set"), 4, 256, s, x, 1.f, N);
  if (!wrong) OK(hipStreamSynchronize(s));
  {
    std::lock_guard<std::mutex> l(m);
    ready = true;
  }
  cv.notify_one();
  w.join();
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

SCENARIO(capture_other_thread) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* y = on_device<float>(std::vector<float>(N, 1.f));
  hipStream_t a = new_stream(), b = new_stream();
  hipGraph_t g;
  hipGraphExec_t ge;
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeThreadLocal));
  std::thread([&] {
    launch(K("scale"), 4, 256, b, y, 2.f, N);
    OK(hipStreamSynchronize(b));
  }).join();
  launch(K("scale"), 4, 256, a, x, 2.f, N);
  OK(hipStreamEndCapture(a, &g));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  OK(hipGraphLaunch(ge, a));
  OK(hipStreamSynchronize(a));
  to_host(x, N);
  to_host(y, N);
}

SCENARIO(atomic_then_copy) {
  int* c = on_device<int>(std::vector<int>(4, 0));
  int* p = pinned<int>(4);
  hipStream_t s = new_stream(), t = new_stream();
  launch(K("bump"), 1, 64, s, c);
  if (!wrong) after(t, s);
  OK(hipMemcpyAsync(p, c, 16, hipMemcpyDeviceToHost, t));
  OK(hipDeviceSynchronize());
  to_host(c, 1);
}

SCENARIO(rect_beside) {
  float* img = on_device<float>(64 * 64);
  float* h1 = pinned<float>(64 * 32);
  float* h2 = pinned<float>(64 * 32);
  memset(h1, 0, 8192);
  memset(h2, 0, 8192);
  hipStream_t s = new_stream(), t = new_stream();
  OK(hipMemcpy2DAsync(img, 256, h1, 128, 128, 64, hipMemcpyHostToDevice, s));
  OK(hipMemcpy2DAsync(img + (wrong ? 31 : 32), 256, h2, 128, 128, 64, hipMemcpyHostToDevice, t));
  OK(hipDeviceSynchronize());
  to_host(img, 64);
}

SCENARIO(query_polled) {
  float* p = pinned<float>(N);
  float* d = on_device<float>(std::vector<float>(N, 1.f));
  hipStream_t s = new_stream();
  OK(hipMemcpyAsync(p, d, N * 4, hipMemcpyDeviceToHost, s));
  while (hipStreamQuery(s) == hipErrorNotReady) std::this_thread::yield();
  tell(p[5] == 1.f, "read");
  to_host(d, N);
}
