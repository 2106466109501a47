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

// The offsets from a base that lead to [begin, begin + room], as one comparison of 32 bits:
// offset - first <= span. False where none does.
bool offsets_of(u64 base, u64 begin, u64 room, u32* first, u32* span) {
  const u64 ahead = begin - base, behind = base - begin, most = 0xffffffff;
  if (ahead <= most) {
    const u64 last = room > most - ahead ? most : ahead + room;
    *first = static_cast<u32>(ahead);
    *span = static_cast<u32>(last - ahead);
    return true;
  }
  if (behind > room) return false;
  *first = 0;
  *span = static_cast<u32>(room - behind > most ? most : room - behind);
  return true;
}

}  // namespace

u64 outside(const Places& p, u64 begin, u64 room) {
  u32 first, span;
  if (!offsets_of(p.base, begin, room, &first, &span)) return p.lanes;
  const u32* offset = p.offset;
  return p.lanes & lanes_where([=](int l) { return offset[l] - first > span; });
}

namespace {

// Eight lanes one after the other are noted as one access, and so are such eights. What several
// lanes read is noted once.
void note_lanes(Wave& w, const Range& range, const Places& p, u64 lanes, u32 bytes,
                AccessKind kind) {
  u64 begin = 0, end = 0;
  const auto note = [&](u64 address, u64 size) {
    if (address == end) {
      end += size;
      return;
    }
    if (address - begin <= end - begin && size <= end - address) return;
    if (end != begin) w.memory->note(range, begin, end - begin, kind);
    begin = address;
    end = address + size;
  };
  for (int l = 0; l < kLanes; l += 8) {
    const u32 part = static_cast<u32>(lanes >> l) & 255;
    const Pattern pattern = part == 255 ? pattern_of(p.offset + l, bytes) : Pattern::any;
    if (pattern == Pattern::any) {
      each_lane(part, [&](int i) { note(p.address(l + i), bytes); });
    } else {
      note(p.address(l), pattern == Pattern::dense ? 8 * u64{bytes} : bytes);
    }
  }
  if (end != begin) w.memory->note(range, begin, end - begin, kind);
}

// Whether all lanes access one after the other, and do not wrap around.
inline bool is_dense(const Places& p, u32 bytes) {
  const u32* offset = p.offset;
  const u32 first = offset[0], last = offset[kLanes - 1];
  if (p.lanes != ~u64{0} || last < first || last - first != (kLanes - 1) * bytes) return false;
  return lanes_where([=](int l) { return offset[l] - first != static_cast<u32>(l) * bytes; }) == 0;
}

// The same as below in the most frequent case.
inline bool covers_dense(Wave& w, const Range& range, const Places& p, u32 bytes, AccessKind kind) {
  const u64 begin = p.address(0), size = u64{bytes} * kLanes;
  if (!covers(range, bytes, kind) || begin < range.begin || begin >= range.end ||
      range.end - begin < size)
    return false;
  if (range.notes != nullptr) w.memory->note(range, begin, size, kind);
  return true;
}

// The lanes that the range does not answer for.
inline u64 not_covered(Wave& w, const Range& range, const Places& p, u64 lanes, u32 bytes,
                       AccessKind kind) {
  if (!covers(range, bytes, kind)) return lanes;
  const u64 left = lanes & outside(p, range.begin, range.end - range.begin - bytes);
  if (range.notes != nullptr) note_lanes(w, range, p, lanes & ~left, bytes, kind);
  return left;
}

bool ask(Wave& w, Range& range, const Places& p, u32 bytes, AccessKind kind, AccessKind noted,
         u64 left) {
  u64 refused = 0;
  while (left != 0) {
    const int lane = __builtin_ctzll(left);
    Range around;
    if (w.memory->allows(p.address(lane), bytes, kind, &around)) {
      range = around;
      left = not_covered(w, range, p, left, bytes, noted);
    } else {
      refused |= u64{1} << lane;
    }
    left &= ~(u64{1} << lane);
  }
  if (refused == 0) return true;
  set_fault(w, FaultKind::memory, kind, bytes, refused, p.address(__builtin_ctzll(refused)));
  return false;
}

// A store that is coherent beyond its block is atomic, or volatile: another kernel may wait for it.
// A load of this kind is noted as any other, since what it reads may be what nobody wrote.
AccessKind noted_as(const Step& s, AccessKind kind) {
  return kind == AccessKind::write && s.instruction.sc1 ? AccessKind::atomic : kind;
}

}  // namespace

