// The block's local memory: DS.
#include "isa/access.h"

namespace greta::isa::GRETA_LANES {
namespace {

u32 row_of_operand(const Operand& o) { return o.index + (o.kind == OperandKind::acc ? 256u : 0u); }
u32 row_of(const Step& s, Role role) { return row_of_operand(*s.instruction.operand(role)); }

// Addresses of the host; false with the fault set where one lies beyond the block's LDS.
bool resolve(Wave& w, const Step& s, u32 offset, u32 bytes, AccessKind kind, Accesses* a) {
  const u32* from = w.v[s.instruction.operand(Role::addr)->index];
  const u64 base = reinterpret_cast<uintptr_t>(w.lds);
  const bool any = w.lds_bytes >= bytes;
  const u64 room = any ? w.lds_bytes - bytes : 0;
  Row beyond;
  GRETA_EACH_LANE {
    const u64 at = static_cast<u64>(from[l]) + offset;
    a->address[l] = base + at;
    beyond.lane[l] = at > room ? ~0u : 0;
  }
  a->lanes = w.exec();
  const u64 refused = a->lanes & (any ? collect(beyond.lane) : ~u64{0});
  if (refused == 0) return true;
  set_fault(w, FaultKind::lds, kind, bytes, refused,
            static_cast<u64>(from[__builtin_ctzll(refused)]) + offset);
  return false;
}

template <int Bytes, Extend E>
void read(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve(w, s, static_cast<u32>(s.instruction.offset), Bytes, AccessKind::read, &a)) return;
  load_lanes<Bytes, E>(w, row_of(s, Role::vdst), a);
}

template <int Bytes, bool High>
void write(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve(w, s, static_cast<u32>(s.instruction.offset), Bytes, AccessKind::write, &a)) return;
  store_lanes<Bytes, High>(w, row_of(s, Role::data0), a);
}

// Two places, in units of the element or of 64 of them. Both addresses are taken before anything is
// written, since the result may go where the address was.
template <int Bytes, int Stride>
void read_two(Wave& w, const Step& s) {
  Accesses first, second;
  const Instruction& i = s.instruction;
  if (!resolve(w, s, i.offset0 * Bytes * Stride, Bytes, AccessKind::read, &first)) return;
  if (!resolve(w, s, i.offset1 * Bytes * Stride, Bytes, AccessKind::read, &second)) return;
  const u32 row = row_of(s, Role::vdst);
  load_lanes<Bytes, Extend::none>(w, row, first);
  load_lanes<Bytes, Extend::none>(w, row + Bytes / 4, second);
}

template <int Bytes, int Stride>
void write_two(Wave& w, const Step& s) {
  Accesses first, second;
  const Instruction& i = s.instruction;
  if (!resolve(w, s, i.offset0 * Bytes * Stride, Bytes, AccessKind::write, &first)) return;
  if (!resolve(w, s, i.offset1 * Bytes * Stride, Bytes, AccessKind::write, &second)) return;
  store_lanes<Bytes, false>(w, row_of(s, Role::data0), first);
  store_lanes<Bytes, false>(w, row_of(s, Role::data1), second);
}

template <class F, class T, bool Returns>
void atomic(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve(w, s, static_cast<u32>(s.instruction.offset), sizeof(T), AccessKind::atomic, &a))
    return;
  const u32 data = row_of(s, Role::data0);
  const u32 result = Returns ? row_of(s, Role::vdst) : 0;
  each_lane(a.lanes, [&](int l) {
    T old;
    __builtin_memcpy(&old, host(a.address[l]), sizeof old);
    const T after = F::run(old, register_value<T>(w, data, l));
    __builtin_memcpy(host(a.address[l]), &after, sizeof after);
    if (Returns) set_register_value<T>(w, result, l, old);
  });
}

// data0 is what is expected, data1 the new value.
template <class T, bool Returns>
void compare_store(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve(w, s, static_cast<u32>(s.instruction.offset), sizeof(T), AccessKind::atomic, &a))
    return;
  const u32 expected = row_of(s, Role::data0), desired = row_of(s, Role::data1);
  const u32 result = Returns ? row_of(s, Role::vdst) : 0;
  each_lane(a.lanes, [&](int l) {
    T old;
    __builtin_memcpy(&old, host(a.address[l]), sizeof old);
    const T value = register_value<T>(w, desired, l);
    if (old == register_value<T>(w, expected, l)) {
      __builtin_memcpy(host(a.address[l]), &value, sizeof value);
    }
    if (Returns) set_register_value<T>(w, result, l, old);
  });
}

