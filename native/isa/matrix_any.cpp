// Matrix multiply element by element: several blocks, f64, sparse ones, and the modifiers.
#include "isa/matrix_elements.h"

namespace greta::isa::GRETA_LANES {
namespace {

// Where elements lie. A lane holds `per_lane` of A and of B, k by k; blocks follow each other
// within a k.
template <int Size, int K, int Blocks>
struct Layout {
  static constexpr int per_lane = K * Size * Blocks / kLanes;
  static int lane(int i, int k, int block) { return i + Size * (block + Blocks * (k / per_lane)); }
};

// Results of one word: rows in groups of four, the groups spread over the lanes, then registers.
template <int Size, int Blocks>
struct WordResults {
  static constexpr int step = Size == 4 ? 4 : 4 * kLanes / Size;
  static int lane(int i, int j, int block) {
    return Size == 4 ? j + 4 * block : j + Size * (i % step / 4);
  }
  static int row(int i, int block) {
    return i % 4 + 4 * (i / step) + (Size == 4 ? 0 : block * Size * Size / kLanes);
  }
};

// Results of two words: row by row.
template <int Size, int Blocks>
struct WideResults {
  static int lane(int i, int j, int block) { return j + Size * (block + Blocks * (i % 4)); }
  static int row(int i, int) { return 2 * (i / 4); }
};

template <int Size, int Blocks, bool Wide>
struct Results {
  using type = WordResults<Size, Blocks>;
};
template <int Size, int Blocks>
struct Results<Size, Blocks, true> {
  using type = WideResults<Size, Blocks>;
};

u32 word_of(const Wave& w, const Source& source, int row, int lane, bool wide) {
  if (source.kind == Source::vector) return w.v[source.index + row][lane];
  return static_cast<u32>(scalar_source(w, source, wide ? 2 : 1) >> (wide && row % 2 ? 32 : 0));
}

template <class E>
typename E::type element_of(const Wave& w, const Source& source, int lane, int item) {
  if constexpr (E::bits == 64) {
    const u64 high = word_of(w, source, 2 * item + 1, lane, true);
    return E::of(word_of(w, source, 2 * item, lane, true) | high << 32);
  } else {
    constexpr int in_word = 32 / E::bits;
    const u32 word = word_of(w, source, item / in_word, lane, false);
    return E::of(E::bits == 32
                     ? word
                     : word >> (item % in_word * (E::bits % 32)) & ((u64{1} << E::bits) - 1));
  }
}

// The lanes of B that a lane reads, by BLGP: one half for both, the next quarter, one quarter.
int lane_of_pattern(u32 blgp, int lane) {
  switch (blgp) {
    case 0:
      return lane;
    case 1:
    case 2:
      return lane % 32 + (blgp == 2 ? 32 : 0);
    case 3:
      return (lane + 16) % kLanes;
    default:
      return lane % 16 + 16 * static_cast<int>(blgp - 4);
  }
}

template <class Sum>
Sum multiply_add(Sum a, Sum b, Sum c) {
  if constexpr (sizeof(Sum) == 8) return __builtin_fma(a, b, c);
  return c + a * b;
}

template <int Size, int K, int Blocks, class A, class B, class Sum>
struct AnyProduct {
  using In = Layout<Size, K, Blocks>;
  static constexpr bool wide = sizeof(Sum) == 8;
  using Out = typename Results<Size, Blocks, wide>::type;

  static void run(Wave& w, const Step& s) {
    alignas(64) Sum out[Blocks][Size][Size];
    for (int block = 0; block < Blocks; ++block) multiply(w, s, block, out[block]);
    for (int block = 0; block < Blocks; ++block) {
      for (int i = 0; i < Size; ++i) {
        for (int j = 0; j < Size; ++j) put_result(w, s, i, j, block, out[block][i][j]);
      }
    }
  }

