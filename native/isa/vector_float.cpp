// Arithmetic on f16, f32 and f64. Exact as IEEE 754 has it, but for those in `fill_approximate`.
#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {
namespace {

inline bool is_signaling(float x) { return x != x && (bits_as<u32>(x) & 0x400000) == 0; }
inline bool is_signaling(double x) { return x != x && (bits_as<u64>(x) >> 51 & 1) == 0; }
inline bool negative(float x) { return bits_as<u32>(x) >> 31; }
inline bool negative(double x) { return bits_as<u64>(x) >> 63; }

// Of min and max: a quiet NaN gives way to a number, a signaling one does not (MODE's IEEE bit is
// taken as set, as compilers set it); -0 is smaller than +0.
inline float quieted(float x) { return bits_as<float>(bits_as<u32>(x) | 0x400000); }
inline double quieted(double x) { return bits_as<double>(bits_as<u64>(x) | 0x8000000000000); }
template <class T>
inline T among(T a, T b, T ordered) {
  const bool first = (a != a) & (is_signaling(a) | (b != b));
  const T with_nan = first ? quieted(a) : a != a ? b : is_signaling(b) ? quieted(b) : a;
  return ((a != a) | (b != b)) ? with_nan : ordered;
}
template <class T>
inline T smaller(T a, T b) {
  const T by_sign = negative(a) ? a : b;
  return among(a, b, a == b ? by_sign : a < b ? a : b);
}
template <class T>
inline T larger(T a, T b) {
  const T by_sign = negative(a) ? b : a;
  return among(a, b, a == b ? by_sign : a > b ? a : b);
}
template <class T>
inline T middle(T a, T b, T c) {
  const bool nan = (a != a) | (b != b) | (c != c);
  const T with_nan = smaller(smaller(a, b), c);
  const T without = larger(smaller(a, b), smaller(larger(a, b), c));
  return nan ? with_nan : without;
}

// What is left above the next lower integer; never 1, even where the difference rounds to it.
template <class T>
inline T fraction(T x, T largest) {
  const T result = x - __builtin_floor(x);
  return result >= 1 ? largest : result;
}

inline float half_fraction(float x) {
  const float largest = 0x1.ffcp-1f, result = x - __builtin_floorf(x);
  return result > largest ? largest : result;
}

inline float scaled(float x, i32 exponent) {
  const i32 bounded = exponent > 400 ? 400 : exponent < -400 ? -400 : exponent;
  const double power = bits_as<double>(static_cast<u64>(1023 + bounded) << 52);
  return static_cast<float>(x * power);
}
inline float half_scaled(float x, i32 exponent) {
  const i32 bounded = exponent > 60 ? 60 : exponent < -60 ? -60 : exponent;
  return x * bits_as<float>(static_cast<u32>(127 + bounded) << 23);
}
inline double scaled(double x, i32 exponent) {
  return __builtin_ldexp(x, exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent);
}

// -- division ------------------------------------------------------------------------------------

inline i32 biased(float x) { return static_cast<i32>(bits_as<u32>(x) >> 23 & 255); }
inline i32 biased(double x) { return static_cast<i32>(bits_as<u64>(x) >> 52 & 2047); }
inline bool same(float a, float b) { return bits_as<u32>(a) == bits_as<u32>(b); }
inline bool same(double a, double b) { return bits_as<u64>(a) == bits_as<u64>(b); }
template <class T>
inline bool is_denormal(T x) {
  return biased(x) == 0 && x != 0;
}

template <class T>
struct Limits;
template <>
struct Limits<float> {
  static constexpr int far = 96, scale = 64, tiny = 23, under = -150, special = 255, bias = 127;
  static float quiet(float x) { return bits_as<float>(bits_as<u32>(x) | 0x400000); }
  static float invalid() { return bits_as<float>(0xffc00000u); }
  static float nan() { return bits_as<float>(0x7fc00000u); }
};
template <>
struct Limits<double> {
  static constexpr int far = 768, scale = 128, tiny = 53, under = -1075, special = 2047,
                       bias = 1023;
  static double quiet(double x) { return bits_as<double>(bits_as<u64>(x) | 0x8000000000000); }
  static double invalid() { return bits_as<double>(u64{0xfff8000000000000}); }
  static double nan() { return bits_as<double>(u64{0x7ff8000000000000}); }
};

// What frexp gives, for finite numbers. By the bits: clang 22 fails on vectors of frexp.
inline float with_exponent(float x, i32 exponent) {
  return bits_as<float>((bits_as<u32>(x) & 0x807fffff) | static_cast<u32>(exponent) << 23);
}
inline double with_exponent(double x, i32 exponent) {
  return bits_as<double>((bits_as<u64>(x) & 0x800fffffffffffff) | static_cast<u64>(exponent) << 52);
}
template <class T>
inline T without_denormals(T x) {
  return is_denormal(x) ? x * T{0x1p64} : x;
}
template <class T>
inline i32 exponent_of(T x) {
  const i32 exponent = biased(without_denormals(x)) - (Limits<T>::bias - 1);
  return !(x - x == 0) || x == 0 ? 0 : is_denormal(x) ? exponent - 64 : exponent;
}
template <class T>
inline T mantissa_of(T x) {
  const T mantissa = with_exponent(without_denormals(x), Limits<T>::bias - 1);
  return !(x - x == 0) || x == 0 ? x : mantissa;
}

// Prepares a division: scales so that no step of it leaves the normal numbers. `value` is the
// denominator or the numerator; *post says that v_div_fmas must scale back.
template <class T>
inline T division_scale(T value, T denominator, T numerator, u32* post) {
  using L = Limits<T>;
  *post = 0;
  if (denominator == 0 || numerator == 0) return L::nan();
  const bool low_quotient = biased(numerator / denominator) == 0;  // denormal, or rounds to zero
  const bool low_inverse = is_denormal(1 / denominator);
  if (biased(numerator) - biased(denominator) >= L::far) {
    *post = 1;
    return same(value, denominator) ? scaled(value, L::scale) : value;
  }
  if (is_denormal(denominator)) return scaled(value, L::scale);
  if (low_inverse && low_quotient) {
    *post = 1;
    return same(value, denominator) ? scaled(value, -L::scale) : value;
  }
  if (low_inverse) return scaled(value, -L::scale);
  if (low_quotient) {
    *post = 1;
    return same(value, numerator) ? scaled(value, L::scale) : value;
  }
  if (biased(numerator) <= L::tiny) return scaled(value, L::scale);
  return value;
}

// The last step of a division: the special cases, and the sign.
template <class T>
inline T division_fixup(T quotient, T denominator, T numerator) {
  using L = Limits<T>;
  const bool minus = negative(denominator) != negative(numerator);
  const T infinity = static_cast<T>(__builtin_inf());
  const T sign = minus ? T{-1} : T{1};
  const bool d_infinite = denominator == infinity || denominator == -infinity;
  const bool n_infinite = numerator == infinity || numerator == -infinity;
  if (numerator != numerator) return L::quiet(numerator);
  if (denominator != denominator) return L::quiet(denominator);
  if ((denominator == 0 && numerator == 0) || (d_infinite && n_infinite)) return L::invalid();
  if (denominator == 0 || n_infinite) return sign * infinity;
  if (d_infinite || numerator == 0) return sign * 0;
  if (biased(numerator) - biased(denominator) < L::under) return sign * 0;  // rounds to zero
  if (biased(quotient) == L::special) return sign * infinity;  // the steps before overflowed
  return negative(quotient) != minus ? -quotient : quotient;
}

// The same of halves, which need no scaling.
inline float half_division_fixup(float quotient, float denominator, float numerator) {
  const bool minus = negative(denominator) != negative(numerator);
  const float sign = minus ? -1.0f : 1.0f, infinity = static_cast<float>(__builtin_inf());
  const bool d_infinite = denominator == infinity || denominator == -infinity;
  const bool n_infinite = numerator == infinity || numerator == -infinity;
  if (numerator != numerator) return numerator;
  if (denominator != denominator) return denominator;
  if ((denominator == 0 && numerator == 0) || (d_infinite && n_infinite)) {
    return Limits<float>::invalid();
  }
  if (denominator == 0 || n_infinite) return sign * infinity;
  if (d_infinite || numerator == 0) return sign * 0;
  return negative(quotient) != minus ? -quotient : quotient;
}

// 1201 bits of 2 / pi.
constexpr u32 kTwoOverPi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b0000};

