// Positions, the cache of keys and values, and attention over it.
#include "common.h"

namespace greta {

// Where a token of this launch stands: its place in the sequence, and the sequence's place in the
// cache.
struct Place {
  int position;
  long sequence;
};

__device__ inline Place place_of(int token, const int* pos, int prefill) {
  if (prefill) return {pos[0] + token, 0};
  return {pos[token], token};
}

// The first value of a head's row in a cache [sequence][kv_head][position][head_dim].
struct CacheShape {
  int kv_heads;
  int head_dim;
  int positions;
  __device__ long at(long sequence, int kv_head, int position) const {
    return ((sequence * kv_heads + kv_head) * positions + position) * head_dim;
  }
};

// Rotates the pairs of one token's heads. The turn of each pair is `ratio` times that of the one
// before, rounded at every step.
__device__ inline void rotate(float* heads, int count, int head_dim, int rope_dims, int position,
                              const float* divisors, float ratio) {
  const int pairs = rope_dims / 2;
  for (int i = threadIdx.x; i < count * pairs; i += kThreads) {
    float* pair = heads + i / pairs * head_dim + i % pairs * 2;
    float turn = static_cast<float>(position);
    for (int step = 0; step < i % pairs; ++step) turn *= ratio;
    const float angle = turn / divisors[i % pairs];
    const float sine = sinf(angle), cosine = cosf(angle);
    const float first = pair[0], second = pair[1];
    pair[0] = first * cosine - second * sine;
    pair[1] = first * sine + second * cosine;
  }
}

__device__ inline void store_heads(const float* heads, HalfBits* cache, const CacheShape& shape,
                                   const Place& place) {
  for (int i = threadIdx.x; i < shape.kv_heads * shape.head_dim; i += kThreads) {
    const long row = shape.at(place.sequence, i / shape.head_dim, place.position);
    cache[row + i % shape.head_dim] = to_half(heads[i]);
  }
}

constexpr int kMostHeadDim = 256;

// Attention of one token and one head, a stretch of kThreads positions at a time: once over the
// keys for the largest score and the sum of all weights (online softmax), then for the weights
// themselves. Queries and weights are rounded to half precision, as keys and values are; so the
// sum must be known before a weight is.
struct HeadAttention {
  const float* query;
  const HalfBits* keys;    // of this sequence and kv head
  const HalfBits* values;  // likewise
  int head_dim;
  int length;  // positions to look at
  float scale;
};

// Sums are formed in so many parts, which are then halved: part i and part i + 32 are added, then
// part i and part i + 16, and so on.
constexpr int kSlots = 64;

__device__ inline float halved_sum(float* parts) {
#pragma unroll
  for (int half = kSlots / 2; half > 0; half /= 2) {
#pragma unroll
    for (int i = 0; i < half; ++i) parts[i] += parts[i + half];
  }
  return parts[0];
}

__device__ inline float score(const HeadAttention& head, int position) {
  const HalfBits* key = head.keys + static_cast<long>(position) * head.head_dim;
  float parts[kSlots] = {};
  for (int first = 0; first < head.head_dim; first += kSlots) {
#pragma unroll
    for (int i = 0; i < kSlots; ++i) {
      if (first + i >= head.head_dim) break;
      parts[i] += from_half(to_half(head.query[first + i])) * from_half(key[first + i]);
    }
  }
  return halved_sum(parts) * head.scale;
}

// The largest score so far, and the sum of all weights relative to it.
struct Softmax {
  float most;
  double total;
};

// Leaves the scores of a stretch in `scores`, for all threads to see.
__device__ inline int score_stretch(const HeadAttention& head, int first, float* scores) {
  const int thread = static_cast<int>(threadIdx.x);
  const int count = head.length - first < kThreads ? head.length - first : kThreads;
  if (thread < count) scores[thread] = score(head, first + thread);
  __syncthreads();
  return count;
}

__device__ inline Softmax softmax_of(const HeadAttention& head, float* scores) {
  Softmax softmax = {-3.402823466e38f, 0};
  for (int first = 0; first < head.length; first += kThreads) {
    const int count = score_stretch(head, first, scores);
    float most = softmax.most;
    for (int i = 0; i < count; ++i) most = fmaxf(most, scores[i]);
    softmax.total *= static_cast<double>(exponential(softmax.most - most));
    for (int i = 0; i < count; ++i)
      softmax.total += static_cast<double>(exponential(scores[i] - most));
    softmax.most = most;
    __syncthreads();
  }
  return softmax;
}

// Leaves the head's output in `result`, for all threads to see: a thread has one of its dimensions.
__device__ inline void attend(const HeadAttention& head, float* result) {
  __shared__ float scores[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  const Softmax softmax = softmax_of(head, scores);
  const float inverse = static_cast<float>(1.0 / softmax.total);
  float parts[kSlots] = {};
  for (int first = 0; first < head.length; first += kThreads) {
    const int count = score_stretch(head, first, scores);
    const float weight = exponential(scores[thread] - softmax.most) * inverse;
    __syncthreads();
    scores[thread] = from_half(to_half(weight));
    __syncthreads();
    const HalfBits* value = head.values + static_cast<long>(first) * head.head_dim + thread;
    for (int i = 0; thread < head.head_dim && i < count; i += kSlots) {
#pragma unroll
      for (int slot = 0; slot < kSlots; ++slot) {
        if (i + slot >= count) break;
        parts[slot] +=
            scores[i + slot] * from_half(value[static_cast<long>(i + slot) * head.head_dim]);
      }
    }
    __syncthreads();
  }
  if (thread < head.head_dim) result[thread] = halved_sum(parts);
  __syncthreads();
}

}  // namespace greta

GRETA_NATIVE_KERNEL(rope_kv, 2)
extern "C" __global__ void rope_kv(float* q, float* k, const float* v, greta::HalfBits* k_cache,
                                   greta::HalfBits* v_cache, const int* pos, const float* divisors,
                                   float ratio, int heads, int kv_heads, int head_dim,
                                   int rope_dims, int cache_positions, int prefill) {
  const int token = static_cast<int>(blockIdx.x);
  const greta::Place place = greta::place_of(token, pos, prefill);
  const greta::CacheShape shape = {kv_heads, head_dim, cache_positions};
  float* key = k + static_cast<long>(token) * kv_heads * head_dim;
  float* query = q + static_cast<long>(token) * heads * head_dim;
  greta::rotate(query, heads, head_dim, rope_dims, place.position, divisors, ratio);
  greta::rotate(key, kv_heads, head_dim, rope_dims, place.position, divisors, ratio);
  __syncthreads();
  greta::store_heads(key, k_cache, shape, place);
  greta::store_heads(v + static_cast<long>(token) * kv_heads * head_dim, v_cache, shape, place);
}

GRETA_NATIVE_KERNEL(attention, 1)
extern "C" __global__ void attention(const float* q, const greta::HalfBits* k_cache,
                                     const greta::HalfBits* v_cache, const int* pos, float* out,
                                     signed char* oq, float* od, float* os, int heads, int kv_heads,
                                     int head_dim, int cache_positions, int m, float scale,
                                     int prefill) {
  __shared__ float result[greta::kMostHeadDim];
  const int tile = prefill ? greta::kPrefillTile : 1;
  const int head = static_cast<int>(blockIdx.y);
  const greta::CacheShape shape = {kv_heads, head_dim, cache_positions};
  const int begin = static_cast<int>(blockIdx.x) * tile;
  for (int token = begin; token < begin + tile && token < m; ++token) {
    const greta::Place place = greta::place_of(token, pos, prefill);
    const int kv_head = static_cast<int>(static_cast<long>(head) * kv_heads / heads);
    const long rows = shape.at(place.sequence, kv_head, 0);
    const long at = (static_cast<long>(token) * heads + head) * head_dim;
    greta::attend({q + at, k_cache + rows, v_cache + rows, head_dim, place.position + 1, scale},
                  result);
    const int thread = static_cast<int>(threadIdx.x);
    if (out && thread < head_dim) out[at + thread] = result[thread];
    if (oq && thread < head_dim / greta::kGroup) {
      const int group = thread * greta::kGroup;
      greta::store_q8(result + group, {oq, od, os}, at + group);
    }
    __syncthreads();
  }
}
