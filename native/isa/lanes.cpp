// What modifiers do to sources and results: neg, abs, op_sel, SDWA, DPP, clamp, omod, MODE.
#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {
namespace {

u32 sign_bit(Number number) { return number == Number::half ? 0x8000u : 0x80000000u; }

void copy_rows(int words, Row* space, const u32** rows) {
  for (int i = 0; i < words; ++i) {
    if (rows[i] == space[i].lane) continue;
    __builtin_memcpy(space[i].lane, rows[i], sizeof(Row));
    rows[i] = space[i].lane;
  }
}

// The byte or word that SDWA selects, extended.
void select(u32* row, u32 selection, bool sign_extend) {
  if (selection == 6) return;
  const u32 width = selection < 4 ? 8 : 16;
  const u32 shift = selection < 4 ? selection * 8 : (selection - 4) * 16;
  for (int l = 0; l < kLanes; ++l) {
    const u32 value = row[l] >> shift & ((1u << width) - 1);
    const u32 top = 32 - width;
    row[l] = sign_extend ? static_cast<u32>(static_cast<i32>(value << top) >> top) : value;
  }
}

// The lane that a lane reads under DPP; -1 where there is none.
int dpp_source(u32 ctrl, int lane) {
  const int row = lane & ~15, in_row = lane & 15;
  if (ctrl <= 0xff) return (lane & ~3) | (ctrl >> (2 * (lane & 3)) & 3);
  const int amount = ctrl & 15;
  if (ctrl < 0x110) return in_row + amount < 16 ? lane + amount : -1;
  if (ctrl < 0x120) return in_row - amount >= 0 ? lane - amount : -1;
  if (ctrl < 0x130) return row | ((in_row - amount) & 15);
  switch (ctrl) {
    case 0x130:
      return lane + 1 < kLanes ? lane + 1 : -1;
    case 0x134:
      return (lane + 1) % kLanes;
    case 0x138:
      return lane - 1;
    case 0x13c:
      return (lane + kLanes - 1) % kLanes;
    case 0x140:
      return row | (15 - in_row);
    case 0x141:
      return (lane & ~7) | (7 - (lane & 7));
    case 0x142:
      return lane >= 16 ? row - 1 : -1;  // lane 15 of each row to the next row
    case 0x143:
      return lane >= 32 ? 31 : -1;  // lane 31 to the rows 2 and 3
    default:
      return row | amount;  // row_newbcast
  }
}

// A lane that is switched off gives nothing either.
bool dpp_is_valid(const Wave& w, u32 ctrl, int lane) {
  const int from = dpp_source(ctrl, lane);
  return from >= 0 && (w.exec() >> from & 1);
}

void permute(const Wave& w, u32 ctrl, int words, Row* space, const u32** rows) {
  for (int i = 0; i < words; ++i) {
    Row result;
    for (int l = 0; l < kLanes; ++l) {
      result.lane[l] = dpp_is_valid(w, ctrl, l) ? rows[i][dpp_source(ctrl, l)] : 0;
    }
    space[i] = result;
    rows[i] = space[i].lane;
  }
}

void negate_and_absolute(int words, Number number, bool negate, bool absolute, Row* space) {
  u32* row = space[words - 1].lane;
  const u32 sign = sign_bit(number);
  const u32 clear = absolute ? sign : 0, flip = negate ? sign : 0;
  for (int l = 0; l < kLanes; ++l) row[l] = (row[l] & ~clear) ^ flip;
}

bool is_denormal(u64 bits, Number number) {
  switch (number) {
    case Number::half:
      return (bits & 0x7c00) == 0 && (bits & 0x3ff) != 0;
    case Number::single:
      return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
    case Number::wide:
      return (bits & 0x7ff0000000000000) == 0 && (bits & 0xfffffffffffff) != 0;
    default:
      return false;
  }
}

u32 denormal_bits(const Wave& w, Number number) {
  return number == Number::single ? w.mode >> 4 & 3 : w.mode >> 6 & 3;
}

void flush(int words, Number number, Row* space) {
  for (int l = 0; l < kLanes; ++l) {
    u64 bits = space[0].lane[l];
    if (words == 2) bits |= static_cast<u64>(space[1].lane[l]) << 32;
    if (!is_denormal(bits, number)) continue;
    if (words == 2) space[0].lane[l] = 0;
    space[words - 1].lane[l] &= sign_bit(number);
  }
}

double multiplier(u32 omod) { return omod == 1 ? 2.0 : omod == 2 ? 4.0 : omod == 3 ? 0.5 : 1.0; }

// omod, then clamp to [0, 1]; NaN becomes 0 under DX10_CLAMP, which is always on here.
void scale_and_clamp(const Step& s, int words, Number number, Row* rows) {
  const double factor = multiplier(s.instruction.omod);
  for (int l = 0; l < kLanes; ++l) {
    u64 bits = rows[0].lane[l];
    if (words == 2) bits |= static_cast<u64>(rows[1].lane[l]) << 32;
    double x = number == Number::half     ? float_of_half(static_cast<u32>(bits) & 0xffff)
               : number == Number::single ? bits_as<float>(static_cast<u32>(bits))
                                          : bits_as<double>(bits);
    const bool nan = x != x;
    x *= factor;
    if (s.instruction.clamp) x = !(x > 0) ? 0 : x > 1 ? 1 : x;
    if (nan && !s.instruction.clamp) continue;
    if (number == Number::half) {
      rows[0].lane[l] = half_of_float(static_cast<float>(x));
    } else if (number == Number::single) {
      rows[0].lane[l] = bits_as<u32>(static_cast<float>(x));
    } else {
      bits = bits_as<u64>(x);
      rows[0].lane[l] = static_cast<u32>(bits);
      rows[1].lane[l] = static_cast<u32>(bits >> 32);
    }
  }
}

void store_selected(Wave& w, const Step& s, u64 lanes, const u32* from) {
  const u32 selection = s.instruction.dst_sel, unused = s.instruction.dst_unused;
  const u32 width = selection == 6 ? 32 : selection < 4 ? 8 : 16;
  const u32 shift = selection == 6 ? 0 : selection < 4 ? selection * 8 : (selection - 4) * 16;
  const u32 part = width == 32 ? ~0u : (1u << width) - 1;
  u32* to = w.v[s.vdst];
  Row out;
  for (int l = 0; l < kLanes; ++l) {
    const u32 value = (from[l] & part) << shift;
    const u32 above =
        width == 32 || !(from[l] >> (width - 1) & 1) ? 0 : ~(((part << shift) - 1) | part << shift);
    const u32 rest = unused == 2 ? to[l] & ~(part << shift) : unused == 1 ? above : 0;
    out.lane[l] = value | rest;
  }
  copy_lanes(w, lanes, out.lane, to);
}

void store_half(Wave& w, const Step& s, u64 lanes, const u32* from) {
  const u32 shift = s.instruction.op_sel & 8 ? 16 : 0;
  u32* to = w.v[s.vdst];
  Row out;
  for (int l = 0; l < kLanes; ++l) {
    out.lane[l] = (from[l] & 0xffff) << shift | (to[l] & ~(0xffffu << shift));
  }
  copy_lanes(w, lanes, out.lane, to);
}

}  // namespace

