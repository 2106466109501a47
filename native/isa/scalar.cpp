// Scalar instructions and control: SOP1, SOP2, SOPC, SOPK, SOPP.
#include "isa/handlers.h"
#include "isa/indexing.h"

namespace greta::isa {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

template <class T>
__attribute__((always_inline)) inline T source(const Wave& w, const Step& s, int i) {
  const Source& from = s.source[i];
  switch (from.kind) {
    case Source::scalar:
      return static_cast<T>(sizeof(T) == 8 ? w.pair(from.index) : w.s[from.index]);
    case Source::special:
      return static_cast<T>(special_value(w, from.index));
    default:
      return static_cast<T>(from.constant);
  }
}

void write(Wave& w, const Step& s, u32 value) { w.s[s.sdst] = value; }
void write(Wave& w, const Step& s, u64 value) { w.set_pair(s.sdst, value); }
void write(Wave& w, const Step& s, i32 value) { w.s[s.sdst] = static_cast<u32>(value); }
void write(Wave& w, const Step& s, i64 value) { w.set_pair(s.sdst, static_cast<u64>(value)); }

enum class Scc { keep, non_zero };

template <class F, class R, class A, class B, Scc scc>
void two(Wave& w, const Step& s) {
  bool bit = w.scc;
  const R result = F::run(source<A>(w, s, 0), source<B>(w, s, 1), bit);
  write(w, s, result);
  w.scc = scc == Scc::non_zero ? result != 0 : bit;
}
template <class F, class R, class A, Scc scc>
void one(Wave& w, const Step& s) {
  bool bit = w.scc;
  const R result = F::run(source<A>(w, s, 0), bit);
  write(w, s, result);
  w.scc = scc == Scc::non_zero ? result != 0 : bit;
}
template <class F, class A, class B>
void compare(Wave& w, const Step& s) {
  w.scc = F::run(source<A>(w, s, 0), source<B>(w, s, 1));
}

// scc: the flag, which an expression may read and set.
#define TWO(name, R, A, B, rule, ...)                                            \
  {                                                                              \
    struct F {                                                                   \
      static R run(A a, B b, [[maybe_unused]] bool& scc) { return __VA_ARGS__; } \
    };                                                                           \
    table.set(Opcode::name, &two<F, R, A, B, Scc::rule>);                        \
  }
#define ONE(name, R, A, rule, ...)                                          \
  {                                                                         \
    struct F {                                                              \
      static R run(A a, [[maybe_unused]] bool& scc) { return __VA_ARGS__; } \
    };                                                                      \
    table.set(Opcode::name, &one<F, R, A, Scc::rule>);                      \
  }
#define COMPARE(name, A, B, ...)                        \
  {                                                     \
    struct F {                                          \
      static bool run(A a, B b) { return __VA_ARGS__; } \
    };                                                  \
    table.set(Opcode::name, &compare<F, A, B>);         \
  }

u32 add(u32 a, u32 b, u32 carry, bool& scc) {
  const u64 sum = static_cast<u64>(a) + b + carry;
  scc = sum >> 32;
  return static_cast<u32>(sum);
}
u32 subtract(u32 a, u32 b, u32 borrow, bool& scc) {
  const u64 difference = static_cast<u64>(a) - b - borrow;
  scc = difference >> 63;
  return static_cast<u32>(difference);
}
// The flag of the signed ones is overflow.
u32 add_signed(u32 a, u32 b, bool& scc) {
  const u32 sum = a + b;
  scc = (~(a ^ b) & (a ^ sum)) >> 31;
  return sum;
}
u32 subtract_signed(u32 a, u32 b, bool& scc) {
  const u32 difference = a - b;
  scc = ((a ^ b) & (a ^ difference)) >> 31;
  return difference;
}
u32 shift_add(u32 a, u32 b, int by, bool& scc) {
  const u64 sum = (static_cast<u64>(a) << by) + b;
  scc = sum >> 32;
  return static_cast<u32>(sum);
}
template <class T>
T chosen(T a, T b, bool first, bool& scc) {
  scc = first;
  return first ? a : b;
}

// b: the offset in [5:0] (a word: [4:0]), the width in [22:16].
template <class T>
T field_u(T a, u32 b) {
  constexpr u32 size = sizeof(T) * 8;
  const u32 offset = b & (size - 1), width = b >> 16 & 0x7f;
  const T shifted = static_cast<T>(a >> offset);
  return width == 0 ? 0 : width >= size ? shifted : shifted & ((T{1} << width) - 1);
}
template <class T, class S>
T field_i(T a, u32 b) {
  constexpr u32 size = sizeof(T) * 8;
  const u32 offset = b & (size - 1), width = b >> 16 & 0x7f;
  const S shifted = static_cast<S>(a) >> offset;
  if (width == 0) return 0;
  if (width >= size) return static_cast<T>(shifted);
  const T left = static_cast<T>(shifted) << (size - width);
  return static_cast<T>(static_cast<S>(left) >> (size - width));
}
template <class T>
T ones(u32 width, u32 offset) {
  constexpr u32 size = sizeof(T) * 8;
  return ((T{1} << (width & (size - 1))) - 1) << (offset & (size - 1));
}

void fill_two(HandlerTable table){
    TWO(s_add_u32, u32, u32, u32, keep, add(a, b, 0, scc)) TWO(
        s_addc_u32, u32, u32, u32, keep,
        add(a, b, scc, scc)) TWO(s_sub_u32, u32, u32, u32, keep,
                                 subtract(a, b, 0, scc)) TWO(s_subb_u32, u32, u32, u32, keep,
                                                             subtract(a, b, scc, scc))
        TWO(s_add_i32, u32, u32, u32, keep, add_signed(a, b, scc)) TWO(
            s_sub_i32, u32,
            u32, u32, keep,
            subtract_signed(
                a, b, scc)) TWO(s_min_i32, i32, i32, i32, keep, chosen(a, b, a < b, scc))
            TWO(s_min_u32, u32, u32, u32, keep, chosen(a, b, a < b, scc)) TWO(
                s_max_i32, i32,
                i32, i32, keep,
                chosen(a, b, a > b,
                       scc)) TWO(s_max_u32, u32, u32, u32, keep,
                                 chosen(a, b, a > b, scc)) TWO(s_cselect_b32, u32, u32, u32, keep, scc ? a : b)
                TWO(s_cselect_b64, u64, u64, u64, keep, scc ? a : b) TWO(
                    s_and_b32, u32,
                    u32, u32, non_zero,
                    a& b) TWO(s_and_b64, u64, u64, u64, non_zero,
                              a&
                                  b) TWO(s_or_b32, u32, u32, u32, non_zero,
                                         a | b) TWO(s_or_b64, u64, u64, u64, non_zero, a | b)
                    TWO(s_xor_b32, u32, u32, u32, non_zero, a ^ b) TWO(
                        s_xor_b64,
                        u64, u64, u64,
                        non_zero,
                        a ^ b) TWO(s_andn2_b32, u32, u32, u32, non_zero,
                                   a & ~b) TWO(s_andn2_b64, u64, u64, u64, non_zero, a & ~b)
                        TWO(s_orn2_b32, u32, u32, u32, non_zero, a | ~b) TWO(
                            s_orn2_b64,
                            u64, u64, u64, non_zero,
                            a | ~b) TWO(s_nand_b32, u32, u32, u32, non_zero, ~(a& b))
                            TWO(s_nand_b64, u64, u64, u64, non_zero, ~(a& b)) TWO(
                                s_nor_b32, u32,
                                u32, u32, non_zero,
                                ~(a |
                                  b)) TWO(s_nor_b64, u64, u64, u64, non_zero,
                                          ~(a | b)) TWO(s_xnor_b32, u32, u32, u32, non_zero, ~(a ^ b))
                                TWO(s_xnor_b64, u64, u64, u64, non_zero, ~(a ^ b)) TWO(
                                    s_lshl_b32,
                                    u32, u32,
                                    u32, non_zero,
                                    a << (b &
                                          31)) TWO(s_lshl_b64, u64, u64, u32, non_zero,
                                                   a << (b & 63))
                                    TWO(s_lshr_b32, u32, u32, u32, non_zero, a >> (b & 31)) TWO(
                                        s_lshr_b64,
                                        u64, u64, u32,
                                        non_zero,
                                        a >> (b &
                                              63)) TWO(s_ashr_i32, i32, i32, u32,
                                                       non_zero, a >> (b & 31))
                                        TWO(s_ashr_i64, i64, i64, u32, non_zero, a >> (b & 63)) TWO(
                                            s_bfm_b32, u32,
                                            u32, u32, keep,
                                            ones<
                                                u32>(a,
                                                     b)) TWO(s_bfm_b64, u64, u32, u32, keep,
                                                             ones<u64>(a, b))
                                            TWO(s_mul_i32, u32, u32, u32, keep, a* b) TWO(
                                                s_mul_hi_u32,
                                                u32, u32,
                                                u32, keep,
                                                static_cast<u32>(
                                                    static_cast<u64>(a) * b >>
                                                    32)) TWO(s_mul_hi_i32, u32, i32, i32, keep,
                                                             static_cast<
                                                                 u32>(static_cast<
                                                                          u64>(static_cast<i64>(a) *
                                                                               b) >>
                                                                      32))
                                                TWO(s_bfe_u32, u32, u32, u32, non_zero,
                                                    field_u<u32>(
                                                        a, b)) TWO(s_bfe_i32, u32, u32, u32,
                                                                   non_zero,
                                                                   (field_i<u32, i32>(a, b)))
                                                    TWO(s_bfe_u64, u64, u64, u32, non_zero,
                                                        field_u<u64>(
                                                            a, b)) TWO(s_bfe_i64, u64, u64, u32,
                                                                       non_zero,
                                                                       (field_i<u64, i64>(a, b)))
                                                        TWO(s_absdiff_i32, u32, u32, u32, non_zero,
                                                            static_cast<i32>(a) >
                                                                    static_cast<i32>(b)
                                                                ? a - b
                                                                : b - a) TWO(s_lshl1_add_u32,
                                                                             u32, u32, u32, keep,
                                                                             shift_add(a, b, 1, scc))
                                                            TWO(s_lshl2_add_u32, u32, u32, u32,
                                                                keep, shift_add(a, b, 2, scc))
                                                                TWO(s_lshl3_add_u32, u32, u32, u32,
                                                                    keep, shift_add(a, b, 3, scc))
                                                                    TWO(s_lshl4_add_u32, u32, u32,
                                                                        u32, keep,
                                                                        shift_add(a, b, 4, scc))
                                                                        TWO(s_pack_ll_b32_b16, u32,
                                                                            u32, u32, keep,
                                                                            (a & 0xffff) | b << 16)
                                                                            TWO(s_pack_lh_b32_b16,
                                                                                u32, u32, u32, keep,
                                                                                (a & 0xffff) |
                                                                                    (b &
                                                                                     0xffff0000))
                                                                                TWO(s_pack_hh_b32_b16,
                                                                                    u32, u32, u32,
                                                                                    keep,
                                                                                    a >> 16 |
                                                                                        (b &
                                                                                         0xffff0000))}

u64 reversed(u64 x) {
  u64 result = 0;
  for (int i = 0; i < 64; ++i) result |= (x >> i & 1) << (63 - i);
  return result;
}
template <class T>
u32 first_one(T x) {
  return x == 0 ? ~0u : static_cast<u32>(__builtin_ctzll(x));
}
template <class T>
u32 leading(T x) {
  return x == 0 ? ~0u : static_cast<u32>(__builtin_clzll(x)) - (64 - sizeof(T) * 8);
}
template <class T, class S>
u32 sign_run(T x) {
  return leading<T>(static_cast<T>(x ^ static_cast<T>(static_cast<S>(x) >> (sizeof(T) * 8 - 1))));
}
// Groups of four bits that have a one.
template <class T>
T quads(T x) {
  T result = 0;
  for (u32 i = 0; i < sizeof(T) * 2; ++i) result |= static_cast<T>((x >> (4 * i) & 15) != 0) << i;
  return result;
}
// All of a quad where one of it is set.
template <class T>
T whole_quads(T x) {
  T result = 0;
  for (u32 i = 0; i < sizeof(T) * 2; ++i) {
    if (x >> (4 * i) & 15) result |= T{15} << (4 * i);
  }
  return result;
}

void fill_one(HandlerTable table) {
  ONE(s_mov_b32, u32, u32, keep, a)
  ONE(s_mov_b64, u64, u64, keep, a)
  ONE(s_not_b32, u32, u32, non_zero, ~a)
  ONE(s_not_b64, u64, u64, non_zero, ~a)
  ONE(s_wqm_b32, u32, u32, non_zero, whole_quads(a))
  ONE(s_wqm_b64, u64, u64, non_zero, whole_quads(a))
  ONE(s_brev_b32, u32, u32, keep, static_cast<u32>(reversed(a) >> 32))
  ONE(s_brev_b64, u64, u64, keep, reversed(a))
  ONE(s_bcnt0_i32_b32, u32, u32, non_zero, 32 - static_cast<u32>(__builtin_popcount(a)))
  ONE(s_bcnt0_i32_b64, u32, u64, non_zero, 64 - static_cast<u32>(__builtin_popcountll(a)))
  ONE(s_bcnt1_i32_b32, u32, u32, non_zero, static_cast<u32>(__builtin_popcount(a)))
  ONE(s_bcnt1_i32_b64, u32, u64, non_zero, static_cast<u32>(__builtin_popcountll(a)))
  ONE(s_ff0_i32_b32, u32, u32, keep, first_one<u32>(~a))
  ONE(s_ff0_i32_b64, u32, u64, keep, first_one<u64>(~a))
  ONE(s_ff1_i32_b32, u32, u32, keep, first_one<u32>(a))
  ONE(s_ff1_i32_b64, u32, u64, keep, first_one<u64>(a))
  ONE(s_flbit_i32_b32, u32, u32, keep, leading<u32>(a))
  ONE(s_flbit_i32_b64, u32, u64, keep, leading<u64>(a))
  ONE(s_flbit_i32, u32, u32, keep, (sign_run<u32, i32>(a)))
  ONE(s_flbit_i32_i64, u32, u64, keep, (sign_run<u64, i64>(a)))
  ONE(s_sext_i32_i8, i32, u32, keep, static_cast<int8_t>(a))
  ONE(s_sext_i32_i16, i32, u32, keep, static_cast<int16_t>(a))
  ONE(s_abs_i32, u32, u32, non_zero, static_cast<i32>(a) < 0 ? 0 - a : a)
  ONE(s_quadmask_b32, u32, u32, non_zero, quads(a))
  ONE(s_quadmask_b64, u64, u64, non_zero, quads(a))
}

void conditional_move(Wave& w, const Step& s) {
  if (w.scc) write(w, s, source<u32>(w, s, 0));
}
void conditional_move_64(Wave& w, const Step& s) {
  if (w.scc) write(w, s, source<u64>(w, s, 0));
}
template <class T, bool Set>
void set_bit(Wave& w, const Step& s) {
  const u32 bit = source<u32>(w, s, 0) & (sizeof(T) * 8 - 1);
  const T old = static_cast<T>(sizeof(T) == 8 ? w.pair(s.sdst) : w.s[s.sdst]);
  write(w, s, static_cast<T>(Set ? old | T{1} << bit : old & ~(T{1} << bit)));
}
// Each bit twice.
void replicate_bits(Wave& w, const Step& s) {
  const u32 from = source<u32>(w, s, 0);
  u64 result = 0;
  for (int i = 0; i < 32; ++i) result |= static_cast<u64>((from >> i & 1) * 3) << (2 * i);
  write(w, s, result);
}

// Registers that M0 names, counted from the operand; of those that do not exist the first is read
// and none written.
constexpr u32 kScalarRegisters = 102;
template <class T>
void move_from_named(Wave& w, const Step& s) {
  const u32 from = s.source[0].index + w.s[kM0];
  const u32 words = sizeof(T) / 4;
  const bool exists = s.source[0].kind == Source::scalar && from <= kScalarRegisters - words;
  write(w, s,
        words == 2 ? static_cast<T>(w.pair(exists ? static_cast<int>(from) : 0))
                   : static_cast<T>(w.s[exists ? from : 0]));
}
template <class T>
void move_to_named(Wave& w, const Step& s) {
  const T value = source<T>(w, s, 0);
  const u32 to = s.sdst + w.s[kM0];
  if (s.sdst < kScalarRegisters && to <= kScalarRegisters - sizeof(T) / 4) {
    std::memcpy(&w.s[to], &value, sizeof value);
  }
}

// s_*_saveexec: keeps EXEC in the destination and changes it.
template <class F, bool WriteNew>
void save_exec(Wave& w, const Step& s) {
  const u64 value = source<u64>(w, s, 0), before = w.exec(), after = F::run(value, before);
  write(w, s, WriteNew ? after : before);
  w.set_pair(kExec, after);
  w.scc = after != 0;
}
#define EXEC(name, write_new, ...)                            \
  {                                                           \
    struct F {                                                \
      static u64 run(u64 a, u64 exec) { return __VA_ARGS__; } \
    };                                                        \
    table.set(Opcode::name, &save_exec<F, write_new>);        \
  }

void fill_exec(HandlerTable table) {
  EXEC(s_and_saveexec_b64, false, a & exec)
  EXEC(s_or_saveexec_b64, false, a | exec)
  EXEC(s_xor_saveexec_b64, false, a ^ exec)
  EXEC(s_andn2_saveexec_b64, false, a & ~exec)
  EXEC(s_orn2_saveexec_b64, false, a | ~exec)
  EXEC(s_nand_saveexec_b64, false, ~(a & exec))
  EXEC(s_nor_saveexec_b64, false, ~(a | exec))
  EXEC(s_xnor_saveexec_b64, false, ~(a ^ exec))
  EXEC(s_andn1_saveexec_b64, false, ~a & exec)
  EXEC(s_orn1_saveexec_b64, false, ~a | exec)
  EXEC(s_andn1_wrexec_b64, true, ~a & exec)
  EXEC(s_andn2_wrexec_b64, true, a & ~exec)
  table.set(Opcode::s_movrels_b32, &move_from_named<u32>);
  table.set(Opcode::s_movrels_b64, &move_from_named<u64>);
  table.set(Opcode::s_movreld_b32, &move_to_named<u32>);
  table.set(Opcode::s_movreld_b64, &move_to_named<u64>);
  table.set(Opcode::s_cmov_b32, &conditional_move);
  table.set(Opcode::s_cmov_b64, &conditional_move_64);
  table.set(Opcode::s_bitset0_b32, &set_bit<u32, false>);
  table.set(Opcode::s_bitset1_b32, &set_bit<u32, true>);
  table.set(Opcode::s_bitset0_b64, &set_bit<u64, false>);
  table.set(Opcode::s_bitset1_b64, &set_bit<u64, true>);
  table.set(Opcode::s_bitreplicate_b64_b32, &replicate_bits);
}

void fill_compares(HandlerTable table){
    COMPARE(s_cmp_eq_i32, i32, i32, a == b) COMPARE(s_cmp_lg_i32, i32, i32,
                                                    a != b) COMPARE(s_cmp_gt_i32, i32, i32, a > b)
        COMPARE(s_cmp_ge_i32, i32, i32, a >= b) COMPARE(s_cmp_lt_i32, i32, i32, a < b)
            COMPARE(s_cmp_le_i32, i32, i32, a <= b) COMPARE(s_cmp_eq_u32, u32, u32, a == b)
                COMPARE(s_cmp_lg_u32, u32, u32, a != b) COMPARE(s_cmp_gt_u32, u32, u32, a > b)
                    COMPARE(s_cmp_ge_u32, u32, u32, a >= b) COMPARE(s_cmp_lt_u32, u32, u32, a < b)
                        COMPARE(s_cmp_le_u32, u32, u32,
                                a <= b) COMPARE(s_cmp_eq_u64, u64, u64,
                                                a == b) COMPARE(s_cmp_lg_u64, u64, u64, a != b)
                            COMPARE(s_bitcmp0_b32, u32, u32, (a >> (b & 31) & 1) == 0)
                                COMPARE(s_bitcmp1_b32, u32, u32, (a >> (b & 31) & 1) == 1)
                                    COMPARE(s_bitcmp0_b64, u64, u32, (a >> (b & 63) & 1) == 0)
                                        COMPARE(s_bitcmp1_b64, u64, u32, (a >> (b & 63) & 1) == 1)}

// -- SOPK: the other operand is the immediate, signed or not as the name says ---------------------

i32 signed_immediate(const Step& s) {
  return static_cast<int16_t>(s.source[1].constant);
}
u32 unsigned_immediate(const Step& s) { return static_cast<uint16_t>(s.source[1].constant); }

template <class F>
void compare_signed(Wave& w, const Step& s) {
  w.scc = F::run(static_cast<i32>(w.s[s.sdst]), signed_immediate(s));
}
template <class F>
void compare_unsigned(Wave& w, const Step& s) {
  w.scc = F::run(w.s[s.sdst], unsigned_immediate(s));
}
#define IMMEDIATE_COMPARE(name, T, which, ...)          \
  {                                                     \
    struct F {                                          \
      static bool run(T a, T b) { return __VA_ARGS__; } \
    };                                                  \
    table.set(Opcode::name, &which<F>);                 \
  }

void move_immediate(Wave& w, const Step& s) { write(w, s, signed_immediate(s)); }
void conditional_move_immediate(Wave& w, const Step& s) {
  if (w.scc) write(w, s, signed_immediate(s));
}
void add_immediate(Wave& w, const Step& s) {
  write(w, s, add_signed(w.s[s.sdst], static_cast<u32>(signed_immediate(s)), w.scc));
}
void multiply_immediate(Wave& w, const Step& s) {
  write(w, s, w.s[s.sdst] * static_cast<u32>(signed_immediate(s)));
}

// Only MODE (register 1) is kept; others read as zero.
u32 hardware_field(u32 immediate, u32* shift) {
  *shift = immediate >> 6 & 31;
  const u32 width = (immediate >> 11 & 31) + 1;
  return width >= 32 ? ~0u : (1u << width) - 1;
}
void get_register(Wave& w, const Step& s) {
  u32 shift;
  const u32 immediate = unsigned_immediate(s), mask = hardware_field(immediate, &shift);
  write(w, s, (immediate & 63) == 1 ? w.mode >> shift & mask : 0u);
}
void set_mode(Wave& w, u32 immediate, u32 value) {
  u32 shift;
  const u32 mask = hardware_field(immediate, &shift);
  if ((immediate & 63) == 1) w.mode = (w.mode & ~(mask << shift)) | (value & mask) << shift;
}
void set_register(Wave& w, const Step& s) { set_mode(w, unsigned_immediate(s), w.s[s.sdst]); }
void set_register_immediate(Wave& w, const Step& s) {
  set_mode(w, unsigned_immediate(s), s.instruction.literal);
}

void fill_immediate(HandlerTable table) {
  IMMEDIATE_COMPARE(s_cmpk_eq_i32, i32, compare_signed, a == b)
  IMMEDIATE_COMPARE(s_cmpk_lg_i32, i32, compare_signed, a != b)
  IMMEDIATE_COMPARE(s_cmpk_gt_i32, i32, compare_signed, a > b)
  IMMEDIATE_COMPARE(s_cmpk_ge_i32, i32, compare_signed, a >= b)
  IMMEDIATE_COMPARE(s_cmpk_lt_i32, i32, compare_signed, a < b)
  IMMEDIATE_COMPARE(s_cmpk_le_i32, i32, compare_signed, a <= b)
  IMMEDIATE_COMPARE(s_cmpk_eq_u32, u32, compare_unsigned, a == b)
  IMMEDIATE_COMPARE(s_cmpk_lg_u32, u32, compare_unsigned, a != b)
  IMMEDIATE_COMPARE(s_cmpk_gt_u32, u32, compare_unsigned, a > b)
  IMMEDIATE_COMPARE(s_cmpk_ge_u32, u32, compare_unsigned, a >= b)
  IMMEDIATE_COMPARE(s_cmpk_lt_u32, u32, compare_unsigned, a < b)
  IMMEDIATE_COMPARE(s_cmpk_le_u32, u32, compare_unsigned, a <= b)
  table.set(Opcode::s_movk_i32, &move_immediate);
  table.set(Opcode::s_cmovk_i32, &conditional_move_immediate);
  table.set(Opcode::s_addk_i32, &add_immediate);
  table.set(Opcode::s_mulk_i32, &multiply_immediate);
  table.set(Opcode::s_getreg_b32, &get_register);
  table.set(Opcode::s_setreg_b32, &set_register);
  table.set(Opcode::s_setreg_imm32_b32, &set_register_immediate);
}

// -- control -------------------------------------------------------------------------------------

void end_program(Wave& w, const Step&) { w.state = WaveState::ended; }
void barrier(Wave& w, const Step&) { w.state = WaveState::at_barrier; }
// How many waves come is a matter of the launch: one or more of each of its blocks.
void grid_barrier(Wave& w, const Step&) {
  if (w.exec() != 0) w.state = WaveState::at_grid_barrier;
}
void trap(Wave& w, const Step&) {
  w.fault.kind = FaultKind::trap;
  w.fault.lanes = w.exec();
  w.fault.lane = w.exec() == 0 ? 0 : static_cast<u32>(__builtin_ctzll(w.exec()));
  w.state = WaveState::faulted;
}

void jump(Wave& w, const Step& s) { w.next = static_cast<u32>(s.target); }
#define BRANCH(name, condition)                 \
  {                                             \
    struct F {                                  \
      static void run(Wave& w, const Step& s) { \
        if (condition) jump(w, s);              \
      }                                         \
    };                                          \
    table.set(Opcode::name, &F::run);           \
  }

u64 address_after(const Wave& w, const Step& s) {
  return w.code_base + s.offset + 4 * s.instruction.words;
}
void get_pc(Wave& w, const Step& s) { write(w, s, address_after(w, s)); }
// Jumps to an address: run_wave finds the step, or faults.
void jump_to(Wave& w, u64 address) {
  w.jump = address;
  w.next = kJump;
}
void set_pc(Wave& w, const Step& s) { jump_to(w, source<u64>(w, s, 0)); }
void swap_pc(Wave& w, const Step& s) {
  const u64 to = source<u64>(w, s, 0);
  write(w, s, address_after(w, s));
  jump_to(w, to);
}
void call(Wave& w, const Step& s) {
  write(w, s, address_after(w, s));
  jump(w, s);
}
void read_clock(Wave& w, const Step& s) { write(w, s, static_cast<u64>(w.clock += 64)); }

// Indexing of vector registers: M0 holds the index and which operands it is for, MODE whether it is
// on. The steps in between add the index: see program.cpp.
void set_index_mode(Wave& w, u32 operands) {
  w.s[kM0] = (w.s[kM0] & ~0xf000u) | (operands & 15) << 12;
}
void set_index(Wave& w, const Step& s) {
  w.s[kM0] = (w.s[kM0] & ~0xffu) | (source<u32>(w, s, 0) & 0xff);
}
void index_on(Wave& w, const Step& s) {
  set_index(w, s);
  set_index_mode(w, static_cast<u32>(s.instruction.operand(Role::imm_ssrc1)->index));
  w.mode |= kModeIndexing;
}
void index_mode(Wave& w, const Step& s) {
  set_index_mode(w, static_cast<u32>(s.instruction.operand(Role::gpr_idx)->index));
}
void index_off(Wave& w, const Step&) { w.mode &= ~kModeIndexing; }

void fill_control(HandlerTable table) {
  BRANCH(s_branch, true)
  BRANCH(s_cbranch_scc0, !w.scc)
  BRANCH(s_cbranch_scc1, w.scc)
  BRANCH(s_cbranch_vccz, w.pair(kVcc) == 0)
  BRANCH(s_cbranch_vccnz, w.pair(kVcc) != 0)
  BRANCH(s_cbranch_execz, w.exec() == 0)
  BRANCH(s_cbranch_execnz, w.exec() != 0)
  // No debugger sets what these ask for.
  BRANCH(s_cbranch_cdbgsys, false)
  BRANCH(s_cbranch_cdbguser, false)
  BRANCH(s_cbranch_cdbgsys_or_user, false)
  BRANCH(s_cbranch_cdbgsys_and_user, false)
  table.set(Opcode::s_endpgm, &end_program);
  table.set(Opcode::s_barrier, &barrier);
  table.set(Opcode::s_trap, &trap);
  table.set(Opcode::ds_gws_barrier, &grid_barrier);
  table.set(Opcode::s_getpc_b64, &get_pc);
  table.set(Opcode::s_setpc_b64, &set_pc);
  table.set(Opcode::s_swappc_b64, &swap_pc);
  table.set(Opcode::s_call_b64, &call);
  table.set(Opcode::s_set_gpr_idx_on, &index_on);
  table.set(Opcode::s_set_gpr_idx_off, &index_off);
  table.set(Opcode::s_set_gpr_idx_mode, &index_mode);
  table.set(Opcode::s_set_gpr_idx_idx, &set_index);
  table.set(Opcode::s_memtime, &read_clock);
  table.set(Opcode::s_memrealtime, &read_clock);
  for (const Opcode opcode : {Opcode::s_nop,
                              Opcode::s_sendmsg,
                              Opcode::s_waitcnt,
                              Opcode::s_sleep,
                              Opcode::s_setprio,
                              Opcode::s_wakeup,
                              Opcode::s_sethalt,
                              Opcode::s_icache_inv,
                              Opcode::s_dcache_inv,
                              Opcode::s_dcache_wb,
                              Opcode::s_dcache_inv_vol,
                              Opcode::s_dcache_wb_vol,
                              Opcode::buffer_wbl2,
                              Opcode::buffer_inv,
                              Opcode::buffer_wbinvl1,
                              Opcode::buffer_wbinvl1_vol,
                              Opcode::v_nop,
                              Opcode::ds_nop,
                              Opcode::ds_gws_init,
                              Opcode::s_incperflevel,
                              Opcode::s_decperflevel,
                              Opcode::s_ttracedata,
                              Opcode::s_atc_probe,
                              Opcode::s_atc_probe_buffer,
                              Opcode::s_dcache_discard,
                              Opcode::s_dcache_discard_x2,
                              Opcode::v_clrexcp}) {
    table.set(opcode, &do_nothing);
  }
}

}  // namespace

void do_nothing(Wave&, const Step&) {}

void fill_scalar(HandlerTable table) {
  fill_two(table);
  fill_one(table);
  fill_exec(table);
  fill_compares(table);
  fill_immediate(table);
  fill_control(table);
}

}  // namespace greta::isa
