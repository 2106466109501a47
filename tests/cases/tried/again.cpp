// Twins that try to break the rules: caches, arenas, pools, graphs, threads, polling.
#include "scenarios.h"

// Two sequences append to one cache; their slots are apart, or one has wrapped into the other's.
SCENARIO(cache_wraps) {
  const int width = 64, slots = 8;
  float* cache = on_device(std::vector<float>(slots * width, 0.f));
  float* k = on_device(std::vector<float>(width, 1.f));
  hipStream_t a = new_stream(), b = new_stream();
  for (int t = 0; t < 4; ++t) {
    launch(K("kv_append"), 1, 64, a, (const float*)k, cache, t, width);
    launch(K("kv_append"), 1, 64, b, (const float*)k, cache, wrong ? t : 4 + t, width);
  }
  OK(hipDeviceSynchronize());
  to_host(cache, slots * width);
}

// Views of one allocation, used on two streams.
SCENARIO(arena_views) {
  float* arena = on_device(std::vector<float>(2 * N, 0.f));
  hipStream_t a = new_stream(), b = new_stream();
  launch(K("set"), 4, 256, a, arena, 1.f, N);
  launch(K("set"), 4, 256, b, arena + (wrong ? N / 2 : N), 2.f, N);
  OK(hipDeviceSynchronize());
  to_host(arena, 2 * N);
}

