// Matrix multiply: D = A x B + C, the matrices spread over the lanes of the wave. The shapes of one
// block, which programs use most; matrix_any.cpp has all of them.
#include "isa/matrix_elements.h"

namespace greta::isa::GRETA_LANES {
namespace {

// One block: Size x Size results of K products. A lane holds K * Size / 64 elements of A and of B:
// row (column) lane % Size, and k from lane / Size * per_lane on. Its results are Size * Size / 64:
// column lane % Size, rows in groups of four, 4 * (lane / Size) + 8 (of 32) or 16 (of 16) apart.
template <int Size, int K, class A, class B, class Sum>
struct Product {
  static constexpr int groups = kLanes / Size, per_lane = K / groups;
  static constexpr int words = per_lane * A::bits / 32;

  static void run(Wave& w, const Step& s) {
    const Instruction& i = s.instruction;
    if ((i.cbsz | i.abid | i.blgp) != 0) return any_product(w, s);
    Row space[2][4];
    const u32* rows[2][4];
    for (int n = 0; n < 2; ++n) wide_rows(w, s.source[n], space[n], rows[n]);
    alignas(64) typename A::type a[K][Size];  // transposed: a column of A together
    alignas(64) typename B::type b[K][Size];
    spread<A>(rows[0], a);
    spread<B>(rows[1], b);
    alignas(64) Sum out[Size][Size];
    for (int i = 0; i < Size; ++i) addends(w, s.source[2], i, out[i]);
    for (int i = 0; i < Size; i += kTogether) multiply_rows(a, b, i, &out[i]);
    for (int i = 0; i < Size; ++i) {
      __builtin_memcpy(&w.v[s.vdst + result_of(i)][lane_of(i)], out[i], sizeof out[i]);
    }
  }

  // Several rows of results at once, held in registers; k in order, one addition after the other.
  static constexpr int kTogether = 64 / Size, kVectors = Size / 8;
  typedef Sum Eight __attribute__((vector_size(32)));
  static inline void multiply_rows(const typename A::type (*a)[Size],
                                   const typename B::type (*b)[Size], int i, Sum (*out)[Size]) {
    Eight sums[kTogether][kVectors];
    __builtin_memcpy(sums, out, sizeof sums);
    for (int k = 0; k < K; ++k) {
#pragma GCC unroll 4
      for (int r = 0; r < kTogether; ++r) {
        const Eight left = Eight{} + a[k][i + r];
#pragma GCC unroll 4
        for (int j = 0; j < kVectors; ++j) {
          Eight right;
          __builtin_memcpy(&right, &b[k][8 * j], sizeof right);
          sums[r][j] += left * right;
        }
      }
    }
    __builtin_memcpy(out, sums, sizeof sums);
  }

  static void wide_rows(const Wave& w, const Source& source, Row* space, const u32** rows) {
    for (int i = 0; i < words; ++i) {
      if (source.kind == Source::vector) {
        rows[i] = w.v[source.index + i];
      } else {
        broadcast(static_cast<u32>(scalar_source(w, source, 1)), space[i].lane);
        rows[i] = space[i].lane;
      }
    }
  }

  // The elements of a source: k by k, those of all lanes that have it.
  template <class E>
  static void spread(const u32* const* rows, typename E::type (*to)[Size]) {
    for (int k = 0; k < K; ++k) {
      const int first = k / per_lane * Size, e = k % per_lane;
      for (int j = 0; j < Size; ++j) to[k][j] = E::of(element<E>(rows, first + j, e));
    }
  }

  // Where row i of the results lies: Size lanes of one register.
  static constexpr int kStep = Size == 32 ? 8 : 16;
  static int result_of(int i) { return i / kStep * 4 + i % 4; }
  static int lane_of(int i) { return i % kStep / 4 * Size; }

  static void addends(const Wave& w, const Source& source, int i, Sum* to) {
    if (source.kind == Source::vector) {
      __builtin_memcpy(to, &w.v[source.index + result_of(i)][lane_of(i)], sizeof(Sum) * Size);
      return;
    }
    const Sum value = bits_as<Sum>(static_cast<u32>(scalar_source(w, source, 1)));
    for (int j = 0; j < Size; ++j) to[j] = value;
  }
};

}  // namespace

// EXEC does not matter: all lanes take part.
void fill_matrix(Table table) {
  fill_any_matrix(table);
  table.set(Opcode::v_mfma_f32_16x16x16_f16, &Product<16, 16, Half, Half, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x8_f16, &Product<32, 8, Half, Half, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x16_bf16, &Product<16, 16, BFloat, BFloat, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x8_bf16, &Product<32, 8, BFloat, BFloat, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x4_f32, &Product<16, 4, Single, Single, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x2_f32, &Product<32, 2, Single, Single, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x8_xf32, &Product<16, 8, XFloat, XFloat, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x4_xf32, &Product<32, 4, XFloat, XFloat, float>::run);
  table.set(Opcode::v_mfma_i32_16x16x32_i8, &Product<16, 32, Byte, Byte, i32>::run);
  table.set(Opcode::v_mfma_i32_32x32x16_i8, &Product<32, 16, Byte, Byte, i32>::run);
  table.set(Opcode::v_mfma_f32_16x16x32_fp8_fp8, &Product<16, 32, Fp8, Fp8, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x32_fp8_bf8, &Product<16, 32, Fp8, Bf8, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x32_bf8_fp8, &Product<16, 32, Bf8, Fp8, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x32_bf8_bf8, &Product<16, 32, Bf8, Bf8, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x16_fp8_fp8, &Product<32, 16, Fp8, Fp8, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x16_fp8_bf8, &Product<32, 16, Fp8, Bf8, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x16_bf8_fp8, &Product<32, 16, Bf8, Fp8, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x16_bf8_bf8, &Product<32, 16, Bf8, Bf8, float>::run);
}

}  // namespace greta::isa::GRETA_LANES
