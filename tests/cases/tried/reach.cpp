// Kernels of whose bytes the arguments tell too little.
#include "scenarios.h"

static void two(const char* first, const char* second, float* memory) {
  hipStream_t a = new_stream(), b = new_stream();
  launch(K(first), 4, 256, a, memory, 1.f, N);
  launch(K(second), 4, 256, b, memory, 2.f, N);
  OK(hipDeviceSynchronize());
}

SCENARIO(upper_half) {
  float* x = on_device<float>(2 * N);
  two("lower", wrong ? "lower" : "upper", x);
  to_host(x, 2 * N);
}

SCENARIO(even_odd) {
  float* x = on_device<float>(2 * N);
  two("evens", wrong ? "evens" : "odds", x);
  to_host(x, 2 * N);
}

SCENARIO(global_offset) {
  hipDeviceptr_t sym;
  size_t bytes;
  OK(hipModuleGetGlobal(&sym, &bytes, kernels, "offset_of_device"));
  int off = wrong ? N / 2 : N;
  OK(hipMemcpy(sym, &off, 4, hipMemcpyHostToDevice));
  float* x = on_device<float>(2 * N);
  two("lower", "from_global", x);
  to_host(x, 2 * N);
}

SCENARIO(edges_and_inside) {
  float* x = on_device<float>(N);
  two("inside", wrong ? "inside" : "edges", x);
  if (wrong) launch(K("edges"), 4, 256, nullptr, x, 1.f, N);
  to_host(x, N);
}

// one pointer for both, to the middle
SCENARIO(from_the_middle) {
  float* x = on_device<float>(2 * N);
  two("downwards", wrong ? "downwards" : "lower", x + N);
  to_host(x, N);
}

SCENARIO(told_by_memory) {
  int* on = on_device(std::vector<int>{wrong ? 1 : 0});
  float* x = on_device<float>(N);
  float* out = on_device<float>(N);
  hipStream_t a = new_stream(), b = new_stream();
  launch(K("lower"), 4, 256, a, x, 1.f, N);
  launch(K("told"), 4, 256, b, (const int*)on, (const float*)x, out, N);
  OK(hipDeviceSynchronize());
  to_host(out, N);
}

template <typename Switch>
static void told_by(const char* name, Switch by) {
  float* x = on_device<float>(N);
  float* out = on_device<float>(N);
  hipStream_t a = new_stream(), b = new_stream();
  launch(K("lower"), 4, 256, a, x, 1.f, N);
  launch(K(name), 4, 256, b, by, (const float*)x, out, N);
  OK(hipDeviceSynchronize());
  to_host(out, N);
}

SCENARIO(told_by_struct) {
  struct {
    float factor;
    int takes_it;
  } options{2.f, wrong ? 1 : 0};
  told_by("told_by_struct", options);
}

SCENARIO(told_by_shorts) {
  const short* lengths = on_device(std::vector<short>{short(wrong ? N : 0), 0});
  told_by("told_by_shorts", lengths);
}

SCENARIO(told_by_mask) {
  const unsigned char* mask = on_device(std::vector<unsigned char>(N, wrong ? 1 : 0));
  told_by("told_by_mask", mask);
}

SCENARIO(ends_only) {
  float* x = on_device<float>(std::vector<float>(N, 0.f));
  two("first_only", wrong ? "lower" : "last_only", x);
  to_host(x, N);
}

SCENARIO(read_other_end) {
  float* x = on_device<float>(std::vector<float>(N, 0.f));
  float* o = on_device<float>(1);
  hipStream_t a = new_stream(), b = new_stream();
  launch(K("first_only"), 1, 1, a, x, 1.f, N);
  launch(K(wrong ? "read_first" : "read_last"), 1, 1, b, (const float*)x, o, N);
  OK(hipDeviceSynchronize());
  to_host(o, 1);
}

SCENARIO(flag_nonconst) {
  float* x = on_device<float>(std::vector<float>(N, 0.f));
  int* on = on_device(std::vector<int>{1});
  int* off = on_device(std::vector<int>{wrong ? 1 : 0});
  hipStream_t a = new_stream(), b = new_stream();
  launch(K("maybe_set"), 4, 256, a, x, on, 1.f, N);
  launch(K("maybe_set"), 4, 256, b, x, off, 2.f, N);
  OK(hipDeviceSynchronize());
  to_host(x, N);
}

SCENARIO(adjacent_blocks) {
  float* x = on_device<float>(std::vector<float>(4 * N, 1.f));
  float* o = on_device<float>(64);
  hipStream_t s[2];
  for (auto& one : s) one = new_stream();
  for (int i = 0; i < 4; ++i)
    launch(K("per_block"), 4, 256, s[i % 2], (const float*)(x + i * N),
           o + (wrong && i == 1 ? 2 : 4 * i));
  OK(hipDeviceSynchronize());
  to_host(o, 16);
}

