#include "device/division_fault.h"

#include <cstdint>
#include <cstring>

#include "device/sanitizers.h"

namespace greta::sim {
namespace {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

// x86 register numbers, as instructions encode them, to slots of the saved context.
constexpr int kRegisterSlot[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                   REG_R12, REG_R13, REG_R14, REG_R15};

struct Division {
  unsigned bytes = 4;  // operand size
  bool is_signed = false;
  uint64_t divisor = 0;
};

// Reads an instruction byte by byte:
//   [legacy prefixes] [REX] F6|F7 modrm [sib] [disp8|disp32]
class DivisionDecoder {
 public:
  explicit DivisionDecoder(ucontext_t* context)
      : registers_(context->uc_mcontext.gregs),
        next_(reinterpret_cast<const uint8_t*>(registers_[REG_RIP])) {}

  bool decode(Division* division);
  const uint8_t* end_of_instruction() const { return next_; }

 private:
  uint64_t general(unsigned number) const {
    return static_cast<uint64_t>(registers_[kRegisterSlot[number]]);
  }
  uint8_t take_byte() { return *next_++; }
  template <typename Integer>
  int64_t take() {
    Integer value;
    std::memcpy(&value, next_, sizeof value);
    next_ += sizeof value;
    return value;
  }

  bool take_prefixes();
  uint64_t take_address(unsigned mod, unsigned rm);
  uint64_t take_scaled_index(unsigned mod);
  uint64_t register_operand(unsigned rm, unsigned bytes) const;
  uint64_t segment_base() const;

