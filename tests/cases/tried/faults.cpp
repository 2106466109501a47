// Kernels that leave their memory, or are refused.
#include "scenarios.h"

SCENARIO(row_far_off) {
  float* t = on_device<float>(std::vector<float>(N * 4, 1.f));
  float* out = on_device<float>(N);
  launch(K("take_far"), 4, 256, nullptr, t, out, wrong ? 4000000u : 3u, (unsigned)N);
  to_host(out, N);
}

SCENARIO(bad_index_in_memory) {
  std::vector<int> o(N);
  for (int i = 0; i < N; ++i) o[i] = i;
  if (wrong) o[77] = 1 << 28;
  int* d = on_device(o);
  float* x = on_device<float>(std::vector<float>(N, 0.f));
  launch(K("by_offsets"), 4, 256, nullptr, x, (const int*)d, N);
  to_host(x, N);
}

SCENARIO(equal_then_bad) {
  std::vector<int> o(N);
  for (int i = 0; i < N; ++i) o[i] = i;
  int* good = on_device(o);
  if (wrong) o[77] = 1 << 28;
  int* odd = on_device(o);
  float* x = on_device<float>(std::vector<float>(N, 0.f));
  for (int i = 0; i < 40; ++i)
    launch(K("by_offsets"), 4, 256, nullptr, x, (const int*)(i == 23 ? odd : good), N);
  std::vector<float> h(N);
  (void)hipMemcpy(h.data(), x, N * 4, hipMemcpyDeviceToHost);
}

SCENARIO(off_by_one_end) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* y = on_device<float>(N);
  launch(K("off_by_one"), 5, 256, nullptr, (const float*)x, y, wrong ? N : N - 1);
  to_host(y, N);
  OK(hipFree(x));
  OK(hipFree(y));
}

SCENARIO(negative) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  launch(K("write_before"), 4, 256, nullptr, x, wrong ? 2048 : 0, N);
  to_host(x, N);
}

SCENARIO(trapped) {
  int* f = on_device(std::vector<int>{wrong ? 1 : 0});
  launch(K("trap_if"), 1, 1, nullptr, (const int*)f);
  std::vector<int> h(1);
  (void)hipMemcpy(h.data(), f, 4, hipMemcpyDeviceToHost);
}

SCENARIO(other_device) {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  expect(count == 2, "two devices");
  OK(hipSetDevice(1));
  float* y = on_device<float>(std::vector<float>(N, 1.f));
  OK(hipSetDevice(0));
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  if (!wrong) {
    OK(hipDeviceEnablePeerAccess(1, 0));
  }
  launch(K("square"), 4, 256, nullptr, (const float*)y, x, N);
  std::vector<float> h(N);
  (void)hipMemcpy(h.data(), x, N * 4, hipMemcpyDeviceToHost);
}

SCENARIO(big_shared) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* y = on_device<float>(4);
  const float* cx = x;
  void* a[] = {&cx, &y};
  (void)hipModuleLaunchKernel(K("sum_of_block"), 4, 1, 1, 256, 1, 1, wrong ? 1 << 20 : 1024,
                              nullptr, a, nullptr);
  to_host(x, N);
}

SCENARIO(unwritten) {
  float* x = on_device<float>(N);
  float* y = on_device<float>(N);
  if (!wrong) OK(hipMemset(x, 0, N * 4));
  launch(K("square"), 4, 256, nullptr, (const float*)x, y, N);
  to_host(y, N);
}

SCENARIO(half_unwritten) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* y = on_device<float>(N);
  float* o = on_device<float>(1);
  if (!wrong) OK(hipMemset(y, 0, N * 4));
  launch(K("write_evens"), 4, 256, nullptr, (const float*)x, y, N);
  launch(K("total"), 1, 1, nullptr, (const float*)y, o, N);
  to_host(o, 1);
}

SCENARIO(copy_onto_itself) {
  float* x = on_device<float>(std::vector<float>(N * 2, 1.f));
  OK(hipMemcpyDtoD(x + (wrong ? 8 : N), x, N * 4));
  to_host(x, N);
}
