// How vector operations read and write their 64 lanes. Compiled once for each width of the
// processor's vectors, in a namespace of that name; the loops are written so that the compiler
// makes vectors of them. Rules for editing:
//   - no inline function of the standard library: the linker might take the wide build's version
//     of it for all;
//   - a lane reads only its own lane of a row, so that rows may be the same register;
//   - results are stored under a mask, never by a branch in the loop.
#pragma once

#include <immintrin.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "isa/handlers.h"

#ifndef GRETA_LANES
#error "compiled with -DGRETA_LANES=portable, avx2 or avx512"
#endif

#ifdef __clang__
#define GRETA_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define GRETA_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define GRETA_EACH_LANE GRETA_INDEPENDENT for (int l = 0; l < kLanes; ++l)

namespace greta::isa::GRETA_LANES {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;

template <class To, class From>
inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

struct alignas(64) Row {
  u32 lane[kLanes];
};

// -- numbers -------------------------------------------------------------------------------------

inline float float_of_half(u32 h) {
  const u32 magnitude = h & 0x7fff;
  const u32 sign = (h & 0x8000) << 16;
  // Normal: a shift and another bias. Denormal: its integer value times 2^-24.
  const u32 normal = (magnitude << 13) + 0x38000000;
  const float denormal = static_cast<float>(static_cast<i32>(magnitude)) * 0x1p-24f;
  const u32 special = (magnitude << 13) | 0x7f800000;
  const u32 small = magnitude < 0x400 ? bits_as<u32>(denormal) : normal;
  return bits_as<float>(sign | (magnitude >= 0x7c00 ? special : small));
}

// Rounds a float to a half: 0 nearest even, 1 up, 2 down, 3 to zero.
inline u32 half_of_float(float f, u32 rounding) {
  const u32 x = bits_as<u32>(f);
  const u32 sign = x >> 16 & 0x8000;
  const u32 magnitude = x & 0x7fffffff;
  // The part that is cut off, and how many bits it has.
  const i32 exponent = static_cast<i32>(magnitude >> 23);
  const i32 extra = 113 - exponent;  // of denormal results
  const u32 shift = extra <= 0 ? 13 : extra > 12 ? 25 : 13 + static_cast<u32>(extra);
  const u32 whole = exponent == 0 ? (magnitude & 0x7fffff) : (magnitude & 0x7fffff) | 0x800000;
  const u32 mantissa = extra <= 0 ? magnitude - 0x38000000 : whole;
  const u32 kept = mantissa >> shift;
  const u32 cut = mantissa & ((1u << shift) - 1);
  const u32 half = 1u << (shift - 1);
  const u32 nearest = (cut > half) | ((cut == half) & (kept & 1));
  const u32 away = cut != 0;
  const u32 up = rounding == 0   ? nearest
                 : rounding == 1 ? (away & (sign == 0))
                 : rounding == 2 ? (away & (sign != 0))
                                 : 0;
  u32 result = kept + up;
  // Too large: infinity, or the largest number where rounding goes towards zero.
  const u32 largest =
      (rounding == 0) | ((rounding == 1) & (sign == 0)) | ((rounding == 2) & (sign != 0)) ? 0x7c00
                                                                                          : 0x7bff;
  result = (magnitude >= 0x47800000) ? largest : (result >= 0x7c00 ? largest : result);
  const u32 nan = 0x7e00 | (magnitude >> 13 & 0x3ff);
  const u32 special = magnitude > 0x7f800000 ? nan : 0x7c00;
  return sign | (magnitude >= 0x7f800000 ? special : result);
}

inline u32 half_of_float(float f) { return half_of_float(f, 0); }

// A product and a sum with one rounding. A half's fits a double but for the last bits, which decide
// ties: they are kept as a sticky bit (rounding to odd).
inline float fma_of_halves(float a, float b, float c) {
  const double product = static_cast<double>(a) * b;
  const double sum = product + c;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (c - back);
  u64 bits = bits_as<u64>(sum);
  const bool inexact = error != 0 && (bits & 1) == 0 && sum - sum == 0;
  // Towards the error's side, to the neighbour whose last bit is one.
  const bool grows = (error > 0) == (sum > 0);
  bits = inexact ? (grows ? bits + 1 : bits - 1) : bits;
  const double odd = bits_as<double>(bits);
  // To a float, again to odd; a half's rounding then is the only one.
  float f = static_cast<float>(odd);
  u32 low = bits_as<u32>(f);
  const double lost = odd - static_cast<double>(f);
  const bool cut = lost != 0 && (low & 1) == 0 && f - f == 0;
  const bool up = (lost > 0) == (f > 0);
  low = cut ? (f == 0 ? 1 | (odd < 0 ? 0x80000000 : 0) : up ? low + 1 : low - 1) : low;
  return bits_as<float>(low);
}

// -- types of lanes ------------------------------------------------------------------------------

enum class Number : u8 { integer, half, single, wide };

struct U32 {
  using type = u32;
  static constexpr int words = 1;
  static constexpr Number number = Number::integer;
  static constexpr bool arithmetic = false;
  static inline u32 load(const u32* const* row, int l) { return row[0][l]; }
  static inline u32 low(u32 x) { return x; }
};
struct I32 : U32 {
  using type = i32;
  static inline i32 load(const u32* const* row, int l) { return static_cast<i32>(row[0][l]); }
  static inline u32 low(i32 x) { return static_cast<u32>(x); }
};
struct U16 : U32 {
  static inline u32 load(const u32* const* row, int l) { return row[0][l] & 0xffff; }
  static inline u32 low(u32 x) { return x & 0xffff; }
};
struct I16 : U32 {
  using type = i32;
  static inline i32 load(const u32* const* row, int l) {
    return static_cast<i32>(row[0][l] << 16) >> 16;
  }
  static inline u32 low(i32 x) { return static_cast<u32>(x) & 0xffff; }
};
// A half that is moved and not computed with, but for its sign.
struct RawHalf : U16 {
  static constexpr Number number = Number::half;
};
struct F32 {
  using type = float;
  static constexpr int words = 1;
  static constexpr Number number = Number::single;
  static constexpr bool arithmetic = true;  // denormals may be flushed
  static inline float load(const u32* const* row, int l) { return bits_as<float>(row[0][l]); }
  static inline u32 low(float x) { return bits_as<u32>(x); }
  static inline u32 raw(const u32* const* row, int l) { return row[0][l]; }
  static inline bool is_nan(u32 x) { return (x & 0x7fffffff) > 0x7f800000; }
  static constexpr u32 quiet = 0x400000, nan = 0x7fc00000;
};
// A half travels as a float, which holds it exactly.
struct F16 {
  using type = float;
  static constexpr int words = 1;
  static constexpr Number number = Number::half;
  static constexpr bool arithmetic = true;  // denormals may be flushed
  static inline float load(const u32* const* row, int l) {
    return float_of_half(row[0][l] & 0xffff);
  }
  static inline u32 low(float x) { return half_of_float(x); }
  static inline u32 raw(const u32* const* row, int l) { return row[0][l] & 0xffff; }
  static inline bool is_nan(u32 x) { return (x & 0x7fff) > 0x7c00; }
  static constexpr u32 quiet = 0x200, nan = 0x7e00;
};
struct U64 {
  using type = u64;
  static constexpr int words = 2;
  static constexpr Number number = Number::integer;
  static constexpr bool arithmetic = false;
  static inline u64 load(const u32* const* row, int l) {
    return row[0][l] | static_cast<u64>(row[1][l]) << 32;
  }
  static inline u64 bits(u64 x) { return x; }
};
// 64 bits as two words, for what is done faster so.
struct Words {
  u32 low, high;
};
struct W64 {
  using type = Words;
  static constexpr int words = 2;
  static constexpr Number number = Number::integer;
  static constexpr bool arithmetic = false;
  static inline Words load(const u32* const* row, int l) { return {row[0][l], row[1][l]}; }
};
struct I64 : U64 {
  using type = i64;
  static inline i64 load(const u32* const* row, int l) {
    return static_cast<i64>(U64::load(row, l));
  }
  static inline u64 bits(i64 x) { return static_cast<u64>(x); }
};
struct F64 {
  using type = double;
  static constexpr int words = 2;
  static constexpr Number number = Number::wide;
  static constexpr bool arithmetic = true;  // denormals may be flushed
  static inline double load(const u32* const* row, int l) {
    return bits_as<double>(U64::load(row, l));
  }
  static inline u64 bits(double x) { return bits_as<u64>(x); }
  static inline u64 raw(const u32* const* row, int l) { return U64::load(row, l); }
  static inline bool is_nan(u64 x) { return (x & 0x7fffffffffffffff) > 0x7ff0000000000000; }
  static constexpr u64 quiet = 0x8000000000000, nan = 0x7ff8000000000000;
};

// -- sets of lanes -------------------------------------------------------------------------------

inline u32 blend(u32 mask, u32 yes, u32 no) { return (yes & mask) | (no & ~mask); }

// Bits to a row of ones and zeros.
inline void expand(u64 bits, u32* row) {
#if defined(__AVX512F__)
  for (int l = 0; l < kLanes; l += 16) {
    _mm512_storeu_si512(row + l, _mm512_movm_epi32(static_cast<__mmask16>(bits >> l)));
  }
#else
  const u32 low = static_cast<u32>(bits), high = static_cast<u32>(bits >> 32);
  for (u32 l = 0; l < 32; ++l) row[l] = low & 1u << l ? ~0u : 0;
  for (u32 l = 0; l < 32; ++l) row[32 + l] = high & 1u << l ? ~0u : 0;
#endif
}

inline const u32* exec_row(Wave& w) {
  const u64 exec = w.exec();
  if (exec != w.mask_of) {
    expand(exec, w.mask);
    w.mask_of = exec;
  }
  return w.mask;
}

// The highest bits of as many lanes as a vector of the processor holds.
#if defined(__AVX512F__)
inline constexpr int kPart = 16;
inline u32 signs(const u32* part) { return _mm512_movepi32_mask(_mm512_loadu_si512(part)); }
#elif defined(__AVX2__)
inline constexpr int kPart = 8;
inline u32 signs(const u32* part) {
  const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(part));
  return static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(words)));
}
#else
inline constexpr int kPart = 4;
inline u32 signs(const u32* part) {
  const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(part));
  return static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(words)));
}
#endif

