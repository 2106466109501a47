// Buffers with a format: MTBUF, whose instructions have it, and the format instructions of MUBUF,
// for which the resource has it. Rare, so lane by lane.
#include "isa/access.h"

namespace greta::isa::GRETA_LANES {
namespace {

// How the numbers of an element are to be read (NFMT).
enum : u32 { kUnorm, kSnorm, kUscaled, kSscaled, kUint, kSint, kReserved, kFloat };

// An element in memory: the bits of each component, the first in the lowest ones (DFMT). AMD's
// names count from the highest.
struct Element {
  u32 bytes;
  u32 bits[4];
};
constexpr Element kElements[16] = {
    {0, {}},                 // invalid
    {1, {8}},                // 8
    {2, {16}},               // 16
    {2, {8, 8}},             // 8_8
    {4, {32}},               // 32
    {4, {16, 16}},           // 16_16
    {4, {11, 11, 10}},       // 10_11_11
    {4, {10, 11, 11}},       // 11_11_10
    {4, {2, 10, 10, 10}},    // 10_10_10_2
    {4, {10, 10, 10, 2}},    // 2_10_10_10
    {4, {8, 8, 8, 8}},       // 8_8_8_8
    {8, {32, 32}},           // 32_32
    {8, {16, 16, 16, 16}},   // 16_16_16_16
    {12, {32, 32, 32}},      // 32_32_32
    {16, {32, 32, 32, 32}},  // 32_32_32_32
    {0, {}},                 // reserved
};

struct BufferFormat {
  Element element;
  u32 number;
  u32 select[4];  // where each result comes from: 0, 1, or 4 and up a component

