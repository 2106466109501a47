// rope_kv and attention.
#pragma once

#include <vector>

#include "kernels/exponential.h"
#include "kernels/quantization.h"
#include "simt/launch_abi.h"

namespace greta::kernels::GRETA_ISA {

// Where a token stands: its place in the sequence, and the sequence's place in the cache.
struct Place {
  int position;
  long sequence;
};

inline Place place_of(int token, const int* pos, int prefill) {
  if (prefill != 0) return {pos[0] + token, 0};
  return {pos[token], token};
}

struct Turn {
  float sine;
  float cosine;
};

constexpr int kMostHeadDim = 256;

inline void rotate(float* heads, int count, int head_dim, const Turn* turns, int pairs) {
  for (int head = 0; head < count; ++head, heads += head_dim) {
    for (int i = 0; i < pairs; ++i) {
      const float first = heads[2 * i], second = heads[2 * i + 1];
      heads[2 * i] = first * turns[i].cosine - second * turns[i].sine;
      heads[2 * i + 1] = first * turns[i].sine + second * turns[i].cosine;
    }
  }
}

// One token's heads into a cache [sequence][kv_head][position][head_dim].
inline void store_heads(const float* heads, uint16_t* cache, const RopeArguments& a,
                        const Place& place) {
  for (int head = 0; head < a.kv_heads; ++head, heads += a.head_dim) {
    const long row = (place.sequence * a.kv_heads + head) * a.cache_positions + place.position;
    uint16_t* to = cache + row * a.head_dim;
    for (int i = 0; i < a.head_dim; i += Vec::kLanes) store_half(to + i, load(heads + i));
  }
}

inline void rope_kv(const greta_simt_block& block, const RopeArguments& a) {
  const int token = static_cast<int>(block.block_index.x);
  const Place place = place_of(token, a.pos, a.prefill);
  Turn turns[kMostHeadDim / 2];
  const int pairs = (a.rope_dims < kMostHeadDim ? a.rope_dims : kMostHeadDim) / 2;
  float turn = static_cast<float>(place.position);
  for (int i = 0; i < pairs; ++i, turn *= a.ratio) {
    const float angle = turn / a.divisors[i];
    turns[i] = {__builtin_sinf(angle), __builtin_cosf(angle)};
  }
  float* key = a.k + static_cast<long>(token) * a.kv_heads * a.head_dim;
  const float* value = a.v + static_cast<long>(token) * a.kv_heads * a.head_dim;
  rotate(a.q + static_cast<long>(token) * a.heads * a.head_dim, a.heads, a.head_dim, turns, pairs);
  rotate(key, a.kv_heads, a.head_dim, turns, pairs);
  store_heads(key, a.k_cache, a, place);
  store_heads(value, a.v_cache, a, place);
}

// One head of one token.
struct Head {
  const float* query;
  const uint16_t* keys;    // of this sequence and kv head
  const uint16_t* values;  // likewise
  int head_dim;
  int length;  // positions to look at
  float scale;
};

// Sums are formed in kSlots parts, one after the other, and then halved: part i and part i + 32 are
// added, then part i and part i + 16, and so on. So they do not depend on the instruction set.
constexpr int kSlots = 64;

inline float score(const Head& head, const Vec* query, int vecs, int position) {
  constexpr int kParts = kSlots / Vec::kLanes;
  const uint16_t* key = head.keys + static_cast<long>(position) * head.head_dim;
  Vec sums[kParts] = {};
  for (int i = 0; i < vecs; ++i) {
    sums[i % kParts] = multiply_add(query[i], load_half(key + i * Vec::kLanes), sums[i % kParts]);
  }
  for (int half = kParts / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) sums[i] = sums[i] + sums[i + half];
  }
  return sum_of(sums[0]) * head.scale;
}

inline float largest_score(const float* scores, int padded) {
  Vec most = load(scores);
  for (int i = Vec::kLanes; i < padded; i += Vec::kLanes) most = larger(load(scores + i), most);
  return largest_of(most);
}

// Sixteen at a time, and those sums in double precision.
inline double exponentials(float* scores, int padded, float most) {
  constexpr int kAtOnce = 16, kVecs = kAtOnce / Vec::kLanes;
  double total = 0;
  for (int i = 0; i < padded; i += kAtOnce) {
    Vec sum = zero();
    for (int j = 0; j < kVecs; ++j) {
      float* at = scores + i + j * Vec::kLanes;
      const Vec weight = exponential(load(at) - broadcast(most));
      store(at, weight);
      sum = j == 0 ? weight : sum + weight;
    }
    total += static_cast<double>(sum_of(sum));
  }
  return total;
}