// The highest bits of a row's lanes.
inline u64 collect(const u32* row) {
  u64 bits = 0;
  for (int l = 0; l < kLanes; l += kPart) bits |= static_cast<u64>(signs(row + l)) << l;
  return bits;
}

// The lanes for which a condition holds. Part by part, so that none of it goes through memory.
template <class F>
__attribute__((always_inline)) inline u64 lanes_where(F&& condition) {
  u64 bits = 0;
#pragma GCC unroll 16
  for (int first = 0; first < kLanes; first += kPart) {
    alignas(64) u32 part[kPart];
#pragma GCC unroll 1  // a vector must become of it
    for (int i = 0; i < kPart; ++i) part[i] = condition(first + i) ? ~0u : 0;
    bits |= static_cast<u64>(signs(part)) << first;
  }
  return bits;
}

inline void copy_row(const u32* from, u32* to) {
  typedef u32 Part __attribute__((vector_size(kPart * 4)));
#pragma GCC unroll 16
  for (int l = 0; l < kLanes; l += kPart) {
    Part part;
    __builtin_memcpy(&part, from + l, sizeof part);
    __builtin_memcpy(to + l, &part, sizeof part);
  }
}

// Copies some lanes of a row.
inline void copy_lanes(Wave& w, u64 lanes, const u32* from, u32* to) {
  if (lanes == ~u64{0}) return copy_row(from, to);
#if defined(__AVX512F__)
  (void)w;
  for (int l = 0; l < kLanes; l += 16) {
    _mm512_mask_storeu_epi32(to + l, static_cast<__mmask16>(lanes >> l),
                             _mm512_loadu_si512(from + l));
  }
#else
  Row space;
  const u32* mask = space.lane;
  if (lanes == w.exec()) {
    mask = exec_row(w);
  } else {
    expand(lanes, space.lane);
  }
  for (int l = 0; l < kLanes; ++l) to[l] = blend(mask[l], from[l], to[l]);
#endif
}

