// v_cmp, v_cmpx and v_cndmask.
#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {
namespace {

struct Never {
  template <class T>
  static inline bool run(T, T) {
    return false;
  }
};
struct Less {
  template <class T>
  static inline bool run(T a, T b) {
    return a < b;
  }
};
struct Equal {
  template <class T>
  static inline bool run(T a, T b) {
    return a == b;
  }
};
struct LessEqual {
  template <class T>
  static inline bool run(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  static inline bool run(T a, T b) {
    return a > b;
  }
};
struct NotEqual {
  template <class T>
  static inline bool run(T a, T b) {
    return a != b;
  }
};
struct LessGreater {
  template <class T>
  static inline bool run(T a, T b) {
    return (a < b) | (a > b);
  }
};
struct GreaterEqual {
  template <class T>
  static inline bool run(T a, T b) {
    return a >= b;
  }
};
struct Ordered {
  template <class T>
  static inline bool run(T a, T b) {
    return (a == a) & (b == b);
  }
};
struct Always {
  template <class T>
  static inline bool run(T, T) {
    return true;
  }
};
template <class F>
struct Not {
  template <class T>
  static inline bool run(T a, T b) {
    return !F::run(a, b);
  }
};

template <class F, class T>
void set_both(Table table, Opcode compare, Opcode with_exec) {
  table.set(compare, &Compare<F, T, T>::run);
  table.set(with_exec, &CompareExec<F, T, T>::run);
}

#define BOTH(F, T, relation, type) \
  set_both<F, T>(table, Opcode::v_cmp_##relation##_##type, Opcode::v_cmpx_##relation##_##type);
// clang-format off
#define INTEGER_COMPARES(T, type)                                                  \
  BOTH(Never, T, f, type)                                                          \
  BOTH(Less, T, lt, type)                                                          \
  BOTH(Equal, T, eq, type) BOTH(LessEqual, T, le, type) BOTH(Greater, T, gt, type) \
      BOTH(NotEqual, T, ne, type) BOTH(GreaterEqual, T, ge, type) BOTH(Always, T, t, type)
#define FLOAT_COMPARES(T, type)                                                                \
  BOTH(Never, T, f, type)                                                                      \
  BOTH(Less, T, lt, type)                                                                      \
  BOTH(Equal, T, eq, type) BOTH(LessEqual, T, le, type) BOTH(Greater, T, gt, type)             \
      BOTH(LessGreater, T, lg, type) BOTH(GreaterEqual, T, ge, type) BOTH(Ordered, T, o, type) \
          BOTH(Not<Ordered>, T, u, type) BOTH(Not<GreaterEqual>, T, nge, type)                 \
              BOTH(Not<LessGreater>, T, nlg, type) BOTH(Not<Greater>, T, ngt, type)            \
                  BOTH(Not<LessEqual>, T, nle, type) BOTH(Not<Equal>, T, neq, type)            \
                      BOTH(Not<Less>, T, nlt, type) BOTH(Always, T, tru, type)
// clang-format on

// Bits of a class mask: signaling NaN, quiet NaN, -infinity, -normal, -denormal, -0, and from +0 on
// the same upwards.
inline bool in_class(bool nan, bool quiet, bool infinite, bool zero, bool denormal, bool minus,
                     u32 mask) {
  const u32 size = infinite ? 0 : denormal ? 2 : zero ? 3 : 1;
  const u32 bit = nan ? (quiet ? 1 : 0) : minus ? 2 + size : 9 - size;
  return mask >> bit & 1;
}
struct ClassOfSingle {
  static inline bool run(u32 x, u32 mask) {
    const u32 m = x & 0x7fffffff;
    return in_class(m > 0x7f800000, x >> 22 & 1, m == 0x7f800000, m == 0, m < 0x800000 && m != 0,
                    x >> 31, mask);
  }
};
struct ClassOfHalf {
  static inline bool run(u32 x, u32 mask) {
    const u32 m = x & 0x7fff;
    return in_class(m > 0x7c00, x >> 9 & 1, m == 0x7c00, m == 0, m < 0x400 && m != 0, x >> 15 & 1,
                    mask);
  }
};
struct ClassOfWide {
  static inline bool run(u64 x, u32 mask) {
    const u64 m = x & 0x7fffffffffffffff;
    return in_class(m > 0x7ff0000000000000, x >> 51 & 1, m == 0x7ff0000000000000, m == 0,
                    m < 0x10000000000000 && m != 0, x >> 63, mask);
  }
};

// The bits of a number, on which neg and abs work as on numbers.
struct SingleBits : U32 {
  static constexpr Number number = Number::single;
};
struct HalfBits : U16 {
  static constexpr Number number = Number::half;
};
struct WideBits : U64 {
  static constexpr Number number = Number::wide;
};

template <class F, class A>
void set_class(Table table, Opcode compare, Opcode with_exec) {
  table.set(compare, &Compare<F, A, U32>::run);
  table.set(with_exec, &CompareExec<F, A, U32>::run);
}

// Source 2 is the mask that chooses.
void choose(Wave& w, const Step& s) {
  Row space[2][2], out[2];
  const u32* rows[2][2];
  source_rows<SingleBits>(w, s, 0, space[0], rows[0]);
  source_rows<SingleBits>(w, s, 1, space[1], rows[1]);
  select_lanes(scalar_source(w, s.source[2], 2), rows[0][0], rows[1][0], out[0].lane);
  store(w, s, written_lanes(w, s), 1, Number::integer, out);
}

}  // namespace

void fill_compare(Table table) {
  INTEGER_COMPARES(U32, u32)
  INTEGER_COMPARES(I32, i32)
  INTEGER_COMPARES(U64, u64)
  INTEGER_COMPARES(I64, i64)
  INTEGER_COMPARES(U16, u16)
  INTEGER_COMPARES(I16, i16)
  FLOAT_COMPARES(F32, f32)
  FLOAT_COMPARES(F64, f64)
  FLOAT_COMPARES(F16, f16)
  set_class<ClassOfSingle, SingleBits>(table, Opcode::v_cmp_class_f32, Opcode::v_cmpx_class_f32);
  set_class<ClassOfHalf, HalfBits>(table, Opcode::v_cmp_class_f16, Opcode::v_cmpx_class_f16);
  set_class<ClassOfWide, WideBits>(table, Opcode::v_cmp_class_f64, Opcode::v_cmpx_class_f64);
  table.set(Opcode::v_cndmask_b32, &choose);
}

}  // namespace greta::isa::GRETA_LANES
