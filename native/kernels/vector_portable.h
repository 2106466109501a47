// Vectors of floats in plain C++.
#pragma once

#include "kernels/device_words.h"

namespace greta::kernels::portable {

struct Vec {
  static constexpr int kLanes = 8;
  float lane[kLanes];
};

template <class Operation>
inline Vec each_lane(Operation operation) {
  Vec out;
  for (int i = 0; i < Vec::kLanes; ++i) out.lane[i] = operation(i);
  return out;
}

inline Vec zero() { return Vec{}; }
inline Vec broadcast(float value) {
  return each_lane([&](int) { return value; });
}
inline Vec load(const float* from) {
  return each_lane([&](int i) { return from[i]; });
}
inline Vec load_half(const uint16_t* from) {
  return each_lane([&](int i) { return __half2float({from[i]}); });
}
inline Vec load_bfloat(const uint16_t* from) {
  return each_lane([&](int i) { return __uint_as_float(static_cast<unsigned>(from[i]) << 16); });
}
inline void store(float* to, Vec v) {
  for (int i = 0; i < Vec::kLanes; ++i) to[i] = v.lane[i];
}
inline void store_half(uint16_t* to, Vec v) {
  for (int i = 0; i < Vec::kLanes; ++i) to[i] = __float2half(v.lane[i]).bits;
}

inline Vec operator+(Vec a, Vec b) {
  return each_lane([&](int i) { return a.lane[i] + b.lane[i]; });
}
inline Vec operator-(Vec a, Vec b) {
  return each_lane([&](int i) { return a.lane[i] - b.lane[i]; });
}
inline Vec operator*(Vec a, Vec b) {
  return each_lane([&](int i) { return a.lane[i] * b.lane[i]; });
}
inline Vec operator/(Vec a, Vec b) {
  return each_lane([&](int i) { return a.lane[i] / b.lane[i]; });
}
inline Vec multiply_add(Vec a, Vec b, Vec c) { return a * b + c; }

// The second where the two cannot be compared, as the instructions have it.
inline Vec larger(Vec a, Vec b) {
  return each_lane([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline Vec smaller(Vec a, Vec b) {
  return each_lane([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}

// To the nearest whole number, for magnitudes below 2^22: beyond 1.5 * 2^23 there are no others.
inline Vec rounded(Vec v) {
  return each_lane([&](int i) {
    volatile float shifted = v.lane[i] + 0x1.8p23f;
    return shifted - 0x1.8p23f;
  });
}

inline float power_of_two(int exponent) {
  return __uint_as_float(static_cast<unsigned>(exponent + 127) << 23);
}

// v times two to the power of a whole number up to 250; in two steps, as the power alone may be too
// large for a float. Where the power is a NaN, v is one as well.
inline Vec scaled_by_power(Vec v, Vec power) {
  return each_lane([&](int i) {
    const int exponent = power.lane[i] == power.lane[i] ? static_cast<int>(power.lane[i]) : 0;
    const int half = exponent / 2;
    return v.lane[i] * power_of_two(half) * power_of_two(exponent - half);
  });
}

// The largest magnitude, by its bits: NaN is above all numbers.
inline float largest_magnitude(const Vec* v, int count) {
  unsigned most = 0;
  for (int i = 0; i < count * Vec::kLanes; ++i) {
    const unsigned bits = __float_as_uint(v[i / Vec::kLanes].lane[i % Vec::kLanes]) & 0x7fffffffu;
    most = bits > most ? bits : most;
  }
  return __uint_as_float(most);
}

// Rounds and stores as bytes; returns the sum of what was stored.
inline int store_bytes(int8_t* to, Vec v) {
  const Vec whole = rounded(v);
  int sum = 0;
  for (int i = 0; i < Vec::kLanes; ++i) {
    to[i] = static_cast<int8_t>(whole.lane[i]);
    sum += to[i];
  }
  return sum;
}

inline Vec rounded_to_half(Vec v) {
  return each_lane([&](int i) { return __half2float(__float2half(v.lane[i])); });
}

// Halves are added up, as the instructions have it.
inline float sum_of(Vec v) {
  for (int half = Vec::kLanes / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) v.lane[i] += v.lane[i + half];
  }
  return v.lane[0];
}
inline float largest_of(Vec v) {
  float most = v.lane[0];
  for (int i = 1; i < Vec::kLanes; ++i) most = most > v.lane[i] ? most : v.lane[i];
  return most;
}

}  // namespace greta::kernels::portable