// Of two rows, the second where the lane is in the set.
inline void select_lanes(u64 lanes, const u32* no, const u32* yes, u32* out) {
#if defined(__AVX512F__)
  for (int l = 0; l < kLanes; l += 16) {
    _mm512_storeu_si512(
        out + l, _mm512_mask_blend_epi32(static_cast<__mmask16>(lanes >> l),
                                         _mm512_loadu_si512(no + l), _mm512_loadu_si512(yes + l)));
  }
#else
  Row which;
  expand(lanes, which.lane);
  GRETA_EACH_LANE { out[l] = blend(which.lane[l], yes[l], no[l]); }
#endif
}

// -- sources -------------------------------------------------------------------------------------

inline u64 scalar_source(const Wave& w, const Source& s, int words) {
  switch (s.kind) {
    case Source::scalar:
      return words == 2 ? w.pair(s.index) : w.s[s.index];
    case Source::special:
      return special_value(w, s.index);
    default:
      return s.constant;
  }
}

inline void broadcast(u32 value, u32* row) {
  for (int l = 0; l < kLanes; ++l) row[l] = value;
}

// The rows of a scalar source.
__attribute__((noinline)) inline void scalar_rows(const Wave& w, const Source& s, int words,
                                                  Row* space, const u32** rows) {
  const u64 value = scalar_source(w, s, words);
  for (int i = 0; i < words; ++i) {
    broadcast(static_cast<u32>(value >> (32 * i)), space[i].lane);
    rows[i] = space[i].lane;
  }
}

