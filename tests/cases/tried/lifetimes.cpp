// Memory and handles that are used behind their end.
#include "scenarios.h"

#include <sys/mman.h>

#include <cstring>

static float* pages(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return static_cast<float*>(memory);
}

SCENARIO(struct_in_memory) {
  struct Holder {
    float* data;
    int n;
    int pad;
  };
  float* data = on_device<float>(std::vector<float>(N, 1.f));
  float* out = on_device<float>(N);
  std::vector<Holder> h{{data, N, 0}};
  Holder* d = on_device(h);
  if (wrong) OK(hipFree(data));
  launch(K("through_struct"), 4, 256, nullptr, d, out);
  to_host(out, N);
  if (!wrong) OK(hipFree(data));
}

SCENARIO(linked_list) {
  std::vector<long*> nodes;
  for (int i = 0; i < 8; ++i) nodes.push_back(on_device<long>(2));
  for (int i = 0; i < 8; ++i) {
    long v[2] = {(long)nodes[(i + 1) % 8], 0};
    OK(hipMemcpy(nodes[i], v, 16, hipMemcpyHostToDevice));
  }
  float* o = on_device<float>(1);
  if (wrong) OK(hipFree(nodes[5]));
  launch(K("follow"), 1, 1, nullptr, (const long*)nodes[0], o, 16);
  to_host(o, 1);
}

SCENARIO(threads_double_free) {
  float* x = on_device<float>(N);
  std::thread([&] { OK(hipFree(x)); }).join();
  float* y = on_device<float>(std::vector<float>(N, 1.f));
  if (wrong) std::thread([&] { (void)hipFree(x); }).join();
  to_host(y, N);
}

SCENARIO(free_offset) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  if (wrong) (void)hipFree(x + 16);
  OK(hipFree(nullptr));
  to_host(x, N);
  OK(hipFree(x));
}

SCENARIO(pool_trim) {
  hipMemPool_t p;
  OK(hipDeviceGetDefaultMemPool(&p, 0));
  hipStream_t s = new_stream();
  float* x;
  float* y;
  OK(hipMallocAsync((void**)&x, N * 4, s));
  OK(hipMallocAsync((void**)&y, N * 4, s));
  launch(K("set"), 4, 256, s, x, 1.f, N);
  launch(K("set"), 4, 256, s, y, 1.f, N);
  OK(hipFreeAsync(y, s));
  OK(hipStreamSynchronize(s));
  OK(hipMemPoolTrimTo(p, 0));
  if (wrong) launch(K("square"), 4, 256, s, (const float*)y, x, N);
  launch(K("scale"), 4, 256, s, x, 2.f, N);
  OK(hipStreamSynchronize(s));
  to_host(x, N);
}

SCENARIO(pool_reuse) {
  hipStream_t a = new_stream(), b = new_stream();
  float *x, *y;
  float* out = on_device<float>(N);
  for (int i = 0; i < 3; ++i) {
    OK(hipMallocAsync((void**)&x, N * 4, a));
    launch(K("set"), 4, 256, a, x, 1.f, N);
    if (wrong) {
      launch(K("square"), 4, 256, b, (const float*)x, out, N);
    }
    OK(hipFreeAsync(x, a));
    if (!wrong) after(b, a);
    OK(hipMallocAsync((void**)&y, N * 4, b));
    launch(K("set"), 4, 256, b, y, 2.f, N);
    launch(K("square"), 4, 256, b, (const float*)y, out, N);
    OK(hipFreeAsync(y, b));
    after(a, b);
  }
  OK(hipDeviceSynchronize());
  to_host(out, N);
}

SCENARIO(pool_reuse_no_event) {
  hipStream_t a = new_stream(), b = new_stream();
  float *x, *y;
  float* out = on_device<float>(N);
  for (int i = 0; i < 3; ++i) {
    OK(hipMallocAsync((void**)&x, N * 4, a));
    launch(K("set"), 4, 256, a, x, 1.f, N);
    OK(hipFreeAsync(x, a));
    OK(hipMallocAsync((void**)&y, N * 4, b));
    launch(K("set"), 4, 256, b, y, 2.f, N);
    launch(K("square"), 4, 256, b, (const float*)y, out, N);
    OK(hipFreeAsync(y, b));
  }
  OK(hipStreamSynchronize(b));
  to_host(out, N);
  OK(hipDeviceSynchronize());
}

SCENARIO(unused_pool_pointer) {
  hipStream_t s = new_stream();
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* p;
  OK(hipMallocAsync((void**)&p, N * 4, s));
  launch(K("with_mode"), 4, 256, s, x, p, 1, N);
  OK(hipFreeAsync(p, s));
  launch(K("with_mode"), 4, 256, s, x, p, wrong ? 1 : 2, N);
  OK(hipStreamSynchronize(s));
  to_host(x, N);
}

SCENARIO(pool_read_after_free) {
  hipStream_t s = new_stream();
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* p;
  OK(hipMallocAsync((void**)&p, N * 4, s));
  launch(K("set"), 4, 256, s, p, 1.f, N);
  OK(hipFreeAsync(p, s));
  launch(K("mode_reads"), 4, 256, s, x, (const float*)p, wrong ? 1 : 2, N);
  OK(hipStreamSynchronize(s));
  to_host(x, N);
}