 private:
  static void multiply(const Wave& w, const Step& s, int block, Sum (*out)[Size]) {
    const Instruction& n = s.instruction;
    // CBSZ: of so many blocks of A all take one, which ABID names.
    const int a_block = (block >> n.cbsz << n.cbsz) + n.abid;
    const u32 blgp = wide ? 0 : n.blgp, negate = wide ? n.blgp : 0;
    typename A::type a[Size][K];
    typename B::type b[K][Size];
    for (int k = 0; k < K; ++k) {
      for (int i = 0; i < Size; ++i) {
        const auto x = element_of<A>(w, s.source[0], In::lane(i, k, a_block), k % In::per_lane);
        const int from = lane_of_pattern(blgp, In::lane(i, k, block));
        const auto y = element_of<B>(w, s.source[1], from, k % In::per_lane);
        a[i][k] = negate & 1 ? -x : x;
        b[k][i] = negate & 2 ? -y : y;
      }
    }
    for (int i = 0; i < Size; ++i) {
      for (int j = 0; j < Size; ++j) {
        const Sum c = addend(w, s, i, j, block);
        Sum sum = negate & 4 ? -c : c;
        for (int k = 0; k < K; ++k) sum = multiply_add<Sum>(a[i][k], b[k][j], sum);
        out[i][j] = sum;
      }
    }
  }

  static Sum addend(const Wave& w, const Step& s, int i, int j, int block) {
    const int row = Out::row(i, block), lane = Out::lane(i, j, block);
    const u32 low = word_of(w, s.source[2], row, lane, wide);
    if constexpr (wide) {
      return bits_as<Sum>(low | u64{word_of(w, s.source[2], row + 1, lane, true)} << 32);
    } else {
      return bits_as<Sum>(low);
    }
  }

  static void put_result(Wave& w, const Step& s, int i, int j, int block, Sum value) {
    const int row = s.vdst + Out::row(i, block), lane = Out::lane(i, j, block);
    if constexpr (wide) {
      set_pair(w, row, lane, bits_as<u64>(value));
    } else {
      w.v[row][lane] = bits_as<u32>(value);
    }
  }
  static void set_pair(Wave& w, int row, int lane, u64 bits) {
    w.v[row][lane] = static_cast<u32>(bits);
    w.v[row + 1][lane] = static_cast<u32>(bits >> 32);
  }
};

// Sparse: of four k's A has two, and source 2 says which, two bits for each element of A. A
// register of them serves several instructions: ABID names the part, unless CBSZ asks for the first
// one.
template <int Size, int K, class A, class B, class Sum>
struct SparseProduct {
  static constexpr int groups = kLanes / Size, b_per_lane = K / groups, a_per_lane = b_per_lane / 2;
  using Out = WordResults<Size, 1>;

  static void run(Wave& w, const Step& s) {
    static typename A::type const zero{};
    typename A::type a[Size][K];
    typename B::type b[K][Size];
    for (auto& row : a) {
      for (auto& x : row) x = zero;
    }
    for (int lane = 0; lane < kLanes; ++lane) spread(w, s, lane, a, b);
    for (int i = 0; i < Size; ++i) {
      for (int j = 0; j < Size; ++j) {
        u32& at = w.v[s.vdst + Out::row(i, 0)][Out::lane(i, j, 0)];
        Sum sum = bits_as<Sum>(at);
        for (int k = 0; k < K; ++k) sum += a[i][k] * b[k][j];
        at = bits_as<u32>(sum);
      }
    }
  }