// The rows of a source as they are in registers.
__attribute__((always_inline)) inline void plain_rows(const Wave& w, const Source& s, int words,
                                                      Row* space, const u32** rows) {
  if (s.kind == Source::vector) {
    for (int i = 0; i < words; ++i) rows[i] = w.v[s.index + i];
    return;
  }
  if (s.kind == Source::value) {
    for (int i = 0; i < words; ++i) rows[i] = s.rows->lane[i];
    return;
  }
  scalar_rows(w, s, words, space, rows);
}

// neg, abs, op_sel, SDWA and DPP applied to them; defined in lanes.cpp.
void changed_rows(const Wave& w, const Step& s, int source, int words, Number number, Row* space,
                  const u32** rows);

// Flushes denormal inputs where MODE says so.
void flush_rows(const Wave& w, int words, Number number, Row* space, const u32** rows);

inline bool default_mode(const Wave& w) { return (w.mode & 0xff) == kModeDefault; }

template <class T>
__attribute__((noinline)) inline void source_rows(const Wave& w, const Step& s, int source,
                                                  Row* space, const u32** rows) {
  if (s.changes_source) {
    changed_rows(w, s, source, T::words, T::number, space, rows);
  } else {
    plain_rows(w, s.source[source], T::words, space, rows);
  }
  if (T::arithmetic && !default_mode(w)) {
    flush_rows(w, T::words, T::number, space, rows);
  }
}

// -- results -------------------------------------------------------------------------------------

// The lanes that an instruction writes: EXEC, less what DPP leaves out.
u64 dpp_lanes(const Wave& w, const Step& s);