// A ring of buffers and their events; the wrong one waits for the event of the next.
SCENARIO(ring_of_events) {
  float* x[2] = {on_device(std::vector<float>(N, 1.f)), on_device(std::vector<float>(N, 1.f))};
  float* y = on_device<float>(N);
  hipEvent_t ready[2] = {new_event(), new_event()};
  hipStream_t a = new_stream(), b = new_stream();
  for (int i = 0; i < 2; ++i) OK(hipEventRecord(ready[i], a));
  hold(kernels, a);
  for (int i = 0; i < 2; ++i) {
    launch(K("set"), 4, 256, a, x[i], 3.f, N);
    OK(hipEventRecord(ready[i], a));
    OK(hipStreamWaitEvent(b, ready[wrong ? 1 - i : i], 0));
    launch(K("square"), 4, 256, b, (const float*)x[i], y, N);
    after(a, b);
  }
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

// The memory of a block comes back from the pool at the same address.
SCENARIO(pool_again) {
  hipStream_t s = new_stream(), t = new_stream();
  float *x = nullptr, *y = nullptr;
  OK(hipMallocAsync((void**)&x, N * 4, s));
  launch(K("set"), 4, 256, s, x, 1.f, N);
  if (!wrong) after(t, s);
  launch(K("scale"), 4, 256, t, x, 2.f, N);
  if (!wrong) after(s, t);
  OK(hipFreeAsync(x, s));
  OK(hipMallocAsync((void**)&y, N * 4, s));
  launch(K("set"), 4, 256, s, y, 4.f, N);
  OK(hipStreamSynchronize(s));
  to_host(y, N);
  OK(hipDeviceSynchronize());
}

// One thread gives work, another waits for it and takes the result.
SCENARIO(handed_to_thread) {
  float* x = on_device(std::vector<float>(N, 0.f));
  hipStream_t s = new_stream(), t = new_stream();
  hold(kernels, s);
  launch(K("set"), 4, 256, s, x, 3.f, N);
  std::thread([&] {
    if (!wrong) OK(hipStreamSynchronize(s));
    float seen = 0;
    OK(hipMemcpyAsync(&seen, x, 4, hipMemcpyDeviceToHost, t));
    OK(hipStreamSynchronize(t));
    expect_seen(wrong, seen);
  }).join();
  OK(hipDeviceSynchronize());
}

// Blocking streams wait for the default stream, non-blocking ones do not.
SCENARIO(default_stream_orders) {
  float* x = on_device(std::vector<float>(N, 0.f));
  hipStream_t s = new_stream(wrong ? hipStreamNonBlocking : hipStreamDefault);
  hold(kernels, s);
  launch(K("set"), 4, 256, s, x, 3.f, N);
  float seen = 0;
  OK(hipMemcpyAsync(&seen, x, 4, hipMemcpyDeviceToHost, nullptr));
  OK(hipStreamSynchronize(nullptr));
  expect_seen(wrong, seen);
  OK(hipDeviceSynchronize());
}

// Asked until it is done, or once.
SCENARIO(asked_until_done) {
  float* x = on_device(std::vector<float>(N, 0.f));
  hipStream_t s = new_stream(), t = new_stream();
  hipEvent_t ready = new_event();
  hold(kernels, s);
  launch(K("set"), 4, 256, s, x, 3.f, N);
  OK(hipEventRecord(ready, s));
  while (hipEventQuery(ready) == hipErrorNotReady && !wrong) std::this_thread::yield();
  float seen = 0;
  OK(hipMemcpyAsync(&seen, x, 4, hipMemcpyDeviceToHost, t));
  OK(hipStreamSynchronize(t));
  expect_seen(wrong, seen);
  OK(hipDeviceSynchronize());
}

// What is copied out is changed in place behind the copy, or beside it.
SCENARIO(changed_in_place) {
  float* x = on_device(std::vector<float>(N, 1.f));
  float* h = pinned<float>(N);
  hipStream_t s = new_stream(), t = new_stream();
  OK(hipMemcpyAsync(h, x, N * 4, hipMemcpyDeviceToHost, s));
  launch(K("scale"), 4, 256, wrong ? t : s, x, 2.f, N);
  OK(hipDeviceSynchronize());
}

// A table of pointers is told of a buffer that grew, or not.
SCENARIO(table_of_old_pointers) {
  float* x = on_device(std::vector<float>(N, 1.f));
  float** table = on_device<float*>(1);
  OK(hipMemcpy(table, &x, sizeof x, hipMemcpyHostToDevice));
  OK(hipFree(x));
  float* grown = on_device(std::vector<float>(64 * N, 1.f));
  if (!wrong) OK(hipMemcpy(table, &grown, sizeof grown, hipMemcpyHostToDevice));
  launch(K("fill_through_table"), 4, 256, nullptr, (float* const*)table, 0, 2.f, N);
  OK(hipDeviceSynchronize());
  to_host(grown, N);
}

// Rows of a rectangle: the last one goes to the end of the buffer, or past it.
SCENARIO(last_row) {
  float* x = on_device(std::vector<float>(8 * 64, 1.f));
  std::vector<float> h(8 * 64);
  OK(hipMemcpy2D(h.data(), 256, x + 4, 256, wrong ? 256 : 240, 8, hipMemcpyDeviceToHost));
}

// Two branches of a graph set halves of a buffer, or meet.
SCENARIO(graph_of_memsets) {
  float* x = on_device(std::vector<float>(N, 1.f));
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  for (int i = 0; i < 2; ++i) {
    hipMemsetParams set{};
    set.dst = x + (i == 0 || wrong ? 0 : N / 2);
    set.elementSize = 4;
    set.value = 1;
    set.width = N / 2;
    set.height = 1;
    hipGraphNode_t node;
    OK(hipGraphAddMemsetNode(&node, graph, nullptr, 0, &set));
  }
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(exec, nullptr));
  OK(hipDeviceSynchronize());
  to_host(x, N);
}

// The program ends while a kernel that leaves its buffer has not run yet.
SCENARIO(ends_before_the_kernel) {
  float* x = on_device(std::vector<float>(N, 1.f));
  to_host(x, N);
  hipStream_t s = new_stream();
  hold(kernels, s);
  launch(K("by_offsets"), 1, 1, s, x, (const int*)on_device(std::vector<int>{wrong ? 1 << 28 : 1}),
         1);
  std::puts("STATUS=OK");
  std::fflush(stdout);
  std::_Exit(0);
}

// The same with an ordinary end: who leaves main waits for the device.
SCENARIO(leaves_before_the_kernel) {
  float* x = on_device(std::vector<float>(N, 1.f));
  to_host(x, N);
  hipStream_t s = new_stream();
  hold(kernels, s);
  launch(K("by_offsets"), 1, 1, s, x, (const int*)on_device(std::vector<int>{wrong ? 1 << 28 : 1}),
         1);
}