// -- lanes reading each other, without memory ----------------------------------------------------

u32 lane_address(const Wave& w, const Step& s, int l) {
  const u32 at = w.v[s.instruction.operand(Role::addr)->index][l];
  return (at + static_cast<u32>(s.instruction.offset)) >> 2 & 63;
}

// Each lane reads the lane it names; lanes that are switched off give 0.
void backward_permute(Wave& w, const Step& s) {
  const u32* data = w.v[row_of(s, Role::data0)];
  const u64 exec = w.exec();
  Row out;
  for (int l = 0; l < kLanes; ++l) {
    const u32 from = lane_address(w, s, l);
    out.lane[l] = exec >> from & 1 ? data[from] : 0;
  }
  u32* to = w.v[row_of(s, Role::vdst)];
  const u32* mask = exec_row(w);
  for (int l = 0; l < kLanes; ++l) to[l] = blend(mask[l], out.lane[l], to[l]);
}

// Each lane sends to the lane it names; of several the highest counts.
void forward_permute(Wave& w, const Step& s) {
  const u32* data = w.v[row_of(s, Role::data0)];
  Row out = {};
  each_lane(w.exec(), [&](int l) { out.lane[lane_address(w, s, l)] = data[l]; });
  u32* to = w.v[row_of(s, Role::vdst)];
  const u32* mask = exec_row(w);
  for (int l = 0; l < kLanes; ++l) to[l] = blend(mask[l], out.lane[l], to[l]);
}