  // There is none such: then loads give zeros and stores do nothing, as of a resource that is not
  // bound.
  bool is_none() const {
    const u32 first = element.bits[0], last = element.bits[3];
    const bool has_floats = first >= 10 && last != 2;
    return element.bytes == 0 || number == kReserved || (number == kFloat && !has_floats);
  }
};

BufferFormat format_of(const Wave& w, const Step& s) {
  const Instruction& i = s.instruction;
  if (i.row->format == Format::MTBUF) {
    const u32 format = static_cast<u32>(i.buffer_format);
    return {kElements[format & 15], format >> 4 & 7, {4, 5, 6, 7}};
  }
  const u32 word = w.s[s.base + 3];
  return {kElements[word >> 15 & 15],
          word >> 12 & 7,
          {word & 7, word >> 3 & 7, word >> 6 & 7, word >> 9 & 7}};
}

inline u32 mask_of(u32 bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }
inline i32 with_sign(u32 raw, u32 bits) {
  return static_cast<i32>(raw << (32 - bits)) >> (32 - bits);
}

// Floats of 10 and 11 bits have no sign and five bits of exponent, as halves have.
inline u32 float_bits(u32 raw, u32 bits) {
  const float half = float_of_half(bits == 16 ? raw : raw << (15 - bits));
  return bits_as<u32>(half != half ? bits_as<float>(bits_as<u32>(half) | 0x400000) : half);
}
inline u32 bits_of_float(float x, u32 bits) {
  if (bits == 16) return half_of_float(x);
  const u32 half = half_of_float(x, 3);  // cut; what is negative is zero
  return x != x || half < 0x8000 ? (half & 0x7fff) >> (15 - bits) : 0;
}

// Components of 32 bits are what they are.
u32 from_memory(u32 raw, u32 bits, u32 number) {
  if (bits == 32) return raw;
  const u32 largest = mask_of(bits);
  const i32 value = with_sign(raw, bits);
  const double most = static_cast<double>(largest), half = static_cast<double>(largest >> 1);
  switch (number) {
    case kUnorm:
      return bits_as<u32>(static_cast<float>(raw / most));
    case kSnorm:
      return bits_as<u32>(static_cast<float>(value < -half ? -1.0 : value / half));
    case kUscaled:
      return bits_as<u32>(static_cast<float>(static_cast<double>(raw)));
    case kSscaled:
      return bits_as<u32>(static_cast<float>(value));
    case kUint:
      return raw;
    case kSint:
      return static_cast<u32>(value);
    default:
      return float_bits(raw, bits);
  }
}

inline u32 rounded(double x, double low, double high) {
  const double bounded = x != x ? 0 : x < low ? low : x > high ? high : x;
  return static_cast<u32>(static_cast<i64>(__builtin_roundeven(bounded)));
}

u32 to_memory(u32 word, u32 bits, u32 number) {
  if (bits == 32) return word;
  const u32 largest = mask_of(bits);
  const double x = static_cast<double>(bits_as<float>(word));
  const double most = static_cast<double>(largest), half = static_cast<double>(largest >> 1);
  const i32 value = static_cast<i32>(word);
  const i64 low = -static_cast<i64>(largest >> 1) - 1, high = static_cast<i64>(largest >> 1);
  switch (number) {
    case kUnorm:
      return rounded(x * most, 0, most);
    case kSnorm:
      return rounded(x * half, -half, half) & largest;
    case kUscaled:
      return rounded(__builtin_trunc(x), 0, most);
    case kSscaled:
      return rounded(__builtin_trunc(x), -half - 1, half) & largest;
    case kUint:
      return word > largest ? largest : word;
    case kSint:
      return static_cast<u32>(value < low ? low : value > high ? high : value) & largest;
    default:
      return bits_of_float(bits_as<float>(word), bits);
  }
}

bool is_integer(u32 number) { return number == kUint || number == kSint; }

// Registers of 16 bits: a float is a half, an integer is cut to its ends.
u32 short_of(u32 word, u32 number) {
  const i32 value = static_cast<i32>(word);
  if (number == kUint) return word > 0xffff ? 0xffff : word;
  if (number == kSint)
    return static_cast<u32>(value < -32768 ? -32768 : value > 32767 ? 32767 : value) & 0xffff;
  return half_of_float(bits_as<float>(word));
}
u32 word_of(u32 half, u32 number) {
  if (number == kUint) return half;
  if (number == kSint) return static_cast<u32>(with_sign(half, 16));
  return bits_as<u32>(float_of_half(half));
}

// Where the components of a lane are in its registers: a word each, or a half each.
enum class Data : u8 { words, halves, high };

void put_component(Wave& w, u32 row, Data data, int n, int l, u32 word, u32 number) {
  const u32 index = static_cast<u32>(n);
  if (data == Data::words) {
    w.v[row + index][l] = word;
    return;
  }
  u32& to = w.v[row + index / 2][l];
  const u32 shift = data == Data::high || index % 2 != 0 ? 16 : 0;
  to = (to & ~(0xffffu << shift)) | short_of(word, number) << shift;
}
u32 take_component(const Wave& w, u32 row, Data data, int n, int l, u32 number) {
  const u32 index = static_cast<u32>(n);
  if (data == Data::words) return w.v[row + index][l];
  const u32 shift = data == Data::high || index % 2 != 0 ? 16 : 0;
  return word_of(w.v[row + index / 2][l] >> shift & 0xffff, number);
}

// What a result selects of the components that were loaded.
u32 selected(const BufferFormat& format, const u32* components, int n) {
  const u32 from = format.select[n];
  if (from >= 4) return components[from - 4];
  return from == 1 ? (is_integer(format.number) ? 1 : 0x3f800000) : 0;
}

template <int Count, Data Where>
void load_typed(Wave& w, const Step& s) {
  const BufferFormat format = format_of(w, s);
  const Element& element = format.element;
  const auto give = [&](int l, const u32* components) {
    for (int n = 0; n < Count; ++n) {
      put_component(w, s.data, Where, n, l, selected(format, components, n), format.number);
    }
  };
  static constexpr u32 kNothing[4] = {};
  Accesses a;
  if (format.is_none()) return each_lane(w.exec(), [&](int l) { give(l, kNothing); });
  if (!resolve_addresses(w, s, element.bytes, AccessKind::read, &a)) return;
  Row results[4];
  a.each([&](const Places& p) {
    each_lane(p.lanes, [&](int l) {
      u32 raw[5] = {}, components[4] = {};
      __builtin_memcpy(raw, host(p.address(l)), element.bytes);
      for (u32 n = 0, at = 0; n < 4 && element.bits[n] != 0; at += element.bits[n++]) {
        const u64 window = raw[at / 32] | static_cast<u64>(raw[at / 32 + 1]) << 32;
        const u32 part = static_cast<u32>(window >> (at % 32)) & mask_of(element.bits[n]);
        components[n] = from_memory(part, element.bits[n], format.number);
      }
      for (int n = 0; n < 4; ++n) results[n].lane[l] = components[n];
    });
  });
  // Afterwards: the registers may be those of the addresses.
  each_lane(w.exec() & ~a.beyond, [&](int l) {
    const u32 components[4] = {results[0].lane[l], results[1].lane[l], results[2].lane[l],
                               results[3].lane[l]};
    give(l, components);
  });
  each_lane(a.beyond, [&](int l) { give(l, kNothing); });
}

// Components that the instruction does not give are written as zeros.
template <int Count, Data Where>
void store_typed(Wave& w, const Step& s) {
  const BufferFormat format = format_of(w, s);
  const Element& element = format.element;
  Accesses a;
  if (format.is_none() || !resolve_addresses(w, s, element.bytes, AccessKind::write, &a)) return;
  a.each([&](const Places& p) {
    each_lane(p.lanes, [&](int l) {
      u32 raw[5] = {};
      for (u32 n = 0, at = 0; n < 4 && element.bits[n] != 0; at += element.bits[n++]) {
        u32 word = 0;
        for (int from = 0; from < Count; ++from) {
          const bool here = format.select[from] == 4 + n;
          if (here) word = take_component(w, s.data, Where, from, l, format.number);
        }
        const u64 part = static_cast<u64>(to_memory(word, element.bits[n], format.number))
                         << (at % 32);
        raw[at / 32] |= static_cast<u32>(part);
        raw[at / 32 + 1] |= static_cast<u32>(part >> 32);
      }
      __builtin_memcpy(host(p.address(l)), raw, element.bytes);
    });
  });
}

#define TYPED(prefix, which, count, data)                                          \
  table.set(Opcode::prefix##_load_format_##which, &load_typed<count, Data::data>); \
  table.set(Opcode::prefix##_store_format_##which, &store_typed<count, Data::data>);
#define ALL_TYPED(prefix)           \
  TYPED(prefix, x, 1, words)        \
  TYPED(prefix, xy, 2, words)       \
  TYPED(prefix, xyz, 3, words)      \
  TYPED(prefix, xyzw, 4, words)     \
  TYPED(prefix, d16_x, 1, halves)   \
  TYPED(prefix, d16_xy, 2, halves)  \
  TYPED(prefix, d16_xyz, 3, halves) \
  TYPED(prefix, d16_xyzw, 4, halves)

}  // namespace

void fill_typed(Table table) {
  ALL_TYPED(buffer)
  ALL_TYPED(tbuffer)
  TYPED(buffer, d16_hi_x, 1, high)
}

}  // namespace greta::isa::GRETA_LANES