// 53 bits of 2 / pi, for the reduction of large angles: those that matter for a number as large as
// `a`, of the part that `b` counts.
inline double part_of_two_over_pi(double a, u32 b) {
  const int exponent = biased(a);
  const u32 shift = (b & 31) * 53 + (exponent > 1077 ? static_cast<u32>(exponent - 1077) : 0);
  u64 bits = 0;
  for (u32 i = shift; i < shift + 53; ++i) {
    bits = bits << 1 | (i < 1201 ? kTwoOverPi[i / 32] >> (31 - i % 32) & 1 : 0);
  }
  const int scale = -53 - static_cast<int>(shift) + (exponent >= 1968 ? 128 : 0);
  return scaled(static_cast<double>(bits), scale);
}

template <class T, class P>
struct DivisionScale {
  static void run(Wave& w, const Step& s) {
    Row space[3][2], out[2], post;
    const u32* rows[3][2];
    for (int i = 0; i < 3; ++i) source_rows<P>(w, s, i, space[i], rows[i]);
    for (int l = 0; l < kLanes; ++l) {
      u32 bit;
      put<P>(out, l,
             division_scale<T>(P::load(rows[0], l), P::load(rows[1], l), P::load(rows[2], l), &bit),
             0);
      post.lane[l] = 0u - bit;
    }
    store(w, s, w.exec(), P::words, P::number, out);
    w.set_pair(s.sdst, collect(post.lane) & w.exec());
  }
};