// The lane that ds_swizzle reads: within quads, or within 32 lanes by and, or, xor masks.
int swizzled(u32 pattern, int lane) {
  if (pattern & 0x8000) return (lane & ~3) | (pattern >> (2 * (lane & 3)) & 3);
  const int in_half = ((lane & 31 & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
  return (lane & 32) | in_half;
}

void swizzle(Wave& w, const Step& s) {
  const u32* data = w.v[s.instruction.operand(Role::addr)->index];
  const u64 exec = w.exec();
  Row out;
  for (int l = 0; l < kLanes; ++l) {
    const int from = swizzled(static_cast<u32>(s.instruction.offset), l);
    out.lane[l] = exec >> from & 1 ? data[from] : 0;
  }
  u32* to = w.v[row_of(s, Role::vdst)];
  const u32* mask = exec_row(w);
  for (int l = 0; l < kLanes; ++l) to[l] = blend(mask[l], out.lane[l], to[l]);
}

#define LDS_ATOMIC(name, type, F, T)                           \
  table.set(Opcode::ds_##name##_##type, &atomic<F, T, false>); \
  table.set(Opcode::ds_##name##_rtn_##type, &atomic<F, T, true>);

void fill_atomics(Table table) {
  LDS_ATOMIC(add, u32, AtomicAdd, u32)
  LDS_ATOMIC(sub, u32, AtomicSub, u32)
  LDS_ATOMIC(rsub, u32, AtomicRsub, u32)
  LDS_ATOMIC(inc, u32, AtomicInc, u32)
  LDS_ATOMIC(dec, u32, AtomicDec, u32)
  LDS_ATOMIC(min, i32, AtomicSmin, u32)
  LDS_ATOMIC(max, i32, AtomicSmax, u32)
  LDS_ATOMIC(min, u32, AtomicUmin, u32)
  LDS_ATOMIC(max, u32, AtomicUmax, u32)
  LDS_ATOMIC(and, b32, AtomicAnd, u32)
  LDS_ATOMIC(or, b32, AtomicOr, u32)
  LDS_ATOMIC(xor, b32, AtomicXor, u32)
  LDS_ATOMIC(add, f32, AtomicAddF32, u32)
  LDS_ATOMIC(add, u64, AtomicAdd, u64)
  LDS_ATOMIC(sub, u64, AtomicSub, u64)
  LDS_ATOMIC(rsub, u64, AtomicRsub, u64)
  LDS_ATOMIC(inc, u64, AtomicInc, u64)
  LDS_ATOMIC(dec, u64, AtomicDec, u64)
  LDS_ATOMIC(min, i64, AtomicSmin, u64)
  LDS_ATOMIC(max, i64, AtomicSmax, u64)
  LDS_ATOMIC(min, u64, AtomicUmin, u64)
  LDS_ATOMIC(max, u64, AtomicUmax, u64)
  LDS_ATOMIC(and, b64, AtomicAnd, u64)
  LDS_ATOMIC(or, b64, AtomicOr, u64)
  LDS_ATOMIC(xor, b64, AtomicXor, u64)
  LDS_ATOMIC(add, f64, AtomicAddF64, u64)
  LDS_ATOMIC(pk_add, f16, AtomicPkAddF16, u32)
  table.set(Opcode::ds_wrxchg_rtn_b32, &atomic<AtomicSwap, u32, true>);
  table.set(Opcode::ds_wrxchg_rtn_b64, &atomic<AtomicSwap, u64, true>);
  table.set(Opcode::ds_cmpst_b32, &compare_store<u32, false>);
  table.set(Opcode::ds_cmpst_rtn_b32, &compare_store<u32, true>);
  table.set(Opcode::ds_cmpst_b64, &compare_store<u64, false>);
  table.set(Opcode::ds_cmpst_rtn_b64, &compare_store<u64, true>);
}

}  // namespace

void fill_lds(Table table) {
  table.set(Opcode::ds_read_u8, &read<1, Extend::none>);
  table.set(Opcode::ds_read_i8, &read<1, Extend::sign>);
  table.set(Opcode::ds_read_u16, &read<2, Extend::none>);
  table.set(Opcode::ds_read_i16, &read<2, Extend::sign>);
  table.set(Opcode::ds_read_b32, &read<4, Extend::none>);
  table.set(Opcode::ds_read_b64, &read<8, Extend::none>);
  table.set(Opcode::ds_read_b96, &read<12, Extend::none>);
  table.set(Opcode::ds_read_b128, &read<16, Extend::none>);
  table.set(Opcode::ds_read_u8_d16, &read<1, Extend::low_half>);
  table.set(Opcode::ds_read_u8_d16_hi, &read<1, Extend::high_half>);
  table.set(Opcode::ds_read_i8_d16, &read<1, Extend::low_half_sign>);
  table.set(Opcode::ds_read_i8_d16_hi, &read<1, Extend::high_half_sign>);
  table.set(Opcode::ds_read_u16_d16, &read<2, Extend::low_half>);
  table.set(Opcode::ds_read_u16_d16_hi, &read<2, Extend::high_half>);
  table.set(Opcode::ds_write_b8, &write<1, false>);
  table.set(Opcode::ds_write_b16, &write<2, false>);
  table.set(Opcode::ds_write_b8_d16_hi, &write<1, true>);
  table.set(Opcode::ds_write_b16_d16_hi, &write<2, true>);
  table.set(Opcode::ds_write_b32, &write<4, false>);
  table.set(Opcode::ds_write_b64, &write<8, false>);
  table.set(Opcode::ds_write_b96, &write<12, false>);
  table.set(Opcode::ds_write_b128, &write<16, false>);
  table.set(Opcode::ds_read2_b32, &read_two<4, 1>);
  table.set(Opcode::ds_read2_b64, &read_two<8, 1>);
  table.set(Opcode::ds_read2st64_b32, &read_two<4, 64>);
  table.set(Opcode::ds_read2st64_b64, &read_two<8, 64>);
  table.set(Opcode::ds_write2_b32, &write_two<4, 1>);
  table.set(Opcode::ds_write2_b64, &write_two<8, 1>);
  table.set(Opcode::ds_write2st64_b32, &write_two<4, 64>);
  table.set(Opcode::ds_write2st64_b64, &write_two<8, 64>);
  table.set(Opcode::ds_bpermute_b32, &backward_permute);
  table.set(Opcode::ds_permute_b32, &forward_permute);
  table.set(Opcode::ds_swizzle_b32, &swizzle);
  fill_atomics(table);
}

}  // namespace greta::isa::GRETA_LANES
