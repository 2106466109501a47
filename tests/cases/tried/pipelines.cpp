// Pipelines of inference engines: tables, layers, stages and scratch memory on several streams.
#include "scenarios.h"

// A page table is refreshed on a stream for copies; the event is recorded behind that, or before.
SCENARIO(page_table) {
  const int pages = N / 64;
  float* cache = on_device(std::vector<float>(N, 1.f));
  float* out = on_device<float>(N);
  int* table = on_device(std::vector<int>(pages, 0));
  int* h = pinned<int>(pages);
  for (int i = 0; i < pages; ++i) h[i] = pages - 1 - i;
  hipStream_t c = new_stream(), s = new_stream();
  hipEvent_t ready = new_event();
  if (wrong) OK(hipEventRecord(ready, c));
  OK(hipMemcpyAsync(table, h, pages * 4, hipMemcpyHostToDevice, c));
  if (!wrong) OK(hipEventRecord(ready, c));
  OK(hipStreamWaitEvent(s, ready, 0));
  launch(K("paged"), 4, 256, s, (const float*)cache, (const int*)table, out, N);
  OK(hipDeviceSynchronize());
  to_host(out, N);
}

// The weights of the next layer come into one of two buffers while this layer computes.
SCENARIO(layers_ahead) {
  float* w[2] = {on_device<float>(N), on_device<float>(N)};
  float* y = on_device<float>(N);
  float* h = pinned<float>(8 * N);
  for (int i = 0; i < 8 * N; ++i) h[i] = 1.f;
  hipStream_t c = new_stream(), s = new_stream();
  hipEvent_t used[2] = {new_event(), new_event()};
  for (int layer = 0; layer < 8; ++layer) {
    float* own = w[layer % 2];
    if (layer >= 2 && !wrong) OK(hipStreamWaitEvent(c, used[layer % 2], 0));
    OK(hipMemcpyAsync(own, h + layer * N, N * 4, hipMemcpyHostToDevice, c));
    after(s, c);
    OK(hipMemcpyAsync(y, own, N * 4, hipMemcpyDeviceToDevice, s));
    OK(hipEventRecord(used[layer % 2], s));
  }
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

// An activation goes from device to device; the first goes on when the second has taken it.
SCENARIO(stages) {
  OK(hipSetDevice(0));
  float* a = on_device<float>(N);
  hipStream_t first = new_stream();
  OK(hipSetDevice(1));
  float* b = on_device<float>(N);
  hipStream_t second = new_stream();
  hipEvent_t taken = new_event();
  for (int token = 0; token < 3; ++token) {
    OK(hipSetDevice(0));
    if (token && !wrong) OK(hipStreamWaitEvent(first, taken, 0));
    OK(hipMemsetAsync(a, token, N * 4, first));
    hipEvent_t ready = new_event();
    OK(hipEventRecord(ready, first));
    OK(hipSetDevice(1));
    OK(hipStreamWaitEvent(second, ready, 0));
    OK(hipMemcpyPeerAsync(b, 1, a, 0, N * 4, second));
    OK(hipEventRecord(taken, second));
  }
  OK(hipStreamSynchronize(first));
  OK(hipStreamSynchronize(second));
  to_host(b, N);
}

// Each of two devices takes the other's sum: it waits for the other's event, or for its own.
SCENARIO(sums_of_two) {
  float *x[2], *taken[2];
  hipStream_t s[2];
  hipEvent_t ready[2];
  for (int d = 0; d < 2; ++d) {
    OK(hipSetDevice(d));
    x[d] = on_device<float>(N);
    taken[d] = on_device<float>(N);
    s[d] = new_stream();
    ready[d] = new_event();
    OK(hipMemsetAsync(x[d], d, N * 4, s[d]));
    OK(hipEventRecord(ready[d], s[d]));
  }
  for (int d = 0; d < 2; ++d) {
    OK(hipSetDevice(d));
    OK(hipStreamWaitEvent(s[d], ready[wrong ? d : 1 - d], 0));
    OK(hipMemcpyPeerAsync(taken[d], d, x[1 - d], 1 - d, N * 4, s[d]));
  }
  for (int d = 0; d < 2; ++d) OK(hipStreamSynchronize(s[d]));
  for (int d = 0; d < 2; ++d) to_host(taken[d], N);
}

// Two requests share scratch memory; that one thread gave its work after the other is no order.
SCENARIO(scratch) {
  float* in = on_device(std::vector<float>(N, 1.f));
  float *shared = on_device<float>(N), *out = on_device<float>(N);
  hipStream_t s[2] = {new_stream(), new_stream()};
  for (int i = 0; i < 2; ++i) {
    std::thread([&] {
      if (i && !wrong) after(s[1], s[0]);
      OK(hipMemcpyAsync(shared, in, N * 4, hipMemcpyDeviceToDevice, s[i]));
      if (i) OK(hipMemcpyAsync(out, shared, N * 4, hipMemcpyDeviceToDevice, s[i]));
    }).join();
  }
  OK(hipDeviceSynchronize());
  to_host(out, N);
}

// It is asked whether the event is over before it is recorded: the answer is about the last round.
SCENARIO(asked_too_early) {
  float* x = on_device<float>(N);
  hipStream_t s = new_stream(), t = new_stream();
  hipEvent_t done = new_event();
  OK(hipMemsetAsync(x, 1, N * 4, s));
  OK(hipEventRecord(done, s));
  OK(hipStreamSynchronize(s));
  hold(kernels, s);
  OK(hipMemsetAsync(x, 2, N * 4, s));
  if (!wrong) OK(hipEventRecord(done, s));
  while (hipEventQuery(done) == hipErrorNotReady) std::this_thread::yield();
  float* h = pinned<float>(N);
  OK(hipMemcpyAsync(h, x, N * 4, hipMemcpyDeviceToHost, t));
  OK(hipDeviceSynchronize());
}

// Draft tokens are written again when they have been verified, or as soon as they are sent.
SCENARIO(drafts) {
  int* drafted = on_device(std::vector<int>(64, 1));
  int *draft = on_device<int>(64), *verified = on_device<int>(64);
  hipStream_t s = new_stream(), t = new_stream();
  for (int round = 0; round < 3; ++round) {
    if (round && !wrong) after(s, t);
    OK(hipMemcpyAsync(draft, drafted, 256, hipMemcpyDeviceToDevice, s));
    after(t, s);
    OK(hipMemcpyAsync(verified, draft, 256, hipMemcpyDeviceToDevice, t));
  }
  OK(hipDeviceSynchronize());
  to_host(verified, 64);
}

// A graph within a graph fills what its neighbour copies.
SCENARIO(graph_in_graph) {
  float *x = on_device(std::vector<float>(N, 0.f)), *y = on_device<float>(N);
  hipGraph_t inner, outer;
  OK(hipGraphCreate(&inner, 0));
  OK(hipGraphCreate(&outer, 0));
  hipMemsetParams fill{};
  fill.dst = x, fill.elementSize = 4, fill.width = N, fill.height = 1;
  hipGraphNode_t filled, within, copied;
  OK(hipGraphAddMemsetNode(&filled, inner, nullptr, 0, &fill));
  OK(hipGraphAddChildGraphNode(&within, outer, nullptr, 0, inner));
  OK(hipGraphAddMemcpyNode1D(&copied, outer, wrong ? nullptr : &within, wrong ? 0 : 1, y, x, N * 4,
                             hipMemcpyDeviceToDevice));
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, outer, nullptr, nullptr, 0));
  OK(hipGraphLaunch(exec, nullptr));
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