inline u64 written_lanes(const Wave& w, const Step& s) {
  return s.instruction.form == Form::dpp ? dpp_lanes(w, s) : w.exec();
}

// clamp, omod, halves and SDWA: from whole results to the register; defined in lanes.cpp.
void store_changed(Wave& w, const Step& s, u64 lanes, int words, Number number, const Row* results);

// Rounding as MODE says, for the time of one instruction.
class RoundingMode {
 public:
  RoundingMode(const Wave& w, Number number) {
    const u32 mode = number == Number::single ? w.mode & 3 : w.mode >> 2 & 3;
    changed_ = number != Number::integer && mode != 0;
    if (changed_) set(mode);
  }
  ~RoundingMode() {
    if (changed_) restore();
  }

 private:
  void set(u32 mode);
  void restore();
  bool changed_;
  u32 before_ = 0;
};

void flush_results(const Wave& w, int words, Number number, Row* rows);
inline u32 half_rounding(const Wave& w) { return w.mode >> 2 & 3; }

template <class R, class V>
inline void put(Row* out, int l, V value, u32 half_mode) {
  if constexpr (__is_same(V, Words)) {
    out[0].lane[l] = value.low;
    out[1].lane[l] = value.high;
  } else if constexpr (R::words == 2) {
    const u64 bits = R::bits(value);
    out[0].lane[l] = static_cast<u32>(bits);
    out[1].lane[l] = static_cast<u32>(bits >> 32);
  } else if constexpr (R::number == Number::half) {
    out[0].lane[l] = half_of_float(value, half_mode);
  } else {
    out[0].lane[l] = R::low(value);
  }
}

inline void store(Wave& w, const Step& s, u64 lanes, int words, Number number, const Row* results) {
  if (s.changes_result) return store_changed(w, s, lanes, words, number, results);
  for (int i = 0; i < words; ++i) copy_lanes(w, lanes, results[i].lane, w.v[s.vdst + i]);
}

// A NaN result is the first NaN among the sources, made quiet, or the positive one. Processors
// differ here, so it is said and not left to the host's.
template <class R, class A>
inline auto nan_of(const u32* const* row, int l, decltype(R::nan) otherwise) {
  if constexpr (A::number == R::number && R::number != Number::integer) {
    const auto raw = A::raw(row, l);
    return A::is_nan(raw) ? static_cast<decltype(R::nan)>(raw | R::quiet) : otherwise;
  } else {
    return otherwise;
  }
}

template <class R>
inline bool result_is_nan(const Row* out, int l) {
  if constexpr (R::words == 2) {
    return R::is_nan(out[0].lane[l] | static_cast<u64>(out[1].lane[l]) << 32);
  } else {
    return R::is_nan(out[0].lane[l]);
  }
}

template <class R>
inline void put_bits(Row* out, int l, u64 bits) {
  out[0].lane[l] = static_cast<u32>(bits);
  if constexpr (R::words == 2) out[1].lane[l] = static_cast<u32>(bits >> 32);
}

template <class T>
inline u32 is_nan_value(T x) {
  return x != x;
}

// One operation on lanes: F::run of one to three sources.
template <class F, class R, class A>
inline auto call(const u32* const (*rows)[2], int l, A*) {
  return F::run(A::load(rows[0], l));
}
template <class F, class R, class A, class B>
inline auto call(const u32* const (*rows)[2], int l, A*, B*) {
  return F::run(A::load(rows[0], l), B::load(rows[1], l));
}
template <class F, class R, class A, class B, class C>
inline auto call(const u32* const (*rows)[2], int l, A*, B*, C*) {
  return F::run(A::load(rows[0], l), B::load(rows[1], l), C::load(rows[2], l));
}