// Sums exactly: the rounded sum, and in *error what it lacks.
template <class T>
inline T exact_sum(T a, T b, T* error) {
  const T sum = a + b, part = sum - a;
  *error = (a - (sum - part)) + (b - part);
  return sum;
}

// (a * b + c) * 2^scale with one rounding: a denormal quotient must not be rounded twice. Done with
// more bits, the last of which says that something is missing (rounding to odd).
inline float scaled_fma(float a, float b, float c, int scale) {
  double error;
  const double sum = exact_sum(static_cast<double>(a) * b, static_cast<double>(c), &error);
  u64 bits = bits_as<u64>(sum);
  if (error != 0 && (bits & 1) == 0 && sum - sum == 0) bits += (error > 0) == (sum > 0) ? 1 : -1;
  return static_cast<float>(bits_as<double>(bits) * (scale > 0 ? 0x1p64 : 0x1p-64));
}
inline double scaled_fma(double a, double b, double c, int scale) {
  const double product = a * b, lost = __builtin_fma(a, b, -product);
  if (!(product - product == 0) || !(c - c == 0)) return scaled(product + c, scale);
  double error;
  const double sum = exact_sum(product, c, &error);
  long double rest;
  long double exact = exact_sum<long double>(sum, static_cast<long double>(error) + lost, &rest);
  u64 mantissa;
  __builtin_memcpy(&mantissa, &exact, sizeof mantissa);
  if (rest != 0 && (mantissa & 1) == 0) {
    exact = __builtin_nextafterl(exact, rest > 0 ? __builtin_infl() : -__builtin_infl());
  }
  return static_cast<double>(exact * (scale > 0 ? 0x1p128L : 0x1p-128L));
}

