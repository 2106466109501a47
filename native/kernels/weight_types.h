// The sizes of GGUF's blocks. How their bits lie is drawn in src/greta/engine/kernels/blocks.h.
#pragma once

namespace greta::kernels::GRETA_ISA {

// value = scale * (code - kBias), or scale * code + offset.
template <int kValues_, int kBytes_, int kBias_, bool kHasOffset_>
struct QuantizedType {
  static constexpr int kValues = kValues_, kBytes = kBytes_, kBias = kBias_;
  static constexpr bool kHasOffset = kHasOffset_, kIsQuantized = true;
};

struct q8_0 : QuantizedType<32, 34, 128, false> {};
struct q4_0 : QuantizedType<32, 18, 8, false> {};
struct q4_1 : QuantizedType<32, 20, 0, true> {};
struct q5_0 : QuantizedType<32, 22, 16, false> {};
struct q5_1 : QuantizedType<32, 24, 0, true> {};
struct q4_k : QuantizedType<256, 144, 0, true> {};
struct q5_k : QuantizedType<256, 176, 0, true> {};
struct q6_k : QuantizedType<256, 210, 32, false> {};

template <int kBytes_>
struct FloatType {
  static constexpr int kValues = 32, kBytes = kBytes_;
  static constexpr bool kIsQuantized = false;
};

struct f32 : FloatType<128> {
  static Vec at(const uint8_t* block, int i) {
    return load(reinterpret_cast<const float*>(block) + i);
  }
};
struct f16 : FloatType<64> {
  static Vec at(const uint8_t* block, int i) {
    return load_half(reinterpret_cast<const uint16_t*>(block) + i);
  }
};
struct bf16 : FloatType<64> {
  static Vec at(const uint8_t* block, int i) {
    return load_bfloat(reinterpret_cast<const uint16_t*>(block) + i);
  }
};

// The block that holds group `group` of a row.
template <class W>
inline const uint8_t* block_of(const uint8_t* row, int group) {
  return row + static_cast<long>(group / (W::kValues / 32)) * W::kBytes;
}

template <class W>
inline long row_bytes(int cols) {
  return static_cast<long>(cols / W::kValues) * W::kBytes;
}

}  // namespace greta::kernels::GRETA_ISA