SCENARIO(pool_table_after_free) {
  hipStream_t s = new_stream();
  float* out = on_device<float>(N);
  float* p;
  OK(hipMallocAsync((void**)&p, N * 4, s));
  launch(K("set"), 4, 256, s, p, 1.f, N);
  OK(hipStreamSynchronize(s));
  float** t = on_device(std::vector<float*>{p});
  if (wrong) OK(hipFreeAsync(p, s));
  launch(K("read_through_table"), 1, 1, s, (const float* const*)t, out, 1);
  OK(hipStreamSynchronize(s));
  std::vector<float> h(1);
  OK(hipMemcpy(h.data(), out, 4, hipMemcpyDeviceToHost));
  if (!wrong) OK(hipFreeAsync(p, s));
}

SCENARIO(pool_fill_table_after_free) {
  hipStream_t s = new_stream();
  float* p;
  OK(hipMallocAsync((void**)&p, N * 4, s));
  launch(K("set"), 4, 256, s, p, 1.f, N);
  OK(hipStreamSynchronize(s));
  float** t = on_device(std::vector<float*>{p});
  if (wrong) OK(hipFreeAsync(p, s));
  launch(K("fill_through_table"), 4, 256, s, (float* const*)t, 0, 2.f, N);
  OK(hipStreamSynchronize(s));
  to_host(t, 1);
  if (!wrong) OK(hipFreeAsync(p, s));
}

SCENARIO(reset_then_use) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  to_host(x, N);
  OK(hipDeviceReset());
  if (wrong) {
    std::vector<float> h(N);
    (void)hipMemcpy(h.data(), x, N * 4, hipMemcpyDeviceToHost);
  }
}

SCENARIO(graph_params_freed) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* y = on_device<float>(std::vector<float>(N, 1.f));
  hipStream_t a = new_stream();
  hipGraph_t g;
  hipGraphExec_t ge;
  OK(hipGraphCreate(&g, 0));
  hipKernelNodeParams p{};
  float v = 2.f;
  int n = N;
  void* args[] = {&x, &v, &n};
  p.func = (void*)K("scale");
  p.gridDim = dim3(4);
  p.blockDim = dim3(256);
  p.kernelParams = args;
  hipGraphNode_t node;
  OK(hipGraphAddKernelNode(&node, g, nullptr, 0, &p));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  OK(hipGraphLaunch(ge, a));
  OK(hipStreamSynchronize(a));
  args[0] = &y;
  OK(hipGraphExecKernelNodeSetParams(ge, node, &p));
  OK(hipFree(wrong ? y : x));
  (void)hipGraphLaunch(ge, a);
  (void)hipStreamSynchronize(a);
  std::vector<float> h(N);
  (void)hipMemcpy(h.data(), wrong ? x : y, N * 4, hipMemcpyDeviceToHost);
}

SCENARIO(host_copy_node_gone) {
  float* host = pages(1 << 16);
  memset(host, 1, 1 << 16);
  OK(hipHostRegister(host, 1 << 16, 0));
  float* d = on_device<float>(1 << 14);
  hipStream_t a = new_stream();
  hipGraph_t g;
  hipGraphExec_t ge;
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  OK(hipMemcpyAsync(d, host, 1 << 16, hipMemcpyHostToDevice, a));
  OK(hipStreamEndCapture(a, &g));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  OK(hipGraphLaunch(ge, a));
  OK(hipStreamSynchronize(a));
  if (wrong) munmap(host, 1 << 16);
  (void)hipGraphLaunch(ge, a);
  (void)hipStreamSynchronize(a);
  std::vector<float> h(16);
  (void)hipMemcpy(h.data(), d, 64, hipMemcpyDeviceToHost);
}

SCENARIO(module_unloaded) {
  hipModule_t m2 = load_kernels();
  hipFunction_t f = kernel(m2, "set");
  float* x = on_device<float>(N);
  launch(f, 4, 256, nullptr, x, 1.f, N);
  OK(hipDeviceSynchronize());
  OK(hipModuleUnload(m2));
  if (wrong) {
    float v = 2.f;
    int n = N;
    void* a[] = {&x, &v, &n};
    (void)hipModuleLaunchKernel(f, 4, 1, 1, 256, 1, 1, 0, nullptr, a, nullptr);
  }
  to_host(x, N);
}

SCENARIO(stale_event) {
  hipEvent_t e = new_event();
  hipStream_t s = new_stream();
  OK(hipEventRecord(e, s));
  OK(hipEventDestroy(e));
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  if (wrong) (void)hipEventRecord(e, s);
  to_host(x, N);
}

SCENARIO(stale_exec) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  hipStream_t a = new_stream();
  hipGraph_t g;
  hipGraphExec_t ge;
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  launch(K("scale"), 4, 256, a, x, 2.f, N);
  OK(hipStreamEndCapture(a, &g));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  OK(hipGraphDestroy(g));
  OK(hipGraphLaunch(ge, a));
  OK(hipStreamSynchronize(a));
  OK(hipGraphExecDestroy(ge));
  if (wrong) (void)hipGraphLaunch(ge, a);
  to_host(x, N);
}