// fma, scaled back where v_div_scale said so in VCC.
template <class T, class P>
struct DivisionFma {
  static void run(Wave& w, const Step& s) {
    Row space[3][2], out[2];
    const u32* rows[3][2];
    for (int i = 0; i < 3; ++i) source_rows<P>(w, s, i, space[i], rows[i]);
    const u64 vcc = w.pair(kVcc);
    for (int l = 0; l < kLanes; ++l) {
      const T a = P::load(rows[0], l), b = P::load(rows[1], l), c = P::load(rows[2], l);
      T result = static_cast<T>(sizeof(T) == 4 ? __builtin_fmaf(a, b, c) : __builtin_fma(a, b, c));
      // A large addend belongs to a denominator that was scaled, a small one to a numerator.
      const int scale = biased(c) > Limits<T>::bias ? Limits<T>::scale : -Limits<T>::scale;
      if (vcc >> l & 1) result = scaled_fma(a, b, c, scale);
      put<P>(out, l, result, 0);
      const u64 nan = first_nan<P>(rows, l, static_cast<P*>(nullptr), static_cast<P*>(nullptr),
                                   static_cast<P*>(nullptr));
      if (result != result) put_bits<P>(out, l, nan);
    }
    store(w, s, w.exec(), P::words, P::number, out);
  }
};

// mad of halves: the product is rounded, then the sum; denormals count as zero, whatever MODE says.
struct HalfMad {
  static inline float flushed(float x) {
    return (bits_as<u32>(x) & 0x7fffffff) < 0x38800000 ? x * 0 : x;
  }
  static inline u32 lane(float a, float b, float c, u32 mode) {
    const float product = float_of_half(half_of_float(flushed(a) * flushed(b), mode));
    const u32 sum = half_of_float(flushed(product) + flushed(c), mode);
    return (sum & 0x7c00) == 0 ? sum & 0x8000 : sum;
  }
  static void run(Wave& w, const Step& s) {
    Row space[3][1], out[2];
    const u32* rows[3][2];
    for (int i = 0; i < 3; ++i) source_rows<F16>(w, s, i, space[i], rows[i]);
    {
      const RoundingMode rounding(w, Number::half);
      for (int l = 0; l < kLanes; ++l) {
        const u32 sum = lane(F16::load(rows[0], l), F16::load(rows[1], l), F16::load(rows[2], l),
                             half_rounding(w));
        const u32 nan = first_nan<F16>(rows, l, static_cast<F16*>(nullptr),
                                       static_cast<F16*>(nullptr), static_cast<F16*>(nullptr));
        out[0].lane[l] = F16::is_nan(sum) ? nan : sum;
      }
    }
    store(w, s, written_lanes(w, s), 1, Number::half, out);
  }
};

// -- cube maps: of the coordinates of a direction -------------------------------------------------

inline float magnitude(float x) { return bits_as<float>(bits_as<u32>(x) & 0x7fffffff); }
inline float opposite(float x) { return bits_as<float>(bits_as<u32>(x) ^ 0x80000000); }
inline bool z_is_major(float x, float y, float z) {
  return (magnitude(z) >= magnitude(x)) & (magnitude(z) >= magnitude(y));
}
inline bool y_is_major(float x, float y) { return magnitude(y) >= magnitude(x); }
inline float cube_face(float x, float y, float z) {
  return z_is_major(x, y, z) ? (z < 0 ? 5.0f : 4.0f)
         : y_is_major(x, y)  ? (y < 0 ? 3.0f : 2.0f)
                             : (x < 0 ? 1.0f : 0.0f);
}
inline float cube_s(float x, float y, float z) {
  return z_is_major(x, y, z) ? (z < 0 ? opposite(x) : x)
         : y_is_major(x, y)  ? x
                             : (x < 0 ? z : opposite(z));
}
inline float cube_t(float x, float y, float z) {
  const bool by_z = !z_is_major(x, y, z) && y_is_major(x, y);
  return by_z ? (y < 0 ? opposite(z) : z) : opposite(y);
}
inline float cube_major(float x, float y, float z) {
  return 2 * (z_is_major(x, y, z) ? z : y_is_major(x, y) ? y : x);
}