template <class R, class A>
inline auto first_nan(const u32* const (*rows)[2], int l, A*) {
  return nan_of<R, A>(rows[0], l, R::nan);
}
template <class R, class A, class B>
inline auto first_nan(const u32* const (*rows)[2], int l, A*, B*) {
  return nan_of<R, A>(rows[0], l, nan_of<R, B>(rows[1], l, R::nan));
}
template <class R, class A, class B, class C>
inline auto first_nan(const u32* const (*rows)[2], int l, A*, B*, C*) {
  return nan_of<R, A>(rows[0], l, nan_of<R, B>(rows[1], l, nan_of<R, C>(rows[2], l, R::nan)));
}

// All lanes of an operation; true where a result is a NaN that must be replaced (see nan_of).
using LaneLoop = bool (*)(const u32* const (*rows)[2], Row* out, u32 half_mode);
using NanLoop = void (*)(const u32* const (*rows)[2], Row* out);

inline void store_plain(Wave& w, u32 vdst, int words, const Row* results) {
  const u64 exec = w.exec();
  for (int i = 0; i < words; ++i) {
    copy_lanes(w, exec, results[i].lane, w.v[vdst + static_cast<u32>(i)]);
  }
}

// With modifiers, DPP, or another MODE than usual. One for each signature, not for each operation.
template <class R, class... Args>
__attribute__((noinline)) void run_changed(Wave& w, const Step& s, LaneLoop lanes, NanLoop nans) {
  Row space[sizeof...(Args)][2], out[2];
  const u32* rows[sizeof...(Args)][2];
  int i = 0;
  (..., (source_rows<Args>(w, s, i, space[i], rows[i]), ++i));
  {
    const RoundingMode rounding(w, R::number);
    if (lanes(rows, out, half_rounding(w)) && nans != nullptr) nans(rows, out);
  }
  if (R::number != Number::integer && !default_mode(w)) flush_results(w, R::words, R::number, out);
  store(w, s, written_lanes(w, s), R::words, R::number, out);
}

template <class R, class... Args>
__attribute__((noinline)) void replace_nans(const u32* const (*rows)[2], Row* out) {
  for (int l = 0; l < kLanes; ++l) {
    if (result_is_nan<R>(out, l)) {
      put_bits<R>(out, l, first_nan<R>(rows, l, static_cast<Args*>(nullptr)...));
    }
  }
}

template <class F, class R, bool FixNan, class... Args>
struct Operation {
  static constexpr bool fixes = FixNan && R::number != Number::integer;

  static void run(Wave& w, const Step& s) {
    constexpr NanLoop nans = fix();
    if (!s.plain || !default_mode(w)) return run_changed<R, Args...>(w, s, &lanes, nans);
    Row space[sizeof...(Args)][2];
    const u32* rows[sizeof...(Args)][2];
    int i = 0;
    (..., (plain_rows(w, s.source[i], Args::words, space[i], rows[i]), ++i));
    Row* const to = reinterpret_cast<Row*>(w.v[s.vdst]);
    if (w.exec() == ~u64{0} && !(fixes && is_read(rows, to))) {
      if (lanes(rows, to, 0) && fixes) nans(rows, to);
      return;
    }
    Row out[2];
    if (lanes(rows, out, 0) && fixes) nans(rows, out);
    store_plain(w, s.vdst, R::words, out);
  }

  static constexpr NanLoop fix() {
    if constexpr (fixes) return &replace_nans<R, Args...>;
    return nullptr;
  }

  // Replacing NaNs needs the sources as they were.
  static inline bool is_read(const u32* const (*rows)[2], const Row* to) {
    bool any = false;
    int i = 0;
    (..., (any |= overlaps<Args::words>(rows[i], to), ++i));
    return any;
  }
  template <int Words>
  static inline bool overlaps(const u32* const* rows, const Row* to) {
    bool any = false;
    for (int i = 0; i < Words; ++i) {
      for (int j = 0; j < R::words; ++j) any |= rows[i] == to[j].lane;
    }
    return any;
  }