  const greg_t* registers_;
  const uint8_t* next_;
  uint8_t rex_ = 0;
  bool operand16_ = false;
  bool address32_ = false;
  bool fs_segment_ = false;
};

bool DivisionDecoder::take_prefixes() {
  for (;; ++next_) {
    switch (*next_) {
      case 0x66:
        operand16_ = true;
        continue;
      case 0x67:
        address32_ = true;
        continue;
      case 0x64:
        fs_segment_ = true;
        continue;
      case 0x65:
        return false;  // gs: nobody uses it in user code
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0xf2:
      case 0xf3:
        continue;
      default:
        break;
    }
    break;
  }
  if ((*next_ & 0xf0) == 0x40) rex_ = take_byte();
  return true;
}

uint64_t DivisionDecoder::segment_base() const {
  if (!fs_segment_) return 0;
  uint64_t base;  // the thread control block begins with its own address
  asm("mov %%fs:0, %0" : "=r"(base));
  return base;
}

uint64_t DivisionDecoder::take_scaled_index(unsigned mod) {
  const uint8_t sib = take_byte();
  const unsigned index = ((sib >> 3) & 7) | (rex_ & 2 ? 8 : 0);
  const unsigned base = (sib & 7) | (rex_ & 1 ? 8 : 0);
  uint64_t address = index == 4 ? 0 : general(index) << (sib >> 6);
  const bool displacement_only = mod == 0 && (base & 7) == 5;
  return address + (displacement_only ? static_cast<uint64_t>(take<int32_t>()) : general(base));
}

uint64_t DivisionDecoder::take_address(unsigned mod, unsigned rm) {
  uint64_t address;
  if ((rm & 7) == 4) {
    address = take_scaled_index(mod);
  } else if (mod == 0 && (rm & 7) == 5) {
    const int64_t displacement = take<int32_t>();
    address = reinterpret_cast<uint64_t>(next_) + static_cast<uint64_t>(displacement);
  } else {
    address = general(rm);
  }
  if (mod == 1) address += static_cast<uint64_t>(take<int8_t>());
  if (mod == 2) address += static_cast<uint64_t>(take<int32_t>());
  if (address32_) address = static_cast<uint32_t>(address);
  return address + segment_base();
}

uint64_t DivisionDecoder::register_operand(unsigned rm, unsigned bytes) const {
  const bool high_byte = bytes == 1 && rex_ == 0 && rm >= 4;  // ah, ch, dh, bh
  return high_byte ? general(rm - 4) >> 8 : general(rm);
}

uint64_t truncated(uint64_t value, unsigned bytes) {
  return bytes == 8 ? value : value & ((uint64_t{1} << (8 * bytes)) - 1);
}

GRETA_NO_SANITIZE uint64_t load(uint64_t address, unsigned bytes) {
  uint64_t value = 0;
  const auto* from = reinterpret_cast<const volatile uint8_t*>(address);
  for (unsigned i = 0; i < bytes; ++i) value |= uint64_t{from[i]} << (8 * i);
  return value;
}

bool DivisionDecoder::decode(Division* division) {
  if (!take_prefixes()) return false;
  const uint8_t opcode = take_byte();
  if (opcode != 0xf6 && opcode != 0xf7) return false;
  const uint8_t modrm = take_byte();
  const unsigned operation = (modrm >> 3) & 7;
  if (operation != 6 && operation != 7) return false;
  division->is_signed = operation == 7;
  division->bytes = opcode == 0xf6 ? 1 : rex_ & 8 ? 8 : operand16_ ? 2 : 4;
  const unsigned mod = modrm >> 6;
  const unsigned rm = (modrm & 7) | (rex_ & 1 ? 8 : 0);
  const uint64_t divisor = mod == 3 ? register_operand(rm, division->bytes)
                                    : load(take_address(mod, rm), division->bytes);
  division->divisor = truncated(divisor, division->bytes);
  return true;
}

struct DivisionResult {
  uint64_t quotient;
  uint64_t remainder;
};

Int128 sign_extended(UInt128 value, unsigned bits) {
  const unsigned shift = 128 - bits;
  return static_cast<Int128>(value << shift) >> shift;
}

// The dividend has twice the divisor's width. Overflow (the smallest integer by -1, or a dividend
// that was not made from one of the divisor's width) keeps the quotient's low bits.
DivisionResult divide(const Division& division, UInt128 dividend) {
  const unsigned bits = 8 * division.bytes;
  if (division.divisor == 0) return {~uint64_t{0}, static_cast<uint64_t>(dividend)};
  if (!division.is_signed) {
    return {static_cast<uint64_t>(dividend / division.divisor),
            static_cast<uint64_t>(dividend % division.divisor)};
  }
  const Int128 numerator = sign_extended(dividend, 2 * bits);
  const Int128 denominator = sign_extended(division.divisor, bits);
  if (denominator == -1) return {static_cast<uint64_t>(-static_cast<UInt128>(numerator)), 0};
  return {static_cast<uint64_t>(numerator / denominator),
          static_cast<uint64_t>(numerator % denominator)};
}

UInt128 dividend_of(const greg_t* registers, unsigned bytes) {
  const auto low = static_cast<uint64_t>(registers[REG_RAX]);
  const auto high = static_cast<uint64_t>(registers[REG_RDX]);
  if (bytes == 1) return truncated(low, 2);
  return UInt128{truncated(high, bytes)} << (8 * bytes) | truncated(low, bytes);
}

// Writing a 32-bit register clears its upper half; narrower writes keep the rest.
greg_t merged(greg_t old, uint64_t value, unsigned bytes) {
  if (bytes >= 4) return static_cast<greg_t>(truncated(value, bytes));
  const uint64_t mask = (uint64_t{1} << (8 * bytes)) - 1;
  return static_cast<greg_t>((static_cast<uint64_t>(old) & ~mask) | (value & mask));
}

void store_result(greg_t* registers, const DivisionResult& result, unsigned bytes) {
  if (bytes == 1) {  // al and ah
    const uint64_t both = (result.quotient & 0xff) | (result.remainder & 0xff) << 8;
    registers[REG_RAX] = merged(registers[REG_RAX], both, 2);
    return;
  }
  registers[REG_RAX] = merged(registers[REG_RAX], result.quotient, bytes);
  registers[REG_RDX] = merged(registers[REG_RDX], result.remainder, bytes);
}

}  // namespace

bool emulate_failed_division(ucontext_t* context) {
  DivisionDecoder decoder(context);
  Division division;
  if (!decoder.decode(&division)) return false;
  greg_t* registers = context->uc_mcontext.gregs;
  store_result(registers, divide(division, dividend_of(registers, division.bytes)), division.bytes);
  registers[REG_RIP] = reinterpret_cast<greg_t>(decoder.end_of_instruction());
  return true;
}

}  // namespace greta::sim