bool check_global(Wave& w, const Step& s, Places& p, u32 bytes, AccessKind kind) {
  Range& range = w.remembered[s.memory];
  const AccessKind noted = noted_as(s, kind);
  p.dense = is_dense(p, bytes);
  if (p.dense && !w.watched && covers_dense(w, range, p, bytes, noted)) return true;
  const u64 left = not_covered(w, range, p, p.lanes, bytes, noted);
  if (left != 0 && !ask(w, range, p, bytes, kind, noted, left)) return false;
  if (w.watched) w.memory->watch({w, s, p.base, p.offset, p.lanes, bytes, kind, false});
  return true;
}

bool check_lds(Wave& w, const Step& s, const Places& p, u32 bytes, AccessKind kind) {
  const u64 begin = reinterpret_cast<uintptr_t>(w.lds);
  const u64 refused = w.lds_bytes < bytes ? p.lanes : outside(p, begin, w.lds_bytes - bytes);
  if (refused == 0) {
    if (w.watched) w.memory->watch({w, s, p.base, p.offset, p.lanes, bytes, kind, true});
    return true;
  }
  set_fault(w, FaultKind::lds, kind, bytes, refused, p.address(__builtin_ctzll(refused)) - begin);
  return false;
}

namespace {

// -- addresses -----------------------------------------------------------------------------------

constexpr Row kZeros = {};

// Lanes by the upper half of their addresses.
template <class F>
void each_upper_half(const u32* high, u64 lanes, F&& body) {
  while (lanes != 0) {
    const u32 upper = high[__builtin_ctzll(lanes)];
    const u64 alike = lanes & lanes_where([=](int l) { return high[l] == upper; });
    body(upper, alike);
    lanes &= ~alike;
  }
}

bool resolve_global(Wave& w, const Step& s, u32 bytes, AccessKind kind, Accesses* a) {
  u64 base = static_cast<u64>(static_cast<i64>(s.instruction.offset));
  if (s.base != kNoRow) base += w.pair(s.base);
  if (s.address == kNoRow) {
    a->add(base, kZeros.lane, w.exec());
    return check_global(w, s, a->places[0], bytes, kind);
  }
  if (!s.wide_address) {
    a->add(base, w.v[s.address], w.exec());
    return check_global(w, s, a->places[0], bytes, kind);
  }
  bool good = true;
  each_upper_half(w.v[s.address + 1], w.exec(), [&](u32 upper, u64 lanes) {
    a->add(base + (static_cast<u64>(upper) << 32), w.v[s.address], lanes);
    good = good && check_global(w, s, a->places[a->count - 1], bytes, kind);
  });
  return good;
}

// Offsets within a lane's scratch to addresses of the host; `offset` may be the result.
bool resolve_scratch(Wave& w, u64 base, const u32* offset, u64 lanes, u32 bytes, AccessKind kind,
                     u32* space, Accesses* a) {
  u64 refused = 0, address = 0;
  each_lane(lanes, [&](int l) {
    const u32 at = static_cast<u32>(base + offset[l]);
    if (at > w.scratch_bytes || w.scratch_bytes - at < bytes) {
      if (refused == 0) address = at;
      refused |= u64{1} << l;
    }
    space[l] = static_cast<u32>(l) * w.scratch_bytes + at;
  });
  a->add(reinterpret_cast<uintptr_t>(w.scratch), space, lanes);
  if (refused == 0) return true;
  set_fault(w, FaultKind::scratch, kind, bytes, refused, address);
  return false;
}

// The upper half of a flat address says whether it is LDS, scratch or global memory.
bool resolve_flat(Wave& w, const Step& s, u32 bytes, AccessKind kind, Accesses* a) {
  const u64 base = static_cast<u64>(static_cast<i64>(s.instruction.offset));
  const u32* low = w.v[s.address];
  bool good = true;
  each_upper_half(w.v[s.address + 1], w.exec(), [&](u32 upper, u64 lanes) {
    if (!good) return;
    if (upper == w.apertures.priv) {
      good = resolve_scratch(w, base, low, lanes, bytes, kind, a->space[0].lane, a);
      return;
    }
    const bool lds = upper == w.apertures.shared;
    a->add(base + (lds ? reinterpret_cast<uintptr_t>(w.lds) : static_cast<u64>(upper) << 32), low,
           lanes);
    Places& p = a->places[a->count - 1];
    good = lds ? check_lds(w, s, p, bytes, kind) : check_global(w, s, p, bytes, kind);
  });
  return good;
}

// A buffer: base, stride and size come from four SGPRs. What lies beyond the size reads as zero and
// is not written; that is no fault.
struct Resource {
  u64 base;
  u32 stride, records;
  bool add_lane;
  explicit Resource(const u32* word)
      : base(word[0] | static_cast<u64>(word[1] & 0xffff) << 32),
        stride(word[1] >> 16 & 0x3fff),
        records(word[2]),
        add_lane(word[3] >> 23 & 1) {}
};

// Indexed: each lane's address in 64 bits, as two rows.
void structured_addresses(const Wave& w, const Step& s, const Resource& r, u64 scalar, u32 bytes,
                          Accesses* a, u64* inside) {
  const Instruction& i = s.instruction;
  each_lane(w.exec(), [&](int l) {
    const u64 index =
        (i.idxen ? w.v[s.address][l] : u64{0}) + (r.add_lane ? static_cast<u64>(l) : 0);
    const u64 offset = static_cast<u64>(i.offset) + (i.offen ? w.v[s.address + i.idxen][l] : 0);
    const u64 linear = offset + scalar, address = r.base + index * r.stride + linear;
    const bool structured = r.stride != 0 && (i.idxen || r.add_lane);
    a->space[0].lane[l] = static_cast<u32>(address);
    a->space[1].lane[l] = static_cast<u32>(address >> 32);
    if (structured ? index < r.records : linear + bytes <= r.records) *inside |= u64{1} << l;
  });
}

bool resolve_buffer(Wave& w, const Step& s, u32 bytes, AccessKind kind, Accesses* a) {
  const Resource r(&w.s[s.base]);
  const u64 scalar = static_cast<u32>(scalar_source(w, s.source[0], 1));
  const u64 exec = w.exec();
  if (!s.instruction.idxen && !r.add_lane) {
    const u64 fixed = static_cast<u64>(s.instruction.offset) + scalar;
    const u32* offset = s.instruction.offen ? w.v[s.address] : kZeros.lane;
    const Places all{fixed, offset, exec, false};  // from the buffer's beginning
    a->beyond = r.records < bytes ? exec : outside(all, 0, r.records - bytes);
    a->add(r.base + fixed, offset, exec & ~a->beyond);
    return a->places[0].lanes == 0 || check_global(w, s, a->places[0], bytes, kind);
  }
  u64 inside = 0;
  structured_addresses(w, s, r, scalar, bytes, a, &inside);
  a->beyond = exec & ~inside;
  bool good = true;
  each_upper_half(a->space[1].lane, inside, [&](u32 upper, u64 lanes) {
    a->add(static_cast<u64>(upper) << 32, a->space[0].lane, lanes);
    good = good && check_global(w, s, a->places[a->count - 1], bytes, kind);
  });
  return good;
}

}  // namespace