void fill_cube(Table table) {
  LANE_OP_OWN_NAN(v_cubeid_f32, F32, (F32, F32, F32), (float x, float y, float z),
                  cube_face(x, y, z))
  LANE_OP_OWN_NAN(v_cubesc_f32, F32, (F32, F32, F32), (float x, float y, float z), cube_s(x, y, z))
  LANE_OP_OWN_NAN(v_cubetc_f32, F32, (F32, F32, F32), (float x, float y, float z), cube_t(x, y, z))
  LANE_OP_OWN_NAN(v_cubema_f32, F32, (F32, F32, F32), (float x, float y, float z),
                  cube_major(x, y, z))
}

// -- the table -----------------------------------------------------------------------------------

void fill_single(Table table) {
  LANE_OP(v_add_f32, F32, (F32, F32), (float a, float b), a + b)
  LANE_OP(v_sub_f32, F32, (F32, F32), (float a, float b), a - b)
  LANE_OP(v_subrev_f32, F32, (F32, F32), (float a, float b), b - a)
  LANE_OP(v_mul_f32, F32, (F32, F32), (float a, float b), a * b)
  LANE_OP(v_mul_legacy_f32, F32, (F32, F32), (float a, float b), a == 0 || b == 0 ? 0.0f : a * b)
  LANE_OP(v_fma_f32, F32, (F32, F32, F32), (float a, float b, float c), __builtin_fmaf(a, b, c))
  LANE_OP(v_fmac_f32, F32, (F32, F32, F32), (float a, float b, float c), __builtin_fmaf(a, b, c))
  LANE_OP(v_fmaak_f32, F32, (F32, F32, F32), (float a, float b, float c), __builtin_fmaf(a, b, c))
  LANE_OP(v_fmamk_f32, F32, (F32, F32, F32), (float a, float b, float c), __builtin_fmaf(a, b, c))
  LANE_OP_OWN_NAN(v_min_f32, F32, (F32, F32), (float a, float b), smaller(a, b))
  LANE_OP_OWN_NAN(v_max_f32, F32, (F32, F32), (float a, float b), larger(a, b))
  LANE_OP_OWN_NAN(v_min3_f32, F32, (F32, F32, F32), (float a, float b, float c),
                  smaller(smaller(a, b), c))
  LANE_OP_OWN_NAN(v_max3_f32, F32, (F32, F32, F32), (float a, float b, float c),
                  larger(larger(a, b), c))
  LANE_OP_OWN_NAN(v_med3_f32, F32, (F32, F32, F32), (float a, float b, float c), middle(a, b, c))
  LANE_OP(v_trunc_f32, F32, (F32), (float a), __builtin_truncf(a))
  LANE_OP(v_ceil_f32, F32, (F32), (float a), __builtin_ceilf(a))
  LANE_OP(v_floor_f32, F32, (F32), (float a), __builtin_floorf(a))
  LANE_OP(v_rndne_f32, F32, (F32), (float a), __builtin_roundevenf(a))
  LANE_OP(v_fract_f32, F32, (F32), (float a), fraction<float>(a, 0x1.fffffep-1f))
  LANE_OP(v_ldexp_f32, F32, (F32, I32), (float a, i32 b), scaled(a, b))
  LANE_OP(v_frexp_mant_f32, F32, (F32), (float a), mantissa_of(a))
  LANE_OP(v_frexp_exp_i32_f32, I32, (F32), (float a), exponent_of(a))
  LANE_OP_OWN_NAN(v_div_fixup_f32, F32, (F32, F32, F32), (float a, float b, float c),
                  division_fixup(a, b, c))
  table.set(Opcode::v_div_scale_f32, &DivisionScale<float, F32>::run);
  table.set(Opcode::v_div_fmas_f32, &DivisionFma<float, F32>::run);
}