 private:
  static void spread(const Wave& w, const Step& s, int lane, typename A::type (*a)[K],
                     typename B::type (*b)[Size]) {
    const Instruction& n = s.instruction;
    constexpr int parts = 16 / a_per_lane;
    const int part = n.cbsz == 0 ? n.abid % parts : 0;
    const u32 index = word_of(w, s.source[2], 0, lane, false) >> (part * 2 * a_per_lane);
    const int first = lane / Size * b_per_lane, i = lane % Size;
    for (int e = 0; e < a_per_lane; ++e) {
      const int k = first + e / 2 * 4 + static_cast<int>(index >> (2 * e) & 3);
      a[i][k] += element_of<A>(w, s.source[0], lane, e);
    }
    for (int e = 0; e < b_per_lane; ++e) b[first + e][i] = element_of<B>(w, s.source[1], lane, e);
  }
};

template <class A, class B>
void fill_sparse_bytes(Table table, Opcode of_16, Opcode of_32) {
  table.set(of_16, &SparseProduct<16, 64, A, B, float>::run);
  table.set(of_32, &SparseProduct<32, 32, A, B, float>::run);
}

void fill_sparse(Table table) {
  table.set(Opcode::v_smfmac_f32_16x16x32_f16, &SparseProduct<16, 32, Half, Half, float>::run);
  table.set(Opcode::v_smfmac_f32_32x32x16_f16, &SparseProduct<32, 16, Half, Half, float>::run);
  table.set(Opcode::v_smfmac_f32_16x16x32_bf16, &SparseProduct<16, 32, BFloat, BFloat, float>::run);
  table.set(Opcode::v_smfmac_f32_32x32x16_bf16, &SparseProduct<32, 16, BFloat, BFloat, float>::run);
  table.set(Opcode::v_smfmac_i32_16x16x64_i8, &SparseProduct<16, 64, Byte, Byte, i32>::run);
  table.set(Opcode::v_smfmac_i32_32x32x32_i8, &SparseProduct<32, 32, Byte, Byte, i32>::run);
  fill_sparse_bytes<Bf8, Bf8>(table, Opcode::v_smfmac_f32_16x16x64_bf8_bf8,
                              Opcode::v_smfmac_f32_32x32x32_bf8_bf8);
  fill_sparse_bytes<Bf8, Fp8>(table, Opcode::v_smfmac_f32_16x16x64_bf8_fp8,
                              Opcode::v_smfmac_f32_32x32x32_bf8_fp8);
  fill_sparse_bytes<Fp8, Bf8>(table, Opcode::v_smfmac_f32_16x16x64_fp8_bf8,
                              Opcode::v_smfmac_f32_32x32x32_fp8_bf8);
  fill_sparse_bytes<Fp8, Fp8>(table, Opcode::v_smfmac_f32_16x16x64_fp8_fp8,
                              Opcode::v_smfmac_f32_32x32x32_fp8_fp8);
}

}  // namespace

void any_product(Wave& w, const Step& s) {
  switch (s.instruction.opcode) {
    case Opcode::v_mfma_f32_16x16x16_f16:
      return AnyProduct<16, 16, 1, Half, Half, float>::run(w, s);
    case Opcode::v_mfma_f32_32x32x8_f16:
      return AnyProduct<32, 8, 1, Half, Half, float>::run(w, s);
    case Opcode::v_mfma_f32_16x16x16_bf16:
      return AnyProduct<16, 16, 1, BFloat, BFloat, float>::run(w, s);
    case Opcode::v_mfma_f32_32x32x8_bf16:
      return AnyProduct<32, 8, 1, BFloat, BFloat, float>::run(w, s);
    case Opcode::v_mfma_f32_16x16x4_f32:
      return AnyProduct<16, 4, 1, Single, Single, float>::run(w, s);
    case Opcode::v_mfma_f32_32x32x2_f32:
      return AnyProduct<32, 2, 1, Single, Single, float>::run(w, s);
    default:
      return;  // refused when the program is loaded
  }
}

void fill_any_matrix(Table table) {
  table.set(Opcode::v_mfma_f32_32x32x1_2b_f32, &AnyProduct<32, 1, 2, Single, Single, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x1_4b_f32, &AnyProduct<16, 1, 4, Single, Single, float>::run);
  table.set(Opcode::v_mfma_f32_4x4x1_16b_f32, &AnyProduct<4, 1, 16, Single, Single, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x4_2b_f16, &AnyProduct<32, 4, 2, Half, Half, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x4_4b_f16, &AnyProduct<16, 4, 4, Half, Half, float>::run);
  table.set(Opcode::v_mfma_f32_4x4x4_16b_f16, &AnyProduct<4, 4, 16, Half, Half, float>::run);
  table.set(Opcode::v_mfma_f32_32x32x4_2b_bf16, &AnyProduct<32, 4, 2, BFloat, BFloat, float>::run);
  table.set(Opcode::v_mfma_f32_16x16x4_4b_bf16, &AnyProduct<16, 4, 4, BFloat, BFloat, float>::run);
  table.set(Opcode::v_mfma_f32_4x4x4_16b_bf16, &AnyProduct<4, 4, 16, BFloat, BFloat, float>::run);
  table.set(Opcode::v_mfma_i32_32x32x4_2b_i8, &AnyProduct<32, 4, 2, Byte, Byte, i32>::run);
  table.set(Opcode::v_mfma_i32_16x16x4_4b_i8, &AnyProduct<16, 4, 4, Byte, Byte, i32>::run);
  table.set(Opcode::v_mfma_i32_4x4x4_16b_i8, &AnyProduct<4, 4, 16, Byte, Byte, i32>::run);
  table.set(Opcode::v_mfma_f64_16x16x4_f64, &AnyProduct<16, 4, 1, Double, Double, double>::run);
  table.set(Opcode::v_mfma_f64_4x4x4_4b_f64, &AnyProduct<4, 4, 4, Double, Double, double>::run);
  fill_sparse(table);
}

}  // namespace greta::isa::GRETA_LANES
