// Scalar, global, flat, scratch and buffer memory.
#include "isa/access.h"

namespace greta::isa::GRETA_LANES {

void set_fault(Wave& w, FaultKind kind, AccessKind access, u32 bytes, u64 lanes, u64 address) {
  w.fault.kind = kind;
  w.fault.access = access;
  w.fault.bytes = bytes;
  w.fault.lanes = lanes;
  w.fault.lane = lanes == 0 ? 0 : static_cast<u32>(__builtin_ctzll(lanes));
  w.fault.address = address;
  w.state = WaveState::faulted;
}

namespace {

bool covers(const Range& range, u32 bytes, AccessKind kind) {
  return range.end > range.begin && range.end - range.begin >= bytes &&
         (kind == AccessKind::read || range.writable);
}

// The lanes whose bytes do not lie in the range.
u64 outside(const Range& range, const u64* address, u32 bytes) {
  const u64 begin = range.begin, room = range.end - range.begin - bytes;
  Row out;
  GRETA_EACH_LANE { out.lane[l] = address[l] - begin > room ? ~0u : 0; }
  return collect(out.lane);
}

}  // namespace

bool check_global(Wave& w, const Step& s, const Accesses& a, u32 bytes, AccessKind kind) {
  Range& range = w.remembered[s.memory];
  u64 left = a.lanes, refused = 0;
  if (covers(range, bytes, kind)) left &= outside(range, a.address, bytes);
  while (left != 0) {
    const int lane = __builtin_ctzll(left);
    Range around;
    if (w.memory->allows(a.address[lane], bytes, kind, &around)) {
      range = around;
      left &= left - 1;
      if (covers(range, bytes, kind)) left &= outside(range, a.address, bytes);
    } else {
      refused |= u64{1} << lane;
      left &= left - 1;
    }
  }
  if (refused == 0) return true;
  set_fault(w, FaultKind::memory, kind, bytes, refused, a.address[__builtin_ctzll(refused)]);
  return false;
}

bool check_one(Wave& w, const Step& s, u64 address, u32 bytes, AccessKind kind) {
  Accesses a;
  for (u64& each : a.address) each = address;
  a.lanes = 1;
  return check_global(w, s, a, bytes, kind);
}

namespace {

// -- addresses -----------------------------------------------------------------------------------

void vector_addresses(const Wave& w, const Operand& o, u64 base, Accesses* a) {
  if (o.kind != OperandKind::vgpr) {
    for (u64& each : a->address) each = base;
  } else if (o.width == 2) {
    const u32* low = w.v[o.index];
    const u32* high = w.v[o.index + 1];
    GRETA_EACH_LANE { a->address[l] = base + (low[l] | static_cast<u64>(high[l]) << 32); }
  } else {
    const u32* low = w.v[o.index];
    GRETA_EACH_LANE { a->address[l] = base + low[l]; }
  }
}

const Operand& operand(const Step& s, Role role) { return *s.instruction.operand(role); }

struct Global {
  static bool resolve(Wave& w, const Step& s, u32 bytes, AccessKind kind, Accesses* a) {
    const Operand& scalar = operand(s, Role::saddr);
    u64 base = static_cast<u64>(static_cast<i64>(s.instruction.offset));
    if (scalar.kind == OperandKind::scalar) base += w.pair(scalar.index);
    vector_addresses(w, operand(s, Role::addr), base, a);
    a->lanes = w.exec();
    return check_global(w, s, *a, bytes, kind);
  }
};

// Offsets within a lane's scratch to addresses of the host.
bool to_scratch(Wave& w, u32 bytes, AccessKind kind, u64 lanes, Accesses* a) {
  u64 refused = 0;
  each_lane(lanes, [&](int l) {
    const u64 offset = a->address[l];
    if (offset > w.scratch_bytes || w.scratch_bytes - offset < bytes) {
      if (refused == 0) set_fault(w, FaultKind::scratch, kind, bytes, u64{1} << l, offset);
      refused |= u64{1} << l;
      return;
    }
    a->address[l] =
        reinterpret_cast<uintptr_t>(w.scratch) + static_cast<u64>(l) * w.scratch_bytes + offset;
  });
  if (refused != 0) w.fault.lanes = refused;
  return refused == 0;
}

bool to_lds(Wave& w, u32 bytes, AccessKind kind, u64 lanes, Accesses* a) {
  u64 refused = 0;
  each_lane(lanes, [&](int l) {
    const u64 offset = a->address[l];
    if (offset > w.lds_bytes || w.lds_bytes - offset < bytes) {
      if (refused == 0) set_fault(w, FaultKind::lds, kind, bytes, u64{1} << l, offset);
      refused |= u64{1} << l;
      return;
    }
    a->address[l] = reinterpret_cast<uintptr_t>(w.lds) + offset;
  });
  if (refused != 0) w.fault.lanes = refused;
  return refused == 0;
}

struct Scratch {
  static bool resolve(Wave& w, const Step& s, u32 bytes, AccessKind kind, Accesses* a) {
    const Operand& scalar = operand(s, Role::saddr);
    u64 base = static_cast<u64>(static_cast<i64>(s.instruction.offset));
    if (scalar.kind == OperandKind::scalar) base += w.s[scalar.index];
    vector_addresses(w, operand(s, Role::addr), base, a);
    for (u64& each : a->address) each = static_cast<u32>(each);
    a->lanes = w.exec();
    return to_scratch(w, bytes, kind, a->lanes, a);
  }
};

// The upper half of a flat address says whether it is LDS, scratch or global memory.
struct Flat {
  static bool resolve(Wave& w, const Step& s, u32 bytes, AccessKind kind, Accesses* a) {
    vector_addresses(w, operand(s, Role::addr), static_cast<u64>(s.instruction.offset), a);
    a->lanes = w.exec();
    u64 lds = 0, scratch = 0;
    each_lane(a->lanes, [&](int l) {
      const u32 upper = static_cast<u32>(a->address[l] >> 32);
      if (upper == w.apertures.shared) lds |= u64{1} << l;
      if (upper == w.apertures.priv) scratch |= u64{1} << l;
    });
    each_lane(lds | scratch, [&](int l) { a->address[l] = static_cast<u32>(a->address[l]); });
    Accesses global = *a;
    global.lanes &= ~(lds | scratch);
    return check_global(w, s, global, bytes, kind) && to_lds(w, bytes, kind, lds, a) &&
           to_scratch(w, bytes, kind, scratch, a);
  }
};

// A buffer: base, stride and size come from four SGPRs. What lies beyond the size reads as zero and
// is not written; that is no fault.
struct Buffer {
  static bool resolve(Wave& w, const Step& s, u32 bytes, AccessKind kind, Accesses* a) {
    const Instruction& i = s.instruction;
    const u32* resource = &w.s[operand(s, Role::srsrc).index];
    const u64 base = resource[0] | static_cast<u64>(resource[1] & 0xffff) << 32;
    const u32 stride = resource[1] >> 16 & 0x3fff, records = resource[2];
    const bool add_lane = resource[3] >> 23 & 1;
    const u64 scalar = static_cast<u32>(scalar_source(w, s.source[0], 1));
    const Operand& vector = operand(s, Role::vaddr);
    a->lanes = 0;
    each_lane(w.exec(), [&](int l) {
      u64 index = i.idxen ? w.v[vector.index][l] : 0;
      if (add_lane) index += static_cast<u64>(l);
      const u64 offset =
          static_cast<u64>(i.offset) + (i.offen ? w.v[vector.index + i.idxen][l] : 0);
      const bool structured = stride != 0 && (i.idxen || add_lane);
      const u64 linear = offset + scalar;
      const bool inside = structured ? index < records : linear + bytes <= records;
      a->address[l] = base + index * stride + linear;
      if (inside) a->lanes |= u64{1} << l;
    });
    return check_global(w, s, *a, bytes, kind);
  }
};

// -- instructions --------------------------------------------------------------------------------

u32 row_of_operand(const Operand& o) { return o.index + (o.kind == OperandKind::acc ? 256u : 0u); }

u32 data_row(const Step& s) {
  for (const Role role : {Role::data, Role::data0, Role::vdata}) {
    if (const Operand* o = s.instruction.operand(role)) return row_of_operand(*o);
  }
  return 0;
}
u32 result_row(const Step& s) {
  const Operand* o = s.instruction.operand(Role::vdst);
  return o != nullptr ? row_of_operand(*o) : data_row(s);
}

template <class Space, int Bytes, Extend E>
void load(Wave& w, const Step& s) {
  Accesses a;
  if (!Space::resolve(w, s, Bytes, AccessKind::read, &a)) return;
  const u32 row = result_row(s);
  const u64 exec = w.exec();
  load_lanes<Bytes, E>(w, row, a);
  if (__is_same(Space, Buffer)) {
    each_lane(exec & ~a.lanes, [&](int l) {
      w.v[row][l] = extended<Bytes, E>(0, w.v[row][l]);
      for (int i = 1; i < Bytes / 4; ++i) w.v[row + i][l] = 0;
    });
  }
}

template <class Space, int Bytes, bool High>
void store_to(Wave& w, const Step& s) {
  Accesses a;
  if (Space::resolve(w, s, Bytes, AccessKind::write, &a))
    store_lanes<Bytes, High>(w, data_row(s), a);
}

// Atomics must be aligned.
bool aligned(Wave& w, const Accesses& a, u32 bytes) {
  u64 refused = 0;
  each_lane(a.lanes, [&](int l) {
    if (bytes_misaligned(a.address[l], bytes)) refused |= u64{1} << l;
  });
  if (refused == 0) return true;
  set_fault(w, FaultKind::memory, AccessKind::atomic, bytes, refused,
            a.address[__builtin_ctzll(refused)]);
  return false;
}

template <class Space, class F, class T>
void atomic(Wave& w, const Step& s) {
  Accesses a;
  if (!Space::resolve(w, s, sizeof(T), AccessKind::atomic, &a) || !aligned(w, a, sizeof(T))) return;
  const u32 data = data_row(s), result = result_row(s);
  const bool returns = s.instruction.sc0;
  each_lane(a.lanes, [&](int l) {
    const T old = update<F, T>(a.address[l], register_value<T>(w, data, l));
    if (returns) set_register_value<T>(w, result, l, old);
  });
  if (__is_same(Space, Buffer) && returns) {
    each_lane(w.exec() & ~a.lanes, [&](int l) { set_register_value<T>(w, result, l, 0); });
  }
}

// The new value is the first, the expected one the second part of the data.
template <class Space, class T>
void compare_swap(Wave& w, const Step& s) {
  Accesses a;
  if (!Space::resolve(w, s, sizeof(T), AccessKind::atomic, &a) || !aligned(w, a, sizeof(T))) return;
  const u32 data = data_row(s), result = result_row(s);
  each_lane(a.lanes, [&](int l) {
    T expected = register_value<T>(w, data + sizeof(T) / 4, l);
    const T desired = register_value<T>(w, data, l);
    __atomic_compare_exchange_n(reinterpret_cast<T*>(host(a.address[l])), &expected, desired, false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (s.instruction.sc0) set_register_value<T>(w, result, l, expected);
  });
}

#define LOADS_AND_STORES(prefix, Space)                                                   \
  table.set(Opcode::prefix##_load_ubyte, &load<Space, 1, Extend::none>);                  \
  table.set(Opcode::prefix##_load_sbyte, &load<Space, 1, Extend::sign>);                  \
  table.set(Opcode::prefix##_load_ushort, &load<Space, 2, Extend::none>);                 \
  table.set(Opcode::prefix##_load_sshort, &load<Space, 2, Extend::sign>);                 \
  table.set(Opcode::prefix##_load_dword, &load<Space, 4, Extend::none>);                  \
  table.set(Opcode::prefix##_load_dwordx2, &load<Space, 8, Extend::none>);                \
  table.set(Opcode::prefix##_load_dwordx3, &load<Space, 12, Extend::none>);               \
  table.set(Opcode::prefix##_load_dwordx4, &load<Space, 16, Extend::none>);               \
  table.set(Opcode::prefix##_load_ubyte_d16, &load<Space, 1, Extend::low_half>);          \
  table.set(Opcode::prefix##_load_ubyte_d16_hi, &load<Space, 1, Extend::high_half>);      \
  table.set(Opcode::prefix##_load_sbyte_d16, &load<Space, 1, Extend::low_half_sign>);     \
  table.set(Opcode::prefix##_load_sbyte_d16_hi, &load<Space, 1, Extend::high_half_sign>); \
  table.set(Opcode::prefix##_load_short_d16, &load<Space, 2, Extend::low_half>);          \
  table.set(Opcode::prefix##_load_short_d16_hi, &load<Space, 2, Extend::high_half>);      \
  table.set(Opcode::prefix##_store_byte, &store_to<Space, 1, false>);                     \
  table.set(Opcode::prefix##_store_byte_d16_hi, &store_to<Space, 1, true>);               \
  table.set(Opcode::prefix##_store_short, &store_to<Space, 2, false>);                    \
  table.set(Opcode::prefix##_store_short_d16_hi, &store_to<Space, 2, true>);              \
  table.set(Opcode::prefix##_store_dword, &store_to<Space, 4, false>);                    \
  table.set(Opcode::prefix##_store_dwordx2, &store_to<Space, 8, false>);                  \
  table.set(Opcode::prefix##_store_dwordx3, &store_to<Space, 12, false>);                 \
  table.set(Opcode::prefix##_store_dwordx4, &store_to<Space, 16, false>);

#define ATOMIC_PAIR(prefix, Space, name, F)                          \
  table.set(Opcode::prefix##_atomic_##name, &atomic<Space, F, u32>); \
  table.set(Opcode::prefix##_atomic_##name##_x2, &atomic<Space, F, u64>);
#define ATOMICS(prefix, Space)                                                   \
  ATOMIC_PAIR(prefix, Space, swap, AtomicSwap)                                   \
  ATOMIC_PAIR(prefix, Space, add, AtomicAdd)                                     \
  ATOMIC_PAIR(prefix, Space, sub, AtomicSub)                                     \
  ATOMIC_PAIR(prefix, Space, smin, AtomicSmin)                                   \
  ATOMIC_PAIR(prefix, Space, umin, AtomicUmin)                                   \
  ATOMIC_PAIR(prefix, Space, smax, AtomicSmax)                                   \
  ATOMIC_PAIR(prefix, Space, umax, AtomicUmax)                                   \
  ATOMIC_PAIR(prefix, Space, and, AtomicAnd)                                     \
  ATOMIC_PAIR(prefix, Space, or, AtomicOr)                                       \
  ATOMIC_PAIR(prefix, Space, xor, AtomicXor)                                     \
  ATOMIC_PAIR(prefix, Space, inc, AtomicInc)                                     \
  ATOMIC_PAIR(prefix, Space, dec, AtomicDec)                                     \
  table.set(Opcode::prefix##_atomic_cmpswap, &compare_swap<Space, u32>);         \
  table.set(Opcode::prefix##_atomic_cmpswap_x2, &compare_swap<Space, u64>);      \
  table.set(Opcode::prefix##_atomic_add_f32, &atomic<Space, AtomicAddF32, u32>); \
  table.set(Opcode::prefix##_atomic_add_f64, &atomic<Space, AtomicAddF64, u64>); \
  table.set(Opcode::prefix##_atomic_min_f64, &atomic<Space, AtomicMinF64, u64>); \
  table.set(Opcode::prefix##_atomic_max_f64, &atomic<Space, AtomicMaxF64, u64>); \
  table.set(Opcode::prefix##_atomic_pk_add_f16, &atomic<Space, AtomicPkAddF16, u32>);

// -- scalar memory -------------------------------------------------------------------------------

u64 scalar_offset(const Wave& w, const Step& s) {
  const Instruction& i = s.instruction;
  const Operand* o = i.operand(Role::soffset);
  u64 offset = i.imm ? static_cast<u64>(static_cast<i64>(i.offset)) : 0;
  if (o != nullptr && o->kind == OperandKind::scalar) offset += w.s[o->index];
  return offset;
}

template <int Words>
void scalar_load(Wave& w, const Step& s) {
  const u64 address = (w.pair(operand(s, Role::sbase).index) + scalar_offset(w, s)) & ~u64{3};
  if (!check_one(w, s, address, Words * 4, AccessKind::read)) return;
  __builtin_memcpy(&w.s[s.sdst], host(address), Words * 4);
}

// Words beyond the buffer's size read as zero.
template <int Words>
void scalar_buffer_load(Wave& w, const Step& s) {
  const u32* resource = &w.s[operand(s, Role::sbase).index];
  const u64 base = resource[0] | static_cast<u64>(resource[1] & 0xffff) << 32;
  const u32 stride = resource[1] >> 16 & 0x3fff;
  const u64 size = stride == 0 ? resource[2] : static_cast<u64>(stride) * resource[2];
  const u64 offset = scalar_offset(w, s) & ~u64{3};
  u32 words[Words] = {};
  for (u32 i = 0; i < Words; ++i) {
    const u64 at = offset + 4 * i;
    if (at + 4 > size) continue;
    if (!check_one(w, s, base + at, 4, AccessKind::read)) return;
    __builtin_memcpy(&words[i], host(base + at), 4);
  }
  __builtin_memcpy(&w.s[s.sdst], words, sizeof words);
}

}  // namespace

void fill_memory(Table table) {
  LOADS_AND_STORES(global, Global)
  LOADS_AND_STORES(flat, Flat)
  LOADS_AND_STORES(scratch, Scratch)
  LOADS_AND_STORES(buffer, Buffer)
  ATOMICS(global, Global)
  ATOMICS(flat, Flat)
  ATOMICS(buffer, Buffer)
  table.set(Opcode::s_load_dword, &scalar_load<1>);
  table.set(Opcode::s_load_dwordx2, &scalar_load<2>);
  table.set(Opcode::s_load_dwordx4, &scalar_load<4>);
  table.set(Opcode::s_load_dwordx8, &scalar_load<8>);
  table.set(Opcode::s_load_dwordx16, &scalar_load<16>);
  table.set(Opcode::s_buffer_load_dword, &scalar_buffer_load<1>);
  table.set(Opcode::s_buffer_load_dwordx2, &scalar_buffer_load<2>);
  table.set(Opcode::s_buffer_load_dwordx4, &scalar_buffer_load<4>);
  table.set(Opcode::s_buffer_load_dwordx8, &scalar_buffer_load<8>);
  table.set(Opcode::s_buffer_load_dwordx16, &scalar_buffer_load<16>);
}

}  // namespace greta::isa::GRETA_LANES
