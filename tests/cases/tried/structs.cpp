// Pointers inside structs that are passed by value, and what switches them off.
#include "scenarios.h"

struct View {
  float* data;
  int rows;
  int columns;
};

struct Extra {
  float* x;
  float* extra;
  int uses_it;
  int n;
};

static Extra with_extra() {
  float* x = on_device(std::vector<float>(N, 1.f));
  return Extra{x, on_device(std::vector<float>(N, 1.f)), wrong, N};
}

// The pointer was never set: what it holds is an address of nothing.
SCENARIO(wild) {
  float* x = on_device(std::vector<float>(N, 1.f));
  View view{wrong ? (float*)0xdeadbeef0000 : x, 4, N / 4};
  launch(K("scale_view"), 4, 256, nullptr, view, 2.f);
  OK(hipDeviceSynchronize());
  to_host(x, N);
}

// A buffer of the struct is freed before a graph runs again.
SCENARIO(freed_in_graph) {
  float* x = on_device(std::vector<float>(N, 1.f));
  View view{x, 4, N / 4};
  hipStream_t s = new_stream();
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  launch(K("scale_view"), 4, 256, s, view, 2.f);
  hipGraph_t graph;
  OK(hipStreamEndCapture(s, &graph));
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  if (wrong) OK(hipFree(x));
  OK(hipGraphLaunch(exec, s));
  OK(hipStreamSynchronize(s));
  to_host(x, N);
}

// Whether a buffer is used that another stream writes, the struct says.
SCENARIO(switched_race) {
  Extra given = with_extra();
  hipStream_t s = new_stream(), t = new_stream();
  OK(hipMemsetAsync(given.extra, 0, N * 4, s));
  launch(K("add_extra"), 4, 256, t, given);
  OK(hipDeviceSynchronize());
  to_host(given.x, N);
}

// Whether a buffer is used that has been freed, the struct says.
SCENARIO(switched_freed) {
  Extra given = with_extra();
  OK(hipFree(given.extra));
  launch(K("add_extra"), 4, 256, nullptr, given);
  OK(hipDeviceSynchronize());
  to_host(given.x, N);
}

// Whether memory of a pool is used that has been given back, a mask says.
SCENARIO(masked_pool) {
  float* y = on_device<float>(N);
  unsigned char* mask = on_device(std::vector<unsigned char>(N, wrong));
  hipStream_t s = new_stream();
  float* x = nullptr;
  OK(hipMallocAsync((void**)&x, N * 4, s));
  OK(hipMemsetAsync(x, 0, N * 4, s));
  OK(hipFreeAsync(x, s));
  launch(K("told_by_mask"), 4, 256, s, (const unsigned char*)mask, (const float*)x, y, N);
  OK(hipStreamSynchronize(s));
  to_host(y, N);
}
