#include "device/division_fault.h"

#include <cstdint>

#include "device/instruction_reader.h"
#include "device/sanitizers.h"

namespace greta::sim {
namespace {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

struct Division {
  unsigned bytes = 4;  // operand size
  bool is_signed = false;
  uint64_t divisor = 0;
};

uint64_t register_operand(const InstructionReader& reader, unsigned rm, unsigned bytes) {
  const bool high_byte = bytes == 1 && reader.rex() == 0 && rm >= 4;  // ah, ch, dh, bh
  return high_byte ? reader.general(rm - 4) >> 8 : reader.general(rm);
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

// div and idiv: F6 and F7, /6 and /7.
bool take_division(InstructionReader& reader, Division* division) {
  if (!reader.take_prefixes()) return false;
  const uint8_t opcode = reader.take_byte();
  if (opcode != 0xf6 && opcode != 0xf7) return false;
  const uint8_t modrm = reader.take_byte();
  const unsigned operation = (modrm >> 3) & 7;
  if (operation != 6 && operation != 7) return false;
  division->is_signed = operation == 7;
  division->bytes = opcode == 0xf6 ? 1 : reader.rex() & 8 ? 8 : reader.operand16() ? 2 : 4;
  const bool in_register = modrm >> 6 == 3;
  const uint64_t divisor = in_register ? register_operand(reader, reader.rm(modrm), division->bytes)
                                       : load(reader.take_address(modrm), division->bytes);
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
  InstructionReader reader(context);
  Division division;
  if (!take_division(reader, &division)) return false;
  greg_t* registers = context->uc_mcontext.gregs;
  store_result(registers, divide(division, dividend_of(registers, division.bytes)), division.bytes);
  registers[REG_RIP] = reinterpret_cast<greg_t>(reader.next());
  return true;
}

}  // namespace greta::sim
