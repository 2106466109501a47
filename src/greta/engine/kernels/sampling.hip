// From logits to the next token, without a way through the host.
#include "common.h"

namespace greta {

struct Candidate {
  float value;
  int index;
};

// The larger; of equals, the one with the lower index. A NaN is larger than nothing.
__device__ inline Candidate better(Candidate a, Candidate b) {
  const bool second = b.value > a.value || (b.value == a.value && b.index < a.index);
  return second ? b : a;
}

}  // namespace greta

GRETA_NATIVE_KERNEL(argmax, 1)
extern "C" __global__ void argmax(const float* logits, int* token, int vocab) {
  __shared__ greta::Candidate candidates[greta::kThreads];
  const float* row = logits + static_cast<long>(blockIdx.x) * vocab;
  greta::Candidate best = {-3.402823466e38f, 0};
  for (int i = threadIdx.x; i < vocab; i += greta::kThreads) {
    if (row[i] > best.value) best = {row[i], i};
  }
  candidates[threadIdx.x] = best;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < greta::kThreads; ++i) best = greta::better(best, candidates[i]);
  token[blockIdx.x] = best.index;
}

GRETA_NATIVE_KERNEL(advance, 1)
extern "C" __global__ void advance(int* pos, int n, int step) {
  for (int i = threadIdx.x; i < n; i += greta::kThreads) pos[i] += step;
}