void fill_wide(Table table) {
  LANE_OP(v_add_f64, F64, (F64, F64), (double a, double b), a + b)
  LANE_OP(v_mul_f64, F64, (F64, F64), (double a, double b), a * b)
  LANE_OP(v_fma_f64, F64, (F64, F64, F64), (double a, double b, double c), __builtin_fma(a, b, c))
  LANE_OP(v_fmac_f64, F64, (F64, F64, F64), (double a, double b, double c), __builtin_fma(a, b, c))
  LANE_OP_OWN_NAN(v_min_f64, F64, (F64, F64), (double a, double b), smaller(a, b))
  LANE_OP_OWN_NAN(v_max_f64, F64, (F64, F64), (double a, double b), larger(a, b))
  LANE_OP(v_trunc_f64, F64, (F64), (double a), __builtin_trunc(a))
  LANE_OP(v_ceil_f64, F64, (F64), (double a), __builtin_ceil(a))
  LANE_OP(v_floor_f64, F64, (F64), (double a), __builtin_floor(a))
  LANE_OP(v_rndne_f64, F64, (F64), (double a), __builtin_roundeven(a))
  LANE_OP(v_fract_f64, F64, (F64), (double a), fraction<double>(a, 0x1.fffffffffffffp-1))
  LANE_OP(v_ldexp_f64, F64, (F64, I32), (double a, i32 b), scaled(a, b))
  LANE_OP(v_frexp_mant_f64, F64, (F64), (double a), mantissa_of(a))
  LANE_OP(v_frexp_exp_i32_f64, I32, (F64), (double a), exponent_of(a))
  LANE_OP_OWN_NAN(v_div_fixup_f64, F64, (F64, F64, F64), (double a, double b, double c),
                  division_fixup(a, b, c))
  LANE_OP_OWN_NAN(v_trig_preop_f64, F64, (F64, U32), (double a, u32 b), part_of_two_over_pi(a, b))
  table.set(Opcode::v_div_scale_f64, &DivisionScale<double, F64>::run);
  table.set(Opcode::v_div_fmas_f64, &DivisionFma<double, F64>::run);
}

void fill_half(Table table) {
  LANE_OP(v_add_f16, F16, (F16, F16), (float a, float b), a + b)
  LANE_OP(v_sub_f16, F16, (F16, F16), (float a, float b), a - b)
  LANE_OP(v_subrev_f16, F16, (F16, F16), (float a, float b), b - a)
  LANE_OP(v_mul_f16, F16, (F16, F16), (float a, float b), a * b)
  LANE_OP(v_fma_f16, F16, (F16, F16, F16), (float a, float b, float c), fma_of_halves(a, b, c))
  LANE_OP_OWN_NAN(v_min_f16, F16, (F16, F16), (float a, float b), smaller(a, b))
  LANE_OP_OWN_NAN(v_max_f16, F16, (F16, F16), (float a, float b), larger(a, b))
  LANE_OP_OWN_NAN(v_min3_f16, F16, (F16, F16, F16), (float a, float b, float c),
                  smaller(smaller(a, b), c))
  LANE_OP_OWN_NAN(v_max3_f16, F16, (F16, F16, F16), (float a, float b, float c),
                  larger(larger(a, b), c))
  LANE_OP_OWN_NAN(v_med3_f16, F16, (F16, F16, F16), (float a, float b, float c), middle(a, b, c))
  LANE_OP(v_trunc_f16, F16, (F16), (float a), __builtin_truncf(a))
  LANE_OP(v_ceil_f16, F16, (F16), (float a), __builtin_ceilf(a))
  LANE_OP(v_floor_f16, F16, (F16), (float a), __builtin_floorf(a))
  LANE_OP(v_rndne_f16, F16, (F16), (float a), __builtin_roundevenf(a))
  LANE_OP(v_fract_f16, F16, (F16), (float a), half_fraction(a))
  LANE_OP(v_frexp_mant_f16, F16, (F16), (float a), mantissa_of(a))
  LANE_OP(v_frexp_exp_i16_f16, I16, (F16), (float a), exponent_of(a))
  LANE_OP_OWN_NAN(v_div_fixup_f16, F16, (F16, F16, F16), (float a, float b, float c),
                  half_division_fixup(a, b, c))
  LANE_OP(v_fma_legacy_f16, F16, (F16, F16, F16), (float a, float b, float c),
          fma_of_halves(a, b, c))
  LANE_OP_OWN_NAN(v_div_fixup_legacy_f16, F16, (F16, F16, F16), (float a, float b, float c),
                  half_division_fixup(a, b, c))
  table.set(Opcode::v_mad_f16, &HalfMad::run);
  table.set(Opcode::v_mad_legacy_f16, &HalfMad::run);
  table.set(Opcode::v_mac_f16, &HalfMad::run);
  table.set(Opcode::v_madak_f16, &HalfMad::run);
  table.set(Opcode::v_madmk_f16, &HalfMad::run);
  LANE_OP(v_ldexp_f16, F16, (F16, I16), (float a, i32 b), half_scaled(a, b))
}