__attribute__((noinline)) bool resolve_addresses(Wave& w, const Step& s, u32 bytes, AccessKind kind,
                                                 Accesses* a) {
  switch (s.space) {
    case Space::flat:
      return resolve_flat(w, s, bytes, kind, a);
    case Space::buffer:
      return resolve_buffer(w, s, bytes, kind, a);
    case Space::scratch: {
      u64 base = static_cast<u64>(static_cast<i64>(s.instruction.offset));
      if (s.base != kNoRow) base += w.s[s.base];
      const u32* offset = s.address == kNoRow ? kZeros.lane : w.v[s.address];
      return resolve_scratch(w, base, offset, w.exec(), bytes, kind, a->space[0].lane, a);
    }
    default:
      return resolve_global(w, s, bytes, kind, a);
  }
}

namespace {

// -- instructions --------------------------------------------------------------------------------

template <int Bytes, Extend E>
void load(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve_addresses(w, s, Bytes, AccessKind::read, &a)) return;
  a.each([&](const Places& p) { load_lanes<Bytes, E>(w, s.vdst, p); });
  each_lane(a.beyond, [&](int l) {
    w.v[s.vdst][l] = extended<Bytes, E>(0, w.v[s.vdst][l]);
    for (int i = 1; i < Bytes / 4; ++i) w.v[s.vdst + i][l] = 0;
  });
}