void changed_rows(const Wave& w, const Step& s, int source, int words, Number number, Row* space,
                  const u32** rows) {
  const Instruction& i = s.instruction;
  plain_rows(w, s.source[source], words, space, rows);
  if (i.form == Form::dpp && source == 0) permute(w, i.dpp_ctrl, words, space, rows);
  copy_rows(words, space, rows);
  if (i.form == Form::sdwa && source < 2) {
    select(space[0].lane, i.src_sel[source], i.sext >> source & 1);
  }
  if (i.row->has(has_opsel) && (i.op_sel >> source & 1)) select(space[0].lane, 5, false);
  const bool negate = i.neg >> source & 1, absolute = i.abs >> source & 1;
  if (negate || absolute) negate_and_absolute(words, number, negate, absolute, space);
}

void flush_rows(const Wave& w, int words, Number number, Row* space, const u32** rows) {
  if (denormal_bits(w, number) & 1) return;
  copy_rows(words, space, rows);
  flush(words, number, space);
}

void flush_results(const Wave& w, int words, Number number, Row* rows) {
  if ((denormal_bits(w, number) & 2) == 0) flush(words, number, rows);
}

u64 dpp_lanes(const Wave& w, const Step& s) {
  const Instruction& i = s.instruction;
  u64 lanes = 0;
  for (int l = 0; l < kLanes; ++l) {
    const bool row = i.row_mask >> (l / 16) & 1, bank = i.bank_mask >> (l % 16 / 4) & 1;
    const bool fed = i.bound_ctrl || dpp_is_valid(w, i.dpp_ctrl, l);
    if (row && bank && fed) lanes |= u64{1} << l;
  }
  return lanes & w.exec();
}

void store_changed(Wave& w, const Step& s, u64 lanes, int words, Number number,
                   const Row* results) {
  Row rows[2];
  for (int i = 0; i < words; ++i) rows[i] = results[i];
  const bool scales = s.instruction.clamp || s.instruction.omod != 0;
  if (scales && number != Number::integer) scale_and_clamp(s, words, number, rows);
  if (s.instruction.form == Form::sdwa) {
    store_selected(w, s, lanes, rows[0].lane);
  } else if (s.instruction.row->has(has_opsel) && s.half_result) {
    store_half(w, s, lanes, rows[0].lane);
  } else {
    for (int i = 0; i < words; ++i) copy_lanes(w, lanes, rows[i].lane, w.v[s.vdst + i]);
  }
}

void RoundingMode::set(u32 mode) {
  static constexpr u32 kBits[] = {0x0000, 0x4000, 0x2000, 0x6000};  // MXCSR: up, down, to zero
  before_ = _mm_getcsr();
  const u32 changed = (before_ & ~0x6000u) | kBits[mode];
  asm volatile("ldmxcsr %0" : : "m"(changed) : "memory");
}

void RoundingMode::restore() { asm volatile("ldmxcsr %0" : : "m"(before_) : "memory"); }

}  // namespace greta::isa::GRETA_LANES