// Hardware's results are within about 1 ulp; these are rounded correctly, so the last bits may
// differ. Denormals are not supported by f32's.
inline float flushed(float x) { return is_denormal(x) ? x * 0 : x; }

void fill_approximate(Table table) {
  LANE_OP(v_rcp_f32, F32, (F32), (float a), 1 / a)
  LANE_OP(v_rcp_iflag_f32, F32, (F32), (float a), 1 / a)
  LANE_OP(v_rsq_f32, F32, (F32), (float a),
          static_cast<float>(1 / __builtin_sqrt(static_cast<double>(a))))
  LANE_OP(v_sqrt_f32, F32, (F32), (float a), __builtin_sqrtf(a))
  LANE_OP(v_exp_f32, F32, (F32), (float a), flushed(__builtin_exp2f(a)))
  LANE_OP(v_log_f32, F32, (F32), (float a), __builtin_log2f(flushed(a)))
  LANE_OP(v_rcp_f64, F64, (F64), (double a), 1 / a)
  LANE_OP(v_rsq_f64, F64, (F64), (double a), 1 / __builtin_sqrt(a))
  LANE_OP(v_sqrt_f64, F64, (F64), (double a), __builtin_sqrt(a))
  LANE_OP(v_rcp_f16, F16, (F16), (float a), 1 / a)
  LANE_OP(v_rsq_f16, F16, (F16), (float a), 1 / __builtin_sqrtf(a))
  LANE_OP(v_sqrt_f16, F16, (F16), (float a), __builtin_sqrtf(a))
  LANE_OP(v_exp_f16, F16, (F16), (float a), __builtin_exp2f(a))
  LANE_OP(v_log_f16, F16, (F16), (float a), __builtin_log2f(a))
  LANE_OP(v_exp_legacy_f32, F32, (F32), (float a), flushed(__builtin_exp2f(a)))
  LANE_OP(v_log_legacy_f32, F32, (F32), (float a), __builtin_log2f(flushed(a)))
  // The source is in revolutions.
  LANE_OP(v_sin_f16, F16, (F16), (float a),
          static_cast<float>(__builtin_sin((a - __builtin_floor(a)) * 6.283185307179586)))
  LANE_OP(v_cos_f16, F16, (F16), (float a),
          static_cast<float>(__builtin_cos((a - __builtin_floor(a)) * 6.283185307179586)))
  LANE_OP(v_sin_f32, F32, (F32), (float a),
          static_cast<float>(__builtin_sin((a - __builtin_floor(a)) * 6.283185307179586)))
  LANE_OP(v_cos_f32, F32, (F32), (float a),
          static_cast<float>(__builtin_cos((a - __builtin_floor(a)) * 6.283185307179586)))
}

}  // namespace

void fill_float(Table table) {
  fill_single(table);
  fill_wide(table);
  fill_half(table);
  fill_cube(table);
  fill_approximate(table);
}

}  // namespace greta::isa::GRETA_LANES
