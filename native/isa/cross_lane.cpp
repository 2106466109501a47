// Operations that look at other lanes, or move between scalar, vector and accumulation registers.
#include "isa/lanes.h"

namespace greta::isa::GRETA_LANES {
namespace {

u32 value_in(const Wave& w, const Source& s, u32 lane) {
  return s.kind == Source::vector ? w.v[s.index][lane] : static_cast<u32>(scalar_source(w, s, 1));
}

void read_first_lane(Wave& w, const Step& s) {
  const u64 exec = w.exec();
  const u32 lane = exec == 0 ? 0 : static_cast<u32>(__builtin_ctzll(exec));
  w.s[s.sdst] = value_in(w, s.source[0], lane);
}

void read_lane(Wave& w, const Step& s) {
  const u32 lane = static_cast<u32>(scalar_source(w, s.source[1], 1)) & 63;
  w.s[s.sdst] = value_in(w, s.source[0], lane);
}

// Whether the lane is active or not.
void write_lane(Wave& w, const Step& s) {
  const u32 lane = static_cast<u32>(scalar_source(w, s.source[1], 1)) & 63;
  w.v[s.vdst][lane] = static_cast<u32>(scalar_source(w, s.source[0], 1));
}

// How many bits of the mask belong to lanes below this one, in one half of the wave.
template <bool High>
void count_below(Wave& w, const Step& s) {
  Row space[2][2], out[2];
  const u32* rows[2][2];
  source_rows<U32>(w, s, 0, space[0], rows[0]);
  source_rows<U32>(w, s, 1, space[1], rows[1]);
  if (s.plain && s.source[0].kind == Source::value && s.source[0].constant == ~u64{0}) {
    for (u32 l = 0; l < kLanes; ++l) {  // all lanes: a lane's own number, as most programs ask
      out[0].lane[l] = rows[1][0][l] + (High ? (l < 32 ? 0 : l - 32) : (l < 32 ? l : 32));
    }
  } else {
    for (u32 l = 0; l < kLanes; ++l) {
      const u32 all = ~0u;
      const u32 below = High ? (l < 32 ? 0 : (1u << (l - 32)) - 1) : (l < 32 ? (1u << l) - 1 : all);
      out[0].lane[l] = static_cast<u32>(__builtin_popcount(rows[0][0][l] & below)) + rows[1][0][l];
    }
  }
  store(w, s, written_lanes(w, s), 1, Number::integer, out);
}

void swap(Wave& w, const Step& s) {
  u32* a = w.v[s.vdst];
  u32* b = w.v[s.source[0].index];
  Row old;
  copy_row(a, old.lane);
  copy_lanes(w, w.exec(), b, a);
  copy_lanes(w, w.exec(), old.lane, b);
}

}  // namespace

void fill_cross_lane(Table table) {
  table.set(Opcode::v_readfirstlane_b32, &read_first_lane);
  table.set(Opcode::v_readlane_b32, &read_lane);
  table.set(Opcode::v_writelane_b32, &write_lane);
  table.set(Opcode::v_mbcnt_lo_u32_b32, &count_below<false>);
  table.set(Opcode::v_mbcnt_hi_u32_b32, &count_below<true>);
  table.set(Opcode::v_swap_b32, &swap);
  LANE_OP(v_accvgpr_read_b32, U32, (U32), (u32 a), a)
  LANE_OP(v_accvgpr_write_b32, U32, (U32), (u32 a), a)
  LANE_OP(v_accvgpr_mov_b32, U32, (U32), (u32 a), a)
}

void fill_vector(HandlerTable table, HandlerTable saturating) {
  fill_integer(table);
  fill_float(table);
  fill_convert(table);
  fill_compare(table);
  fill_packed(table);
  fill_cross_lane(table);
  fill_memory(table);
  fill_typed(table);
  fill_lds(table);
  fill_matrix(table);
  fill_saturating(saturating);
}

}  // namespace greta::isa::GRETA_LANES
