// The block's local memory: DS.
#include "isa/access.h"

namespace greta::isa::GRETA_LANES {
namespace {

struct LdsPlaces : Places {
  Row wrapped;
};

// Addresses have 32 bits: a negative one and an offset may lead into LDS. Also of a watched wave.
__attribute__((noinline)) bool resolve_wrapped(Wave& w, const Step& s, u32 offset, u32 bytes,
                                               AccessKind kind, LdsPlaces* p) {
  for (int l = 0; l < kLanes; ++l) p->wrapped.lane[l] = w.v[s.address][l] + offset;
  p->base = reinterpret_cast<uintptr_t>(w.lds);
  p->offset = p->wrapped.lane;
  return check_lds(w, s, *p, bytes, kind);
}

// False with the fault set where a lane lies beyond the block's LDS.
inline bool resolve(Wave& w, const Step& s, u32 offset, u32 bytes, AccessKind kind, LdsPlaces* p) {
  const u64 begin = reinterpret_cast<uintptr_t>(w.lds);
  p->base = begin + offset;
  p->offset = w.v[s.address];
  p->lanes = w.exec();
  p->dense = false;
  const bool inside = w.lds_bytes >= bytes && outside(*p, begin, w.lds_bytes - bytes) == 0;
  if (inside && !w.watched) return true;
  return resolve_wrapped(w, s, offset, bytes, kind, p);
}
inline bool resolve(Wave& w, const Step& s, u32 bytes, AccessKind kind, LdsPlaces* p) {
  return resolve(w, s, static_cast<u32>(s.instruction.offset), bytes, kind, p);
}

template <int Bytes, Extend E>
void read(Wave& w, const Step& s) {
  LdsPlaces p;
  if (resolve(w, s, Bytes, AccessKind::read, &p)) load_lanes<Bytes, E>(w, s.vdst, p);
}

template <int Bytes, bool High>
void write(Wave& w, const Step& s) {
  LdsPlaces p;
  if (resolve(w, s, Bytes, AccessKind::write, &p)) store_lanes<Bytes, High>(w, s.data, p);
}

// Two places, in units of the element or of 64 of them. The first result may go where the address
// was.
template <int Bytes, int Stride>
void read_two(Wave& w, const Step& s) {
  LdsPlaces first, second;
  const Instruction& i = s.instruction;
  if (!resolve(w, s, i.offset0 * Bytes * Stride, Bytes, AccessKind::read, &first)) return;
  if (!resolve(w, s, i.offset1 * Bytes * Stride, Bytes, AccessKind::read, &second)) return;
  Row copy;
  if (static_cast<u32>(s.address - s.vdst) < Bytes / 4) {
    __builtin_memcpy(copy.lane, second.offset, sizeof copy);
    second.offset = copy.lane;
  }
  load_lanes<Bytes, Extend::none>(w, s.vdst, first);
  load_lanes<Bytes, Extend::none>(w, s.vdst + Bytes / 4, second);
}

template <int Bytes, int Stride>
void write_two(Wave& w, const Step& s) {
  LdsPlaces first, second;
  const Instruction& i = s.instruction;
  if (!resolve(w, s, i.offset0 * Bytes * Stride, Bytes, AccessKind::write, &first)) return;
  if (!resolve(w, s, i.offset1 * Bytes * Stride, Bytes, AccessKind::write, &second)) return;
  store_lanes<Bytes, false>(w, s.data, first);
  store_lanes<Bytes, false>(w, s.data1, second);
}

template <class F, class T, bool Returns>
void atomic(Wave& w, const Step& s) {
  LdsPlaces p;
  if (!resolve(w, s, sizeof(T), AccessKind::atomic, &p)) return;
  each_lane(p.lanes, [&](int l) {
    u8* const where = host(p.address(l));
    T old;
    __builtin_memcpy(&old, where, sizeof old);
    const T after = F::run(old, register_value<T>(w, s.data, l));
    __builtin_memcpy(where, &after, sizeof after);
    if (Returns) set_register_value<T>(w, s.vdst, l, old);
  });
}

// The first part of the data is what is expected, the second the new value.
template <class T, bool Returns>
void compare_store(Wave& w, const Step& s) {
  LdsPlaces p;
  if (!resolve(w, s, sizeof(T), AccessKind::atomic, &p)) return;
  each_lane(p.lanes, [&](int l) {
    u8* const where = host(p.address(l));
    T old;
    __builtin_memcpy(&old, where, sizeof old);
    const T value = register_value<T>(w, s.data1, l);
    if (old == register_value<T>(w, s.data, l)) __builtin_memcpy(where, &value, sizeof value);
    if (Returns) set_register_value<T>(w, s.vdst, l, old);
  });
}

template <class T>
inline T lds_value(u64 address) {
  T value;
  __builtin_memcpy(&value, host(address), sizeof value);
  return value;
}
template <class T>
inline void set_lds_value(u64 address, T value) {
  __builtin_memcpy(host(address), &value, sizeof value);
}

// Of numbers: MODE says whether denormals compare as zeros.
template <class P>
inline bool flushes_inputs(const Wave& w) {
  return (w.mode >> (P::number == Number::single ? 4 : 6) & 1) == 0;
}
template <class P, class T, bool Max, bool Returns>
void extreme_number(Wave& w, const Step& s) {
  LdsPlaces p;
  if (!resolve(w, s, sizeof(T), AccessKind::atomic, &p)) return;
  const bool flushes = flushes_inputs<P>(w);
  each_lane(p.lanes, [&](int l) {
    const u64 where = p.address(l);
    const T old = lds_value<T>(where);
    set_lds_value(where, extreme<P, Max>(old, register_value<T>(w, s.data, l), flushes));
    if (Returns) set_register_value<T>(w, s.vdst, l, old);
  });
}

// As numbers: +0 is -0, and a NaN is nothing. What is flushed to be compared is stored so.
template <class P, class T, bool Returns>
void compare_store_number(Wave& w, const Step& s) {
  LdsPlaces p;
  if (!resolve(w, s, sizeof(T), AccessKind::atomic, &p)) return;
  const bool flushes = flushes_inputs<P>(w);
  each_lane(p.lanes, [&](int l) {
    const u64 where = p.address(l);
    const T old = lds_value<T>(where), given = register_value<T>(w, s.data, l);
    const T value = register_value<T>(w, s.data1, l);
    const T a = flushes ? flushed_bits(old) : old, b = flushes ? flushed_bits(given) : given;
    const bool zeros = static_cast<T>(a << 1) == 0 && static_cast<T>(b << 1) == 0;
    const bool equal = !P::is_nan(a) && !P::is_nan(b) && (a == b || zeros);
    if (equal) set_lds_value(where, flushes ? flushed_bits(value) : value);
    if (Returns) set_register_value<T>(w, s.vdst, l, old);
  });
}

// F::run(old, first data, second data).
template <class F, class T, bool Returns>
void atomic_of_two(Wave& w, const Step& s) {
  LdsPlaces p;
  if (!resolve(w, s, sizeof(T), AccessKind::atomic, &p)) return;
  each_lane(p.lanes, [&](int l) {
    const u64 where = p.address(l);
    const T old = lds_value<T>(where);
    set_lds_value(where,
                  F::run(old, register_value<T>(w, s.data, l), register_value<T>(w, s.data1, l)));
    if (Returns) set_register_value<T>(w, s.vdst, l, old);
  });
}
struct MaskedOr {
  template <class T>
  static T run(T old, T mask, T bits) {
    return (old & ~mask) | bits;
  }
};
struct Wrap {
  static u32 run(u32 old, u32 limit, u32 size) { return old >= limit ? old - limit : old + size; }
};

// Both old values are read before the new ones are written.
template <class T, int Stride>
void exchange_two(Wave& w, const Step& s) {
  LdsPlaces first, second;
  const Instruction& i = s.instruction;
  constexpr u32 unit = sizeof(T) * Stride;
  if (!resolve(w, s, i.offset0 * unit, sizeof(T), AccessKind::atomic, &first)) return;
  if (!resolve(w, s, i.offset1 * unit, sizeof(T), AccessKind::atomic, &second)) return;
  each_lane(first.lanes, [&](int l) {
    const u64 one = first.address(l), other = second.address(l);
    const T old = lds_value<T>(one), next = lds_value<T>(other);
    set_lds_value(one, register_value<T>(w, s.data, l));
    set_lds_value(other, register_value<T>(w, s.data1, l));
    set_register_value<T>(w, s.vdst, l, old);
    set_register_value<T>(w, s.vdst + sizeof(T) / 4, l, next);
  });
}

// Two words side by side; each is replaced where the highest bit of its new value is set, which
// is not stored.
void exchange_where_marked(Wave& w, const Step& s) {
  Row at;
  const u32 offset = static_cast<u32>(s.instruction.offset);
  for (int l = 0; l < kLanes; ++l) at.lane[l] = (w.v[s.address][l] + offset) & ~7u;
  const Places p{reinterpret_cast<uintptr_t>(w.lds), at.lane, w.exec(), false};
  if (!check_lds(w, s, p, 8, AccessKind::atomic)) return;
  each_lane(p.lanes, [&](int l) {
    for (u32 word = 0; word < 2; ++word) {
      const u64 where = p.address(l) + 4 * word;
      const u32 old = lds_value<u32>(where), data = w.v[s.data + word][l];
      if (data >> 31) set_lds_value(where, data & 0x7fffffff);
      w.v[s.vdst + word][l] = old;
    }
  });
}

// -- places that M0 gives ------------------------------------------------------------------------

inline u64 place_of_m0(const Wave& w, const Step& s) {
  return reinterpret_cast<uintptr_t>(w.lds) + (w.s[kM0] & 0xffff) +
         static_cast<u32>(s.instruction.offset);
}

// A counter of all lanes together: by as many as are active, and all get what it was.
template <bool Up>
void count_lanes(Wave& w, const Step& s) {
  static constexpr Row kNone = {};
  const u64 exec = w.exec();
  const Places p{place_of_m0(w, s), kNone.lane, exec & (0 - exec), false};
  if (exec == 0 || !check_lds(w, s, p, 4, AccessKind::atomic)) return;
  const u32 old = lds_value<u32>(p.base), count = static_cast<u32>(__builtin_popcountll(exec));
  set_lds_value(p.base, Up ? old + count : old - count);
  Row out;
  broadcast(old, out.lane);
  copy_lanes(w, exec, out.lane, w.v[s.vdst]);
}

// A word of each lane, one after the other.
template <bool Writes>
void access_own_word(Wave& w, const Step& s) {
  Row own;
  for (u32 l = 0; l < kLanes; ++l) own.lane[l] = 4 * l;
  const Places p{place_of_m0(w, s), own.lane, w.exec(), false};
  if (!check_lds(w, s, p, 4, Writes ? AccessKind::write : AccessKind::read)) return;
  if (Writes) {
    store_lanes<4, false>(w, s.data, p);
  } else {
    load_lanes<4, Extend::none>(w, s.vdst, p);
  }
}

// -- lanes reading each other, without memory ----------------------------------------------------

// Stores a row of results in the active lanes.
void store_row(Wave& w, const Step& s, const Row& out) {
  copy_lanes(w, w.exec(), out.lane, w.v[s.vdst]);
}

// The lanes of a row that a row of numbers below 64 names.
void gather_lanes(const u32* row, const u32* from, u32* out) {
#if defined(__AVX512F__)
  __m512i parts[4];
  for (int i = 0; i < 4; ++i) parts[i] = _mm512_loadu_si512(row + 16 * i);
  for (int l = 0; l < kLanes; l += 16) {
    const __m512i at = _mm512_loadu_si512(from + l);
    const __m512i low = _mm512_permutex2var_epi32(parts[0], at, parts[1]);
    const __m512i high = _mm512_permutex2var_epi32(parts[2], at, parts[3]);
    const __mmask16 upper = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
    _mm512_storeu_si512(out + l, _mm512_mask_blend_epi32(upper, low, high));
  }
#else
  for (int l = 0; l < kLanes; ++l) out[l] = row[from[l]];
#endif
}

// What a lane reads of the lane that it names; lanes that are switched off give 0.
void store_permuted(Wave& w, const Step& s, const u32* data, const Row& from) {
  Row out, live = {};
  copy_lanes(w, w.exec(), data, live.lane);
  gather_lanes(live.lane, from.lane, out.lane);
  store_row(w, s, out);
}

void named_lanes(const Wave& w, const Step& s, Row* lanes) {
  const u32* at = w.v[s.address];
  const u32 offset = static_cast<u32>(s.instruction.offset);
  for (int l = 0; l < kLanes; ++l) lanes->lane[l] = (at[l] + offset) >> 2 & 63;
}

void backward_permute(Wave& w, const Step& s) {
  Row from;
  named_lanes(w, s, &from);
  store_permuted(w, s, w.v[s.data], from);
}

// Each lane sends to the lane it names; of several the highest counts.
void forward_permute(Wave& w, const Step& s) {
  Row to, out = {};
  named_lanes(w, s, &to);
  const u32* data = w.v[s.data];
  each_lane(w.exec(), [&](int l) { out.lane[to.lane[l]] = data[l]; });
  store_row(w, s, out);
}

// The lane that ds_swizzle reads: within quads, or within 32 lanes by and, or, xor masks.
int swizzled(u32 pattern, int lane) {
  if (pattern & 0x8000) return (lane & ~3) | (pattern >> (2 * (lane & 3)) & 3);
  const int in_half = ((lane & 31 & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
  return (lane & 32) | in_half;
}

void swizzle(Wave& w, const Step& s) {
  Row from;
  for (int l = 0; l < kLanes; ++l) {
    from.lane[l] = static_cast<u32>(swizzled(static_cast<u32>(s.instruction.offset), l));
  }
  store_permuted(w, s, w.v[s.address], from);
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
  LDS_ATOMIC(pk_add, bf16, AtomicPkAddBf16, u32)
  table.set(Opcode::ds_wrxchg_rtn_b32, &atomic<AtomicSwap, u32, true>);
  table.set(Opcode::ds_wrxchg_rtn_b64, &atomic<AtomicSwap, u64, true>);
  table.set(Opcode::ds_cmpst_b32, &compare_store<u32, false>);
  table.set(Opcode::ds_cmpst_rtn_b32, &compare_store<u32, true>);
  table.set(Opcode::ds_cmpst_b64, &compare_store<u64, false>);
  table.set(Opcode::ds_cmpst_rtn_b64, &compare_store<u64, true>);
}

#define LDS_NUMBERS(type, P, T)                                             \
  table.set(Opcode::ds_min_##type, &extreme_number<P, T, false, false>);    \
  table.set(Opcode::ds_min_rtn_##type, &extreme_number<P, T, false, true>); \
  table.set(Opcode::ds_max_##type, &extreme_number<P, T, true, false>);     \
  table.set(Opcode::ds_max_rtn_##type, &extreme_number<P, T, true, true>);  \
  table.set(Opcode::ds_cmpst_##type, &compare_store_number<P, T, false>);   \
  table.set(Opcode::ds_cmpst_rtn_##type, &compare_store_number<P, T, true>);

void fill_rare_atomics(Table table) {
  LDS_NUMBERS(f32, F32, u32)
  LDS_NUMBERS(f64, F64, u64)
  table.set(Opcode::ds_mskor_b32, &atomic_of_two<MaskedOr, u32, false>);
  table.set(Opcode::ds_mskor_rtn_b32, &atomic_of_two<MaskedOr, u32, true>);
  table.set(Opcode::ds_mskor_b64, &atomic_of_two<MaskedOr, u64, false>);
  table.set(Opcode::ds_mskor_rtn_b64, &atomic_of_two<MaskedOr, u64, true>);
  table.set(Opcode::ds_wrap_rtn_b32, &atomic_of_two<Wrap, u32, true>);
  table.set(Opcode::ds_wrxchg2_rtn_b32, &exchange_two<u32, 1>);
  table.set(Opcode::ds_wrxchg2st64_rtn_b32, &exchange_two<u32, 64>);
  table.set(Opcode::ds_wrxchg2_rtn_b64, &exchange_two<u64, 1>);
  table.set(Opcode::ds_wrxchg2st64_rtn_b64, &exchange_two<u64, 64>);
  table.set(Opcode::ds_condxchg32_rtn_b64, &exchange_where_marked);
  table.set(Opcode::ds_append, &count_lanes<true>);
  table.set(Opcode::ds_consume, &count_lanes<false>);
  table.set(Opcode::ds_read_addtid_b32, &access_own_word<false>);
  table.set(Opcode::ds_write_addtid_b32, &access_own_word<true>);
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
  fill_rare_atomics(table);
}

}  // namespace greta::isa::GRETA_LANES