// The softmax of scores[0..length), which have room for a multiple of 16; the weights are rounded
// to half precision, as the values are that they are multiplied with.
inline void weigh(float* scores, int length) {
  const int padded = (length + 15) / 16 * 16;
  for (int i = length; i < padded; ++i) scores[i] = -__builtin_inff();
  const double total = exponentials(scores, padded, largest_score(scores, padded));
  const Vec inverse = broadcast(static_cast<float>(1.0 / total));
  for (int i = 0; i < padded; i += Vec::kLanes) {
    store(scores + i, rounded_to_half(load(scores + i) * inverse));
  }
}

// kVecs vectors of the output: values weighted and added up.
template <int kVecs>
inline void mix(const Head& head, const uint16_t* values, const float* weights, Vec* output) {
  Vec parts[kSlots][kVecs];
  int count = head.length < kSlots ? head.length : kSlots;
  for (int j = 0; j < kVecs; ++j) parts[0][j] = zero();
  for (int slot = 0; slot < count; ++slot) {
    Vec sums[kVecs] = {};
    for (int i = slot; i < head.length; i += kSlots) {
      const uint16_t* value = values + static_cast<long>(i) * head.head_dim;
      const Vec weight = broadcast(weights[i]);
      for (int j = 0; j < kVecs; ++j) {
        sums[j] = multiply_add(weight, load_half(value + j * Vec::kLanes), sums[j]);
      }
    }
    for (int j = 0; j < kVecs; ++j) parts[slot][j] = sums[j];
  }
  for (int half = kSlots / 2; half > 0; half /= 2) {
    for (int i = 0; i + half < count; ++i) {
      for (int j = 0; j < kVecs; ++j) parts[i][j] = parts[i][j] + parts[i + half][j];
    }
    count = count < half ? count : half;
  }
  for (int j = 0; j < kVecs; ++j) output[j] = parts[0][j];
}

// Room for the scores of a head, kept from one call to the next. The last key is touched first: a
// position that is nonsense then is an illegal access, before it is a size.
inline float* room_for_scores(const Head& head) {
  static thread_local std::vector<float> room;
  if (head.length > 0) {
    const volatile uint16_t* last = head.keys + (head.length - 1L) * head.head_dim;
    static_cast<void>(*last);
  }
  const auto wanted = static_cast<size_t>(head.length) + 16;
  if (room.size() < wanted) room.resize(2 * wanted);
  return room.data();
}

__attribute__((flatten, noinline)) void attend(const Head& head, const AttentionArguments& a,
                                               long at) {
  // The guard rail lets no larger head pass. If it is off, the rest of the head is nonsense, but
  // this stack is not written over.
  constexpr int kMostVecs = kMostHeadDim / Vec::kLanes;
  const int all = head.head_dim / Vec::kLanes, vecs = all < kMostVecs ? all : kMostVecs;
  Vec query[kMostVecs], output[kMostVecs];
  for (int i = 0; i < vecs; ++i) query[i] = rounded_to_half(load(head.query + i * Vec::kLanes));
  float* scores = room_for_scores(head);
  for (int i = 0; i < head.length; ++i) scores[i] = score(head, query, vecs, i);
  weigh(scores, head.length);
  int done = 0;
  for (; done + 4 <= vecs; done += 4) {
    mix<4>(head, head.values + done * Vec::kLanes, scores, output + done);
  }
  for (; done < vecs; ++done) {
    mix<1>(head, head.values + done * Vec::kLanes, scores, output + done);
  }
  for (int i = 0; i < vecs; i += kGroupVecs) {
    store_group(output + i, a.out, a.quantized, at + i * Vec::kLanes);
  }
}

inline void attention(const greta_simt_block& block, const AttentionArguments& a) {
  constexpr int kPrefillTile = 8;
  const int tile = a.prefill != 0 ? kPrefillTile : 1;
  const int head = static_cast<int>(block.block_index.y);
  const int begin = static_cast<int>(block.block_index.x) * tile;
  for (int token = begin; token < begin + tile && token < a.m; ++token) {
    const Place place = place_of(token, a.pos, a.prefill);
    const long kv_head = static_cast<long>(head) * a.kv_heads / a.heads;
    const long rows = (place.sequence * a.kv_heads + kv_head) * a.cache_positions * a.head_dim;
    const long at = (static_cast<long>(token) * a.heads + head) * a.head_dim;
    const int length = place.position < 0 ? 0 : place.position + 1;
    attend({a.q + at, a.k_cache + rows, a.v_cache + rows, a.head_dim, length, a.scale}, a, at);
  }
}

}  // namespace greta::kernels::GRETA_ISA