  // `out` may be rows that are read: a lane's sources are read before its result is written.
  __attribute__((noinline)) static bool lanes(const u32* const (*rows)[2], Row* out,
                                              u32 half_mode) {
    u32 nan = 0;
    GRETA_EACH_LANE {
      const auto value = call<F, R>(rows, l, static_cast<Args*>(nullptr)...);
      put<R>(out, l, value, half_mode);
      if constexpr (fixes) nan |= is_nan_value(value);
    }
    return nan != 0;
  }
};

// A compare writes one bit for each active lane.
template <class F, class... Args>
struct Compare {
  __attribute__((noinline)) static void run(Wave& w, const Step& s) {
    Row space[sizeof...(Args)][2];
    const u32* rows[sizeof...(Args)][2];
    int i = 0;
    if (s.plain && default_mode(w)) {
      (..., (plain_rows(w, s.source[i], Args::words, space[i], rows[i]), ++i));
    } else {
      (..., (source_rows<Args>(w, s, i, space[i], rows[i]), ++i));
    }
    const u64 lanes =
        lanes_where([&](int l) { return call<F, U32>(rows, l, static_cast<Args*>(nullptr)...); });
    w.set_pair(s.sdst, lanes & w.exec());
  }
};

// v_cmpx writes EXEC as well.
template <class F, class... Args>
struct CompareExec {
  static void run(Wave& w, const Step& s) {
    Compare<F, Args...>::run(w, s);
    w.set_pair(kExec, w.pair(s.sdst));
  }
};

// Adds and subtracts with a carry: F::run(a, b, carry in, &carry out). Source 2 is the mask.
template <class F, bool CarryIn>
struct Carry {
  static void run(Wave& w, const Step& s) {
    Row space[2][2], in, out[2], carry;
    const u32* rows[2][2];
    source_rows<U32>(w, s, 0, space[0], rows[0]);
    source_rows<U32>(w, s, 1, space[1], rows[1]);
    if (CarryIn) expand(scalar_source(w, s.source[2], 2), in.lane);
    GRETA_EACH_LANE {
      u32 out_bit = 0;
      out[0].lane[l] = F::run(rows[0][0][l], rows[1][0][l], CarryIn ? in.lane[l] & 1 : 0, &out_bit);
      carry.lane[l] = 0u - out_bit;
    }
    const u64 written = written_lanes(w, s);
    store(w, s, written, 1, Number::integer, out);
    const u64 kept = s.instruction.form == Form::dpp ? w.pair(s.sdst) & w.exec() & ~written : 0;
    w.set_pair(s.sdst, (collect(carry.lane) & written) | kept);
  }
};

using Table = HandlerTable;

void fill_integer(Table table);
void fill_float(Table table);
void fill_convert(Table table);
void fill_compare(Table table);
void fill_packed(Table table);
void fill_cross_lane(Table table);
void fill_memory(Table table);
void fill_typed(Table table);
void fill_lds(Table table);
void fill_matrix(Table table);
void fill_saturating(Table table);

// LANE_OP(name, result, (types), (parameters), expression)
#define GRETA_UNPACK(...) __VA_ARGS__
#define LANE_OP(name, R, types, parameters, ...)                              \
  {                                                                           \
    struct F {                                                                \
      static inline R::type run parameters { return __VA_ARGS__; }            \
    };                                                                        \
    table.set(Opcode::name, &Operation<F, R, true, GRETA_UNPACK types>::run); \
  }
// The same where the expression says itself what a NaN becomes.
#define LANE_OP_OWN_NAN(name, R, types, parameters, ...)                       \
  {                                                                            \
    struct F {                                                                 \
      static inline R::type run parameters { return __VA_ARGS__; }             \
    };                                                                         \
    table.set(Opcode::name, &Operation<F, R, false, GRETA_UNPACK types>::run); \
  }

}  // namespace greta::isa::GRETA_LANES
