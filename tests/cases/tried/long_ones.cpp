// Right programs: of many calls, or of calls that programs try.
#include "scenarios.h"

SCENARIO(long_pipeline) {
  const int rounds = 1800;
  float* w = on_device<float>(std::vector<float>(N, 1.f));
  float* st[3];
  float* d[3];
  hipEvent_t up[3], done[3];
  for (int j = 0; j < 3; ++j) {
    st[j] = pinned<float>(N);
    d[j] = on_device<float>(N);
    up[j] = new_event();
    done[j] = new_event();
  }
  float* res = pinned<float>(N);
  float* out = on_device<float>(N);
  hipStream_t c = new_stream(), k = new_stream(), o = new_stream();
  for (int i = 0; i < rounds; ++i) {
    int j = i % 3;
    if (i >= 3) {
      OK(hipEventSynchronize(up[j]));
      OK(hipStreamWaitEvent(c, done[j], 0));
    }
    st[j][i % N] = i;
    OK(hipMemcpyAsync(d[j], st[j], N * 4, hipMemcpyHostToDevice, c));
    OK(hipEventRecord(up[j], c));
    OK(hipStreamWaitEvent(k, up[j], 0));
    launch(K("scale"), 4, 256, k, d[j], 1.5f, N);
    launch(K("add"), 4, 256, k, (const float*)d[j], (const float*)w, out, N);
    OK(hipEventRecord(done[j], k));
    if (i % 10 == 0) {
      after(o, k);
      OK(hipMemcpyAsync(res, out, N * 4, hipMemcpyDeviceToHost, o));
      OK(hipStreamSynchronize(o));
      after(k, o);
    }
  }
  OK(hipDeviceSynchronize());
  to_host(out, N);
}

SCENARIO(long_pool) {
  hipStream_t s[3];
  for (auto& one : s) one = new_stream();
  for (int i = 0; i < 1500; ++i) {
    hipStream_t a = s[i % 3];
    float *x, *y;
    OK(hipMallocAsync((void**)&x, (N + i % 7) * 4, a));
    OK(hipMallocAsync((void**)&y, N * 4, a));
    OK(hipMemsetAsync(x, 0, N * 4, a));
    launch(K("square"), 4, 256, a, (const float*)x, y, N);
    if (i % 5 == 0) {
      after(s[(i + 1) % 3], a);
      launch(K("scale"), 4, 256, s[(i + 1) % 3], y, 2.f, N);
      after(a, s[(i + 1) % 3]);
    }
    OK(hipFreeAsync(x, a));
    OK(hipFreeAsync(y, a));
  }
  OK(hipDeviceSynchronize());
  float* z = on_device<float>(std::vector<float>(N, 1.f));
  to_host(z, N);
}

SCENARIO(long_graphs) {
  hipStream_t a = new_stream();
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* p = pinned<float>(N);
  hipGraph_t g;
  hipGraphExec_t ge;
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  for (int i = 0; i < 6; ++i) launch(K("scale"), 4, 256, a, x, 1.01f, N);
  OK(hipMemcpyAsync(p, x, N * 4, hipMemcpyDeviceToHost, a));
  OK(hipStreamEndCapture(a, &g));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  for (int i = 0; i < 5200; ++i) {
    OK(hipGraphLaunch(ge, a));
    OK(hipStreamSynchronize(a));
  }
  to_host(x, N);
}

SCENARIO(threads_each_own) {
  std::vector<std::thread> t;
  for (int k = 0; k < 4; ++k)
    t.emplace_back([k] {
      hipStream_t s = new_stream();
      float* x = on_device<float>(N);
      float* p = pinned<float>(N);
      for (int i = 0; i < 40; ++i) {
        launch(K("set"), 4, 256, s, x, float(k), N);
        OK(hipMemcpyAsync(p, x, N * 4, hipMemcpyDeviceToHost, s));
        OK(hipStreamSynchronize(s));
      }
      OK(hipFree(x));
      OK(hipHostFree(p));
      OK(hipStreamDestroy(s));
    });
  for (auto& one : t) one.join();
}

