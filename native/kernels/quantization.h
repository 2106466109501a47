// Activations in groups of 32 bytes with a scale: q8 and q8_k of the kernels' README.
#pragma once

#include "kernels/arguments.h"

namespace greta::kernels::GRETA_ISA {

constexpr int kGroup = 32;
constexpr int kGroupVecs = kGroup / Vec::kLanes;
constexpr int kSuperGroup = 8;  // groups that share a scale in q8_k

struct GroupScale {
  float d;
  float inverse;  // zero: all codes are zero
};

inline float rounded_to_half(float value) {
  float lanes[Vec::kLanes];
  store(lanes, rounded_to_half(broadcast(value)));
  return lanes[0];
}

inline GroupScale scale_of(float magnitude) {
  if (magnitude < 1e-30f) return {0, 0};
  const bool is_number = magnitude <= 3.402823466e38f;
  return {magnitude / 127.0f, is_number ? 127.0f / magnitude : 0.0f};
}

// Stores the codes of a group; returns their sum.
inline int store_codes(const Vec* values, float inverse, int8_t* q) {
  int sum = 0;
  for (int i = 0; i < kGroupVecs; ++i) {
    const Vec scaled = inverse == 0 ? zero() : values[i] * broadcast(inverse);
    sum += store_bytes(q + i * Vec::kLanes, scaled);
  }
  return sum;
}

// Quantizes the group that begins at `index`, a multiple of kGroup.
inline void store_q8(const Vec* values, const Q8Output& out, long index) {
  const GroupScale scale = scale_of(largest_magnitude(values, kGroupVecs));
  const int sum = store_codes(values, scale.inverse, out.q + index);
  out.d[index / kGroup] = rounded_to_half(scale.d);
  out.s[index / kGroup] = rounded_to_half(scale.d * static_cast<float>(sum));
}

// Quantizes the eight groups that begin at `index`, with one scale that is not rounded.
inline void store_q8_k(const Vec* values, const Q8Output& out, long index) {
  const GroupScale scale = scale_of(largest_magnitude(values, kSuperGroup * kGroupVecs));
  const float d = scale.inverse == 0 ? scale.d : 1.0f / scale.inverse;
  for (int group = 0; group < kSuperGroup; ++group) {
    const long at = index + group * kGroup;
    const int sum = store_codes(values + group * kGroupVecs, scale.inverse, out.q + at);
    out.d[at / kGroup] = d;
    out.s[at / kGroup] = d * static_cast<float>(sum);
  }
}

// Stores a group in the forms that are wanted.
inline void store_group(const Vec* values, float* out, const Q8Output& quantized, long index) {
  if (out != nullptr) {
    for (int i = 0; i < kGroupVecs; ++i) store(out + index + i * Vec::kLanes, values[i]);
  }
  if (quantized.q != nullptr) store_q8(values, quantized, index);
}

}  // namespace greta::kernels::GRETA_ISA
