// The block layouts of GGUF's weight types: each gives 32 values of a row at a time.
//
// Quantized: value = scale[i / 16] * code[i] + offset. Only q6_k has two scales in 32 values; the
// types without an offset leave it at zero.
#pragma once

#include "common.h"

namespace greta {

struct QuantizedGroup {
  signed char code[kGroup];
  float scale[2];
  float offset;
};

struct FloatGroup {
  float value[kGroup];
};

__device__ inline void set_scales(QuantizedGroup& group, float scale, float offset) {
  group.scale[0] = group.scale[1] = scale;
  group.offset = offset;
}

// Value i is the low half of byte i, value 16 + i its high half.
__device__ inline void split_nibbles(const Byte* bytes, int minus, QuantizedGroup& group) {
  for (int i = 0; i < 16; ++i) {
    group.code[i] = static_cast<signed char>((bytes[i] & 15) - minus);
    group.code[16 + i] = static_cast<signed char>((bytes[i] >> 4) - minus);
  }
}

// The same with a fifth bit each, bit i of four bytes.
__device__ inline void split_five_bits(const Byte* high, const Byte* low, int minus,
                                       QuantizedGroup& group) {
  const unsigned bits = load_16(high) | static_cast<unsigned>(load_16(high + 2)) << 16;
  for (int i = 0; i < 16; ++i) {
    const int first = (low[i] & 15) | static_cast<int>(bits >> i & 1) << 4;
    const int second = (low[i] >> 4) | static_cast<int>(bits >> (i + 16) & 1) << 4;
    group.code[i] = static_cast<signed char>(first - minus);
    group.code[16 + i] = static_cast<signed char>(second - minus);
  }
}

// d f16, codes i8 32
struct q8_0 {
  typedef QuantizedGroup Group;
  static constexpr int kValues = 32, kBytes = 34;
  __device__ static void read(const Byte* block, int, Group& group) {
    set_scales(group, load_half(block), 0);
    for (int i = 0; i < kGroup; ++i) group.code[i] = static_cast<signed char>(block[2 + i]);
  }
};

// d f16, nibbles 16
struct q4_0 {
  typedef QuantizedGroup Group;
  static constexpr int kValues = 32, kBytes = 18;
  __device__ static void read(const Byte* block, int, Group& group) {
    set_scales(group, load_half(block), 0);
    split_nibbles(block + 2, 8, group);
  }
};

// d f16, minimum f16, nibbles 16
struct q4_1 {
  typedef QuantizedGroup Group;
  static constexpr int kValues = 32, kBytes = 20;
  __device__ static void read(const Byte* block, int, Group& group) {
    set_scales(group, load_half(block), load_half(block + 2));
    split_nibbles(block + 4, 0, group);
  }
};

// d f16, fifth bits 4, nibbles 16
struct q5_0 {
  typedef QuantizedGroup Group;
  static constexpr int kValues = 32, kBytes = 22;
  __device__ static void read(const Byte* block, int, Group& group) {
    set_scales(group, load_half(block), 0);
    split_five_bits(block + 2, block + 6, 16, group);
  }
};

// d f16, minimum f16, fifth bits 4, nibbles 16
struct q5_1 {
  typedef QuantizedGroup Group;
  static constexpr int kValues = 32, kBytes = 24;
  __device__ static void read(const Byte* block, int, Group& group) {
    set_scales(group, load_half(block), load_half(block + 2));
    split_five_bits(block + 4, block + 8, 0, group);
  }
};

// Scale and minimum j of the 8 in a q4_k or q5_k block: six bits each, packed in twelve bytes.
__device__ inline void set_k_scales(const Byte* block, int j, QuantizedGroup& group) {
  const Byte* packed = block + 4;
  int scale, minimum;
  if (j < 4) {
    scale = packed[j] & 63;
    minimum = packed[j + 4] & 63;
  } else {
    scale = (packed[j + 4] & 15) | (packed[j - 4] >> 6) << 4;
    minimum = (packed[j + 4] >> 4) | (packed[j] >> 6) << 4;
  }
  set_scales(group, load_half(block) * static_cast<float>(scale),
             -load_half(block + 2) * static_cast<float>(minimum));
}

// d f16, dmin f16, scales 12, nibbles 128: groups 2i and 2i + 1 share 32 bytes
struct q4_k {
  typedef QuantizedGroup Group;
  static constexpr int kValues = 256, kBytes = 144;
  __device__ static void read(const Byte* block, int j, Group& group) {
    set_k_scales(block, j, group);
    const Byte* low = block + 16 + j / 2 * 32;
    const int shift = j % 2 * 4;
    for (int i = 0; i < kGroup; ++i) {
      group.code[i] = static_cast<signed char>(low[i] >> shift & 15);
    }
  }
};

// d f16, dmin f16, scales 12, fifth bits 32 (bit j for group j), nibbles 128
struct q5_k {
  typedef QuantizedGroup Group;
  static constexpr int kValues = 256, kBytes = 176;
  __device__ static void read(const Byte* block, int j, Group& group) {
    set_k_scales(block, j, group);
    const Byte* high = block + 16;
    const Byte* low = block + 48 + j / 2 * 32;
    const int shift = j % 2 * 4;
    for (int i = 0; i < kGroup; ++i) {
      const int code = (low[i] >> shift & 15) | (high[i] >> j & 1) << 4;
      group.code[i] = static_cast<signed char>(code);
    }
  }
};

// low nibbles 128, high pairs 64, scales i8 16, d f16. Each half of 128 values: groups 0 and 2
// share 32 bytes of nibbles, 1 and 3 the next, and all four 32 bytes of pairs.
struct q6_k {
  typedef QuantizedGroup Group;
  static constexpr int kValues = 256, kBytes = 210;
  __device__ static void read(const Byte* block, int j, Group& group) {
    const int half = j / 4, quarter = j % 4;
    const Byte* low = block + half * 64 + quarter % 2 * 32;
    const Byte* high = block + 128 + half * 32;
    const signed char* scales = reinterpret_cast<const signed char*>(block + 192) + j * 2;
    const float d = load_half(block + 208);
    group.scale[0] = d * static_cast<float>(scales[0]);
    group.scale[1] = d * static_cast<float>(scales[1]);
    group.offset = 0;
    for (int i = 0; i < kGroup; ++i) {
      const int code = (low[i] >> quarter / 2 * 4 & 15) | (high[i] >> quarter * 2 & 3) << 4;
      group.code[i] = static_cast<signed char>(code - 32);
    }
  }
};

struct f32 {
  typedef FloatGroup Group;
  static constexpr int kValues = 32, kBytes = 128;
  __device__ static void read(const Byte* block, int, Group& group) {
    const float* values = reinterpret_cast<const float*>(block);
    for (int i = 0; i < kGroup; ++i) group.value[i] = values[i];
  }
};

struct f16 {
  typedef FloatGroup Group;
  static constexpr int kValues = 32, kBytes = 64;
  __device__ static void read(const Byte* block, int, Group& group) {
    const HalfBits* values = reinterpret_cast<const HalfBits*>(block);
    for (int i = 0; i < kGroup; ++i) group.value[i] = from_half(values[i]);
  }
};

struct bf16 {
  typedef FloatGroup Group;
  static constexpr int kValues = 32, kBytes = 64;
  __device__ static void read(const Byte* block, int, Group& group) {
    const HalfBits* values = reinterpret_cast<const HalfBits*>(block);
    for (int i = 0; i < kGroup; ++i) {
      group.value[i] = __uint_as_float(static_cast<unsigned>(values[i]) << 16);
    }
  }
};

__device__ inline float value_of(const QuantizedGroup& group, int i) {
  return group.scale[i / 16] * static_cast<float>(group.code[i]) + group.offset;
}
__device__ inline float value_of(const FloatGroup& group, int i) { return group.value[i]; }

// What a row begins at: rows lie one after the other.
template <class W>
__device__ inline const Byte* row_at(const void* weights, long row, int cols) {
  return static_cast<const Byte*>(weights) + row * (cols / W::kValues) * W::kBytes;
}

// Group `index` of a row.
template <class W>
__device__ inline void read_group(const Byte* row, int index, typename W::Group& group) {
  constexpr int kGroups = W::kValues / kGroup;
  W::read(row + static_cast<long>(index / kGroups) * W::kBytes, index % kGroups, group);
}

}  // namespace greta