// Half of a buffer is never written and loaded; in the other half two kernels race, or do not.
SCENARIO(unwritten_beside) {
  float *x = on_device<float>(2 * N), *y = on_device<float>(N);
  hipStream_t s = new_stream(), t = new_stream();
  launch(K("set"), 4, 256, s, x, 1.f, N);
  OK(hipStreamSynchronize(s));
  launch(K("square"), 4, 256, s, (const float*)x + N, y, N);
  launch(K("scale"), 4, 256, t, x, 2.f, N);
  if (wrong) launch(K("scale"), 4, 256, s, x, 3.f, N);
  OK(hipDeviceSynchronize());
  to_host(y, N);
}

// A staging ring of two: its slot is refilled when the copy of this lap is over, or of the last.
SCENARIO(lap_behind) {
  float *slot[2] = {pinned<float>(N), pinned<float>(N)}, *x = on_device<float>(2 * N);
  hipEvent_t done[4] = {new_event(), new_event(), new_event(), new_event()};
  hipStream_t s = new_stream();
  const int back = wrong ? 4 : 2;
  for (int step = 0; step < 8; ++step) {
    if (step >= back) OK(hipEventSynchronize(done[(step - back) % 4]));
    for (int i = 0; i < N; ++i) slot[step % 2][i] = step;
    if (step == 1) hold(kernels, s);
    OK(hipMemcpyAsync(x + step % 2 * N, slot[step % 2], N * 4, hipMemcpyHostToDevice, s));
    OK(hipEventRecord(done[step % 4], s));
  }
  OK(hipStreamSynchronize(s));
  to_host(x, 2 * N);
}

// Blocks are swapped out and in, 12,000 calls, each direction behind the other.
SCENARIO(swapped_blocks) {
  const int bytes = 256, blocks = 32;
  char* x = on_device(std::vector<char>(bytes * blocks, 0));
  char* h = pinned<char>(2 * bytes * blocks);
  for (int i = 0; i < 2 * bytes * blocks; ++i) h[i] = 1;
  hipStream_t in = new_stream(), out = new_stream();
  hipEvent_t left = new_event(), back = new_event();
  for (int round = 0; round < 180; ++round) {
    for (int b = 0; b < blocks; ++b) {
      OK(hipMemcpyAsync(h + (blocks + b) * bytes, x + b * bytes, bytes, hipMemcpyDeviceToHost,
                        out));
    }
    OK(hipEventRecord(left, out));
    OK(hipStreamWaitEvent(in, left, 0));
    for (int b = 0; b < blocks; ++b) {
      OK(hipMemcpyAsync(x + b * bytes, h + b * bytes, bytes, hipMemcpyHostToDevice, in));
    }
    OK(hipEventRecord(back, in));
    OK(hipStreamWaitEvent(out, back, 0));
  }
  OK(hipDeviceSynchronize());
}
