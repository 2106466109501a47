// Integer additions and subtractions with clamp: they stop at the end of their range.
#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {
namespace {

inline i32 within_word(i64 x) {
  return static_cast<i32>(x > 0x7fffffffLL ? 0x7fffffffLL : x < -0x80000000LL ? -0x80000000LL : x);
}
inline i32 within_half(i32 x) { return x > 0x7fff ? 0x7fff : x < -0x8000 ? -0x8000 : x; }

}  // namespace

void fill_saturating(Table table) {
  LANE_OP(v_add_u32, U32, (U32, U32), (u32 a, u32 b), a + b < a ? ~0u : a + b)
  LANE_OP(v_sub_u32, U32, (U32, U32), (u32 a, u32 b), a < b ? 0 : a - b)
  LANE_OP(v_subrev_u32, U32, (U32, U32), (u32 a, u32 b), b < a ? 0 : b - a)
  LANE_OP(v_add_i32, I32, (I32, I32), (i32 a, i32 b), within_word(i64{a} + b))
  LANE_OP(v_sub_i32, I32, (I32, I32), (i32 a, i32 b), within_word(i64{a} - b))
  LANE_OP(v_add_u16, U16, (U16, U16), (u32 a, u32 b), a + b > 0xffff ? 0xffff : a + b)
  LANE_OP(v_sub_u16, U16, (U16, U16), (u32 a, u32 b), a < b ? 0 : a - b)
  LANE_OP(v_subrev_u16, U16, (U16, U16), (u32 a, u32 b), b < a ? 0 : b - a)
  LANE_OP(v_add_i16, I16, (I16, I16), (i32 a, i32 b), within_half(a + b))
  LANE_OP(v_sub_i16, I16, (I16, I16), (i32 a, i32 b), within_half(a - b))
}

}  // namespace greta::isa::GRETA_LANES