// To LDS: a word of each lane, one after the other, from where M0 and the instruction's offset say.
// Lanes beyond a buffer's size put zeros there.
template <int Bytes, Extend E>
void load_to_lds(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve_addresses(w, s, Bytes, AccessKind::read, &a)) return;
  Row own, words = {};
  for (u32 l = 0; l < kLanes; ++l) own.lane[l] = 4 * l;
  const u64 m0 = w.s[kM0] & (s.space == Space::buffer ? 0xffffu : 0x3fffcu);
  const Places to{reinterpret_cast<uintptr_t>(w.lds) + m0 +
                      static_cast<u64>(static_cast<i64>(s.instruction.offset)),
                  own.lane, w.exec(), false};
  if (!check_lds(w, s, to, 4, AccessKind::write)) return;
  a.each([&](const Places& p) {
    each_lane(p.lanes, [&](int l) {
      u32 raw = 0;
      __builtin_memcpy(&raw, host(p.address(l)), Bytes);
      words.lane[l] = extended<Bytes, E>(raw, 0);
    });
  });
  each_lane(to.lanes, [&](int l) { __builtin_memcpy(host(to.address(l)), &words.lane[l], 4); });
}

template <int Bytes, Extend E>
void load_of_buffer(Wave& w, const Step& s) {
  return s.instruction.lds ? load_to_lds<Bytes, E>(w, s) : load<Bytes, E>(w, s);
}

template <int Bytes, bool High>
void store_to(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve_addresses(w, s, Bytes, AccessKind::write, &a)) return;
  a.each([&](const Places& p) { store_lanes<Bytes, High>(w, s.data, p); });
}

// Atomics must be aligned.
bool aligned(Wave& w, const Accesses& a, u32 bytes) {
  u64 refused = 0, address = 0;
  a.each([&](const Places& p) {
    each_lane(p.lanes, [&](int l) {
      if (bytes_misaligned(p.address(l), bytes) == 0) return;
      if (refused == 0) address = p.address(l);
      refused |= u64{1} << l;
    });
  });
  if (refused == 0) return true;
  set_fault(w, FaultKind::memory, AccessKind::atomic, bytes, refused, address);
  return false;
}

template <class F, class T>
void atomic(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve_addresses(w, s, sizeof(T), AccessKind::atomic, &a) || !aligned(w, a, sizeof(T)))
    return;
  const bool returns = s.instruction.sc0;
  a.each([&](const Places& p) {
    each_lane(p.lanes, [&](int l) {
      const T old = update<F, T>(p.address(l), register_value<T>(w, s.data, l));
      if (returns) set_register_value<T>(w, s.vdst, l, old);
    });
  });
  if (returns) each_lane(a.beyond, [&](int l) { set_register_value<T>(w, s.vdst, l, 0); });
}