SCENARIO(adjacent_results) {
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  float* o = on_device<float>(64);
  hipStream_t s[4];
  for (auto& one : s) one = new_stream();
  for (int i = 0; i < 16; ++i)
    launch(K("total"), 1, 1, s[i % 4], (const float*)x, o + (wrong && i == 6 ? 5 : i), N);
  OK(hipDeviceSynchronize());
  to_host(o, 16);
}

SCENARIO(grid_strided) {
  float* x = on_device<float>(4 * N);
  hipStream_t a = new_stream(), b = new_stream();
  launch(K("grid_stride"), 1, 64, a, x, 1.f, 2 * N);
  launch(K("grid_stride"), 1, 64, b, x + (wrong ? N : 2 * N), 2.f, 2 * N);
  OK(hipDeviceSynchronize());
  to_host(x, 4 * N);
}

SCENARIO(symbol_race) {
  hipDeviceptr_t sym;
  size_t bytes;
  OK(hipModuleGetGlobal(&sym, &bytes, kernels, "factor_of_device"));
  float* x = on_device<float>(std::vector<float>(N, 1.f));
  hipStream_t a = new_stream(), b = new_stream();
  float* f = pinned<float>(1);
  *f = 3.f;
  launch(K("use_factor"), 4, 256, a, x, N);
  if (!wrong) after(b, a);
  OK(hipMemcpyAsync(sym, f, 4, hipMemcpyHostToDevice, b));
  OK(hipDeviceSynchronize());
  to_host(x, N);
}

SCENARIO(graph_branches_slots) {
  float* x = on_device<float>(2 * N);
  hipStream_t a = new_stream(), b = new_stream();
  hipGraph_t g;
  hipGraphExec_t ge;
  hipEvent_t f = new_event(), j = new_event();
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  OK(hipEventRecord(f, a));
  OK(hipStreamWaitEvent(b, f, 0));
  launch(K("write_at"), 4, 256, a, x, 0, 1.f, N);
  launch(K("write_at"), 4, 256, b, x, wrong ? N / 2 : N, 2.f, N);
  OK(hipEventRecord(j, b));
  OK(hipStreamWaitEvent(a, j, 0));
  OK(hipStreamEndCapture(a, &g));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  OK(hipGraphLaunch(ge, a));
  OK(hipStreamSynchronize(a));
  to_host(x, 2 * N);
}

SCENARIO(graph_two_halves) {
  float* x = on_device<float>(2 * N);
  float* out = on_device<float>(N);
  hipStream_t a = new_stream(), b = new_stream();
  hipGraph_t g;
  hipGraphExec_t ge;
  hipEvent_t f = new_event(), j = new_event();
  OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  OK(hipEventRecord(f, a));
  OK(hipStreamWaitEvent(b, f, 0));
  launch(K("write_half"), 4, 256, a, x, 0, 1.f, N);
  launch(K("shifted"), 4, 256, b, (const float*)x, out, wrong ? 0 : N, N);
  OK(hipEventRecord(j, b));
  OK(hipStreamWaitEvent(a, j, 0));
  OK(hipStreamEndCapture(a, &g));
  OK(hipGraphInstantiate(&ge, g, nullptr, nullptr, 0));
  OK(hipMemset(x, 0, 8 * N));
  OK(hipDeviceSynchronize());
  OK(hipGraphLaunch(ge, a));
  OK(hipStreamSynchronize(a));
  to_host(out, N);
}

SCENARIO(reads_not_const) {
  float* w = on_device<float>(std::vector<float>(N, 1.f));
  float* one = on_device<float>(std::vector<float>(N, 1.f));
  float* a = on_device<float>(N);
  float* b = on_device<float>(N);
  hipStream_t s = new_stream(), t = new_stream();
  for (int i = 0; i < 3; ++i) {
    launch(K("weigh"), 4, 256, s, w, (const float*)one, a, N);
    launch(K("weigh"), 4, 256, t, w, (const float*)one, b, N);
  }
  OK(hipDeviceSynchronize());
  to_host(a, N);
  to_host(b, N);
}

SCENARIO(atomic_two) {
  int* c = on_device<int>(std::vector<int>(4, 0));
  hipStream_t s = new_stream(), t = new_stream();
  for (int i = 0; i < 5; ++i) {
    launch(K("bump"), 1, 64, s, c);
    launch(K("bump"), 1, 64, t, c);
  }
  OK(hipDeviceSynchronize());
  to_host(c, 1);
}