SCENARIO(probes) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  std::vector<char> mem(1 << 16);
  hipPointerAttribute_t at;
  (void)hipPointerGetAttributes(&at, mem.data());
  (void)hipGetLastError();
  hipFunction_t f;
  (void)hipModuleGetFunction(&f, kernels, "no_such_kernel");
  (void)hipGetLastError();
  hipEvent_t e1, e2;
  OK(hipEventCreate(&e1));
  OK(hipEventCreate(&e2));
  hipStream_t s = new_stream();
  hold(kernels, s);
  OK(hipEventRecord(e1, s));
  OK(hipEventRecord(e2, s));
  float ms;
  (void)hipEventElapsedTime(&ms, e1, e2);
  (void)hipEventQuery(e2);
  (void)hipStreamQuery(s);
  OK(hipStreamSynchronize(s));
  void* big = nullptr;
  (void)hipMalloc(&big, size_t(1) << 50);
  (void)hipGetLastError();
  int can;
  (void)hipDeviceCanAccessPeer(&can, 0, 1);
  (void)hipDeviceEnablePeerAccess(1, 0);
  (void)hipDeviceEnablePeerAccess(1, 0);
  (void)hipGetLastError();
  to_host(x, N);
}

SCENARIO(writes_of_all_kinds) {
  float* x = on_device<float>(N);
  OK(hipMemsetD32((hipDeviceptr_t)x, 7, N));
  to_host(x, N);
  float* y = on_device<float>(N);
  OK(hipMemsetD8((hipDeviceptr_t)y, 1, N * 4));
  to_host(y, N);
  float* z = on_device<float>(N);
  OK(hipMemcpyHtoD((hipDeviceptr_t)z, std::vector<float>(N, 1.f).data(), N * 4));
  to_host(z, N);
  float* w = on_device<float>(64 * 64);
  OK(hipMemset2D(w, 256, 0, 256, 64));
  to_host(w, 64 * 64);
  hipStream_t s = new_stream();
  float* v = on_device<float>(N);
  OK(hipMemsetD32Async((hipDeviceptr_t)v, 7, N, s));
  OK(hipStreamSynchronize(s));
  to_host(v, N);
  float* u = on_device<float>(N);
  hipGraph_t g;
  hipGraphExec_t ge;
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  OK(hipMemsetAsync(u, 0, N * 4, s));
  OK(hipStreamEndCapture(s, &g));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  OK(hipGraphLaunch(ge, s));
  OK(hipStreamSynchronize(s));
  to_host(u, N);
  float* p2 = on_device<float>(N);
  OK(hipMemcpyDtoDAsync((hipDeviceptr_t)p2, (hipDeviceptr_t)x, N * 4, s));
  OK(hipStreamSynchronize(s));
  to_host(p2, N);
  float* w2 = on_device<float>(64 * 64);
  OK(hipMemcpy2D(w2, 256, w, 256, 256, 64, hipMemcpyDeviceToDevice));
  to_host(w2, 64 * 64);
  float* q;
  size_t pitch;
  OK(hipMallocPitch((void**)&q, &pitch, 100, 10));
  OK(hipMemset2D(q, pitch, 0, 100, 10));
  std::vector<char> h(1000);
  OK(hipMemcpy2D(h.data(), 100, q, pitch, 100, 10, hipMemcpyDeviceToHost));
}

SCENARIO(exec_update) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* y = on_device<float>(std::vector<float>(N, 1.f));
  hipStream_t a = new_stream();
  hipGraph_t g, g2;
  hipGraphExec_t ge;
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  launch(K("scale"), 4, 256, a, x, 2.f, N);
  OK(hipStreamEndCapture(a, &g));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  launch(K("scale"), 4, 256, a, y, 2.f, N);
  launch(K("scale"), 4, 256, a, y, 2.f, N);
  OK(hipStreamEndCapture(a, &g2));
  hipGraphNode_t en;
  hipGraphExecUpdateResult r;
  if (hipGraphExecUpdate(ge, g2, &en, &r) != hipSuccess) {
    (void)hipGetLastError();
    OK(hipGraphExecDestroy(ge));
    OK(hipGraphInstantiate(&ge, g2, nullptr, nullptr, 0));
  }
  OK(hipGraphLaunch(ge, a));
  OK(hipStreamSynchronize(a));
  to_host(y, N);
}