// The new value is the first, the expected one the second part of the data.
template <class T>
void compare_swap(Wave& w, const Step& s) {
  Accesses a;
  if (!resolve_addresses(w, s, sizeof(T), AccessKind::atomic, &a) || !aligned(w, a, sizeof(T)))
    return;
  a.each([&](const Places& p) {
    each_lane(p.lanes, [&](int l) {
      T expected = register_value<T>(w, s.data + sizeof(T) / 4, l);
      const T desired = register_value<T>(w, s.data, l);
      __atomic_compare_exchange_n(reinterpret_cast<T*>(host(p.address(l))), &expected, desired,
                                  false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      if (s.instruction.sc0) set_register_value<T>(w, s.vdst, l, expected);
    });
  });
}

#define LOADS_AND_STORES(prefix)                                                   \
  table.set(Opcode::prefix##_load_ubyte, &load<1, Extend::none>);                  \
  table.set(Opcode::prefix##_load_sbyte, &load<1, Extend::sign>);                  \
  table.set(Opcode::prefix##_load_ushort, &load<2, Extend::none>);                 \
  table.set(Opcode::prefix##_load_sshort, &load<2, Extend::sign>);                 \
  table.set(Opcode::prefix##_load_dword, &load<4, Extend::none>);                  \
  table.set(Opcode::prefix##_load_dwordx2, &load<8, Extend::none>);                \
  table.set(Opcode::prefix##_load_dwordx3, &load<12, Extend::none>);               \
  table.set(Opcode::prefix##_load_dwordx4, &load<16, Extend::none>);               \
  table.set(Opcode::prefix##_load_ubyte_d16, &load<1, Extend::low_half>);          \
  table.set(Opcode::prefix##_load_ubyte_d16_hi, &load<1, Extend::high_half>);      \
  table.set(Opcode::prefix##_load_sbyte_d16, &load<1, Extend::low_half_sign>);     \
  table.set(Opcode::prefix##_load_sbyte_d16_hi, &load<1, Extend::high_half_sign>); \
  table.set(Opcode::prefix##_load_short_d16, &load<2, Extend::low_half>);          \
  table.set(Opcode::prefix##_load_short_d16_hi, &load<2, Extend::high_half>);      \
  table.set(Opcode::prefix##_store_byte, &store_to<1, false>);                     \
  table.set(Opcode::prefix##_store_byte_d16_hi, &store_to<1, true>);               \
  table.set(Opcode::prefix##_store_short, &store_to<2, false>);                    \
  table.set(Opcode::prefix##_store_short_d16_hi, &store_to<2, true>);              \
  table.set(Opcode::prefix##_store_dword, &store_to<4, false>);                    \
  table.set(Opcode::prefix##_store_dwordx2, &store_to<8, false>);                  \
  table.set(Opcode::prefix##_store_dwordx3, &store_to<12, false>);                 \
  table.set(Opcode::prefix##_store_dwordx4, &store_to<16, false>);

#define LOADS_TO_LDS(prefix)                                                  \
  table.set(Opcode::prefix##_load_lds_ubyte, &load_to_lds<1, Extend::none>);  \
  table.set(Opcode::prefix##_load_lds_sbyte, &load_to_lds<1, Extend::sign>);  \
  table.set(Opcode::prefix##_load_lds_ushort, &load_to_lds<2, Extend::none>); \
  table.set(Opcode::prefix##_load_lds_sshort, &load_to_lds<2, Extend::sign>); \
  table.set(Opcode::prefix##_load_lds_dword, &load_to_lds<4, Extend::none>);

#define ATOMIC_PAIR(prefix, name, F)                          \
  table.set(Opcode::prefix##_atomic_##name, &atomic<F, u32>); \
  table.set(Opcode::prefix##_atomic_##name##_x2, &atomic<F, u64>);
#define ATOMICS(prefix)                                                        \
  ATOMIC_PAIR(prefix, swap, AtomicSwap)                                        \
  ATOMIC_PAIR(prefix, add, AtomicAdd)                                          \
  ATOMIC_PAIR(prefix, sub, AtomicSub)                                          \
  ATOMIC_PAIR(prefix, smin, AtomicSmin)                                        \
  ATOMIC_PAIR(prefix, umin, AtomicUmin)                                        \
  ATOMIC_PAIR(prefix, smax, AtomicSmax)                                        \
  ATOMIC_PAIR(prefix, umax, AtomicUmax)                                        \
  ATOMIC_PAIR(prefix, and, AtomicAnd)                                          \
  ATOMIC_PAIR(prefix, or, AtomicOr)                                            \
  ATOMIC_PAIR(prefix, xor, AtomicXor)                                          \
  ATOMIC_PAIR(prefix, inc, AtomicInc)                                          \
  ATOMIC_PAIR(prefix, dec, AtomicDec)                                          \
  table.set(Opcode::prefix##_atomic_cmpswap, &compare_swap<u32>);              \
  table.set(Opcode::prefix##_atomic_cmpswap_x2, &compare_swap<u64>);           \
  table.set(Opcode::prefix##_atomic_add_f32, &atomic<AtomicAddF32, u32>);      \
  table.set(Opcode::prefix##_atomic_add_f64, &atomic<AtomicAddF64, u64>);      \
  table.set(Opcode::prefix##_atomic_min_f64, &atomic<AtomicMinF64, u64>);      \
  table.set(Opcode::prefix##_atomic_max_f64, &atomic<AtomicMaxF64, u64>);      \
  table.set(Opcode::prefix##_atomic_pk_add_f16, &atomic<AtomicPkAddF16, u32>); \
  table.set(Opcode::prefix##_atomic_pk_add_bf16, &atomic<AtomicPkAddBf16, u32>);

// -- scalar memory -------------------------------------------------------------------------------

// `unit`: scratch counts a register's offset by 64 bytes, one for each lane.
u64 scalar_offset(const Wave& w, const Step& s, u64 unit = 1) {
  const u64 fixed =
      s.instruction.imm ? static_cast<u64>(static_cast<i64>(s.instruction.offset)) : 0;
  return fixed + (s.source[1].kind == Source::scalar ? w.s[s.source[1].index] * unit : 0);
}

bool check_one(Wave& w, const Step& s, u64 address, u32 bytes, AccessKind kind) {
  Range& range = w.remembered[s.memory];
  const bool inside =
      covers(range, bytes, kind) && address - range.begin <= range.end - range.begin - bytes;
  if (inside && range.notes != nullptr) w.memory->note(range, address, bytes, kind);
  const Places one{address, kZeros.lane, 1, false};
  if (!inside && !ask(w, range, one, bytes, kind, kind, 1)) return false;
  if (w.watched) w.memory->watch({w, s, one.base, one.offset, one.lanes, bytes, kind, false});
  return true;
}

template <int Words, int Unit = 1>
void scalar_load(Wave& w, const Step& s) {
  const u64 address = (w.pair(s.base) + scalar_offset(w, s, Unit)) & ~u64{3};
  if (check_one(w, s, address, Words * 4, AccessKind::read)) {
    __builtin_memcpy(&w.s[s.sdst], host(address), Words * 4);
  }
}

template <int Words, int Unit = 1>
void scalar_store(Wave& w, const Step& s) {
  const u64 address = (w.pair(s.base) + scalar_offset(w, s, Unit)) & ~u64{3};
  if (check_one(w, s, address, Words * 4, AccessKind::write)) {
    __builtin_memcpy(host(address), &w.s[s.sdst], Words * 4);
  }
}

// A buffer of scalar instructions: the stride counts only for its size.
u64 scalar_size(const Resource& r) {
  return r.stride == 0 ? r.records : static_cast<u64>(r.stride) * r.records;
}

// Words beyond the buffer's size read as zero.
template <int Words>
void scalar_buffer_load(Wave& w, const Step& s) {
  const Resource r(&w.s[s.base]);
  const u64 size = scalar_size(r), offset = scalar_offset(w, s) & ~u64{3};
  u32 words[Words] = {};
  for (u32 i = 0; i < Words; ++i) {
    const u64 at = offset + 4 * i;
    if (at + 4 > size) continue;
    if (!check_one(w, s, r.base + at, 4, AccessKind::read)) return;
    __builtin_memcpy(&words[i], host(r.base + at), 4);
  }
  __builtin_memcpy(&w.s[s.sdst], words, sizeof words);
}

// And are not written.
template <int Words>
void scalar_buffer_store(Wave& w, const Step& s) {
  const Resource r(&w.s[s.base]);
  const u64 size = scalar_size(r), offset = scalar_offset(w, s) & ~u64{3};
  for (u32 i = 0; i < Words; ++i) {
    const u64 at = offset + 4 * i;
    if (at + 4 > size) continue;
    if (!check_one(w, s, r.base + at, 4, AccessKind::write)) return;
    __builtin_memcpy(host(r.base + at), &w.s[s.sdst + i], 4);
  }
}

// Where a scalar atomic is made: false where it is beyond a buffer, or faults.
template <class T, bool Buffer>
bool scalar_place(Wave& w, const Step& s, u64* address) {
  const u64 offset = scalar_offset(w, s) & ~u64{3};
  *address = (w.pair(s.base) + offset) & ~u64{3};
  if (Buffer) {
    const Resource r(&w.s[s.base]);
    *address = r.base + offset;
    if (offset + sizeof(T) > scalar_size(r)) {
      if (s.instruction.sc0) __builtin_memset(&w.s[s.sdst], 0, sizeof(T));
      return false;
    }
  }
  if (bytes_misaligned(*address, sizeof(T)) != 0) {
    set_fault(w, FaultKind::memory, AccessKind::atomic, sizeof(T), 1, *address);
    return false;
  }
  return check_one(w, s, *address, sizeof(T), AccessKind::atomic);
}

template <class T>
T scalar_value(const Wave& w, u32 code) {
  T value;
  __builtin_memcpy(&value, &w.s[code], sizeof value);
  return value;
}

template <class F, class T, bool Buffer>
void scalar_atomic(Wave& w, const Step& s) {
  u64 address;
  if (!scalar_place<T, Buffer>(w, s, &address)) return;
  const T old = update<F, T>(address, scalar_value<T>(w, s.sdst));
  if (s.instruction.sc0) __builtin_memcpy(&w.s[s.sdst], &old, sizeof old);
}

// The new value is the first, the expected one the second part of the data.
template <class T, bool Buffer>
void scalar_compare_swap(Wave& w, const Step& s) {
  u64 address;
  if (!scalar_place<T, Buffer>(w, s, &address)) return;
  T expected = scalar_value<T>(w, s.sdst + sizeof(T) / 4);
  __atomic_compare_exchange_n(reinterpret_cast<T*>(host(address)), &expected,
                              scalar_value<T>(w, s.sdst), false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  if (s.instruction.sc0) __builtin_memcpy(&w.s[s.sdst], &expected, sizeof expected);
}

#define SCALAR_PAIR(prefix, name, F, buffer)                                 \
  table.set(Opcode::prefix##_atomic_##name, &scalar_atomic<F, u32, buffer>); \
  table.set(Opcode::prefix##_atomic_##name##_x2, &scalar_atomic<F, u64, buffer>);
#define SCALAR_ATOMICS(prefix, buffer)                                           \
  SCALAR_PAIR(prefix, swap, AtomicSwap, buffer)                                  \
  SCALAR_PAIR(prefix, add, AtomicAdd, buffer)                                    \
  SCALAR_PAIR(prefix, sub, AtomicSub, buffer)                                    \
  SCALAR_PAIR(prefix, smin, AtomicSmin, buffer)                                  \
  SCALAR_PAIR(prefix, umin, AtomicUmin, buffer)                                  \
  SCALAR_PAIR(prefix, smax, AtomicSmax, buffer)                                  \
  SCALAR_PAIR(prefix, umax, AtomicUmax, buffer)                                  \
  SCALAR_PAIR(prefix, and, AtomicAnd, buffer)                                    \
  SCALAR_PAIR(prefix, or, AtomicOr, buffer)                                      \
  SCALAR_PAIR(prefix, xor, AtomicXor, buffer)                                    \
  SCALAR_PAIR(prefix, inc, AtomicInc, buffer)                                    \
  SCALAR_PAIR(prefix, dec, AtomicDec, buffer)                                    \
  table.set(Opcode::prefix##_atomic_cmpswap, &scalar_compare_swap<u32, buffer>); \
  table.set(Opcode::prefix##_atomic_cmpswap_x2, &scalar_compare_swap<u64, buffer>);

void fill_scalar_memory(Table table) {
  table.set(Opcode::s_load_dword, &scalar_load<1>);
  table.set(Opcode::s_load_dwordx2, &scalar_load<2>);
  table.set(Opcode::s_load_dwordx4, &scalar_load<4>);
  table.set(Opcode::s_load_dwordx8, &scalar_load<8>);
  table.set(Opcode::s_load_dwordx16, &scalar_load<16>);
  table.set(Opcode::s_store_dword, &scalar_store<1>);
  table.set(Opcode::s_store_dwordx2, &scalar_store<2>);
  table.set(Opcode::s_store_dwordx4, &scalar_store<4>);
  table.set(Opcode::s_scratch_load_dword, &scalar_load<1, 64>);
  table.set(Opcode::s_scratch_load_dwordx2, &scalar_load<2, 64>);
  table.set(Opcode::s_scratch_load_dwordx4, &scalar_load<4, 64>);
  table.set(Opcode::s_scratch_store_dword, &scalar_store<1, 64>);
  table.set(Opcode::s_scratch_store_dwordx2, &scalar_store<2, 64>);
  table.set(Opcode::s_scratch_store_dwordx4, &scalar_store<4, 64>);
  table.set(Opcode::s_buffer_load_dword, &scalar_buffer_load<1>);
  table.set(Opcode::s_buffer_load_dwordx2, &scalar_buffer_load<2>);
  table.set(Opcode::s_buffer_load_dwordx4, &scalar_buffer_load<4>);
  table.set(Opcode::s_buffer_load_dwordx8, &scalar_buffer_load<8>);
  table.set(Opcode::s_buffer_load_dwordx16, &scalar_buffer_load<16>);
  table.set(Opcode::s_buffer_store_dword, &scalar_buffer_store<1>);
  table.set(Opcode::s_buffer_store_dwordx2, &scalar_buffer_store<2>);
  table.set(Opcode::s_buffer_store_dwordx4, &scalar_buffer_store<4>);
  SCALAR_ATOMICS(s, false)
  SCALAR_ATOMICS(s_buffer, true)
}

}  // namespace

void fill_memory(Table table) {
  LOADS_AND_STORES(global)
  LOADS_AND_STORES(flat)
  LOADS_AND_STORES(scratch)
  LOADS_AND_STORES(buffer)
  LOADS_TO_LDS(global)
  LOADS_TO_LDS(scratch)
  // A bit of the instruction says where these put what they load.
  table.set(Opcode::buffer_load_ubyte, &load_of_buffer<1, Extend::none>);
  table.set(Opcode::buffer_load_sbyte, &load_of_buffer<1, Extend::sign>);
  table.set(Opcode::buffer_load_ushort, &load_of_buffer<2, Extend::none>);
  table.set(Opcode::buffer_load_sshort, &load_of_buffer<2, Extend::sign>);
  table.set(Opcode::buffer_load_dword, &load_of_buffer<4, Extend::none>);
  ATOMICS(global)
  ATOMICS(flat)
  ATOMICS(buffer)
  fill_scalar_memory(table);
}

}  // namespace greta::isa::GRETA_LANES
