#include "device/instruction_reader.h"

namespace greta::sim {
namespace {

// x86 register numbers, as instructions encode them, to slots of the saved context.
constexpr int kRegisterSlot[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                   REG_R12, REG_R13, REG_R14, REG_R15};
constexpr unsigned kSource = 6, kDestination = 7;  // rsi, rdi

bool is_impossible(uintptr_t address) {
  constexpr int kUsed = 47;  // bits above are all equal
  const uintptr_t top = address >> kUsed;
  return top != 0 && top != UINTPTR_MAX >> kUsed;
}

// What stands before the opcode says which of these tables it is in.
enum class Map { one_byte, two_bytes, three_bytes };

struct Opcode {
  Map map;
  uint8_t number;
  bool scales_displacement;  // EVEX: by a factor that depends on the instruction
};

// The inverted R, X and B of VEX and EVEX, as REX has them (W, the bit above, does not matter
// here).
uint8_t rex_of(uint8_t inverted) { return 0x40 | (~inverted >> 5 & 7); }

Map map_of(unsigned number) { return number == 1 ? Map::two_bytes : Map::three_bytes; }

Opcode take_opcode(InstructionReader& reader) {
  const uint8_t first = reader.take_byte();
  if (first == 0xc5) {  // VEX of two bytes: only R, which no address needs
    reader.take_byte();
    return {Map::two_bytes, reader.take_byte(), false};
  }
  if (first == 0xc4 || first == 0x62) {
    const uint8_t rxb_and_map = reader.take_byte();
    reader.set_rex(rex_of(rxb_and_map));
    reader.take_byte();
    if (first == 0x62) reader.take_byte();
    return {map_of(rxb_and_map & 7), reader.take_byte(), first == 0x62};
  }
  if (first != 0x0f) return {Map::one_byte, first, false};
  const uint8_t second = reader.take_byte();
  if (second != 0x38 && second != 0x3a) return {Map::two_bytes, second, false};
  return {Map::three_bytes, reader.take_byte(), false};
}

bool has_modrm(uint8_t one_byte_opcode) {
  const unsigned opcode = one_byte_opcode;
  if (opcode < 0x40) return (opcode & 7) < 4;  // arithmetic
  return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b || (opcode >= 0x80 && opcode <= 0x8f) ||
         opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 ||
         (opcode >= 0xd0 && opcode <= 0xd3) || (opcode >= 0xd8 && opcode <= 0xdf) ||
         opcode == 0xf6 || opcode == 0xf7 || opcode >= 0xfe;
}

bool is_string_operation(uint8_t one_byte_opcode) {
  return (one_byte_opcode >= 0xa4 && one_byte_opcode <= 0xa7) ||
         (one_byte_opcode >= 0xaa && one_byte_opcode <= 0xaf);
}

// Their index is a vector, and which of its elements failed is not told.
bool is_gather_or_scatter(const Opcode& opcode) {
  const unsigned number = opcode.number;
  return opcode.map == Map::three_bytes &&
         ((number >= 0x90 && number <= 0x93) || (number >= 0xa0 && number <= 0xa3) ||
          number == 0xc6 || number == 0xc7);
}

uintptr_t impossible_or_none(uintptr_t address) { return is_impossible(address) ? address : 0; }

// movs and its like have an operand behind rsi, behind rdi, or both.
uintptr_t impossible_string_operand(const InstructionReader& reader, uint8_t opcode) {
  const bool reads = opcode <= 0xa7 || opcode == 0xac || opcode == 0xad;
  const bool uses_destination = opcode != 0xac && opcode != 0xad;
  const uintptr_t source = reads ? impossible_or_none(reader.general(kSource)) : 0;
  if (source != 0 || !uses_destination) return source;
  return impossible_or_none(reader.general(kDestination));
}

}  // namespace

uint64_t InstructionReader::general(unsigned number) const {
  return static_cast<uint64_t>(registers_[kRegisterSlot[number]]);
}

bool InstructionReader::take_prefixes() {
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
      case 0xf0:
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

uint64_t InstructionReader::segment_base() const {
  if (!fs_segment_) return 0;
  uint64_t base;  // the thread control block begins with its own address
  asm("mov %%fs:0, %0" : "=r"(base));
  return base;
}

uint64_t InstructionReader::take_scaled_index(unsigned mod) {
  const uint8_t sib = take_byte();
  const unsigned index = ((sib >> 3) & 7) | (rex_ & 2 ? 8 : 0);
  const unsigned base = (sib & 7) | (rex_ & 1 ? 8 : 0);
  const uint64_t address = index == 4 ? 0 : general(index) << (sib >> 6);
  const bool displacement_only = mod == 0 && (base & 7) == 5;
  return address + (displacement_only ? static_cast<uint64_t>(take<int32_t>()) : general(base));
}

uint64_t InstructionReader::take_address(uint8_t modrm) {
  const unsigned mod = modrm >> 6;
  uint64_t address;
  if ((modrm & 7) == 4) {
    address = take_scaled_index(mod);
  } else if (mod == 0 && (modrm & 7) == 5) {
    const int64_t displacement = take<int32_t>();
    address = reinterpret_cast<uint64_t>(next_) + static_cast<uint64_t>(displacement);
  } else {
    address = general(rm(modrm));
  }
  if (mod == 1) address += static_cast<uint64_t>(take<int8_t>());
  if (mod == 2) address += static_cast<uint64_t>(take<int32_t>());
  if (address32_) address = static_cast<uint32_t>(address);
  return address + segment_base();
}

uintptr_t impossible_operand(const ucontext_t* context) {
  InstructionReader reader(context);
  if (!reader.take_prefixes()) return 0;
  const Opcode opcode = take_opcode(reader);
  if (opcode.map == Map::one_byte) {
    if (is_string_operation(opcode.number)) return impossible_string_operand(reader, opcode.number);
    if (!has_modrm(opcode.number)) return 0;
  }
  const uint8_t modrm = reader.take_byte();
  const unsigned mod = modrm >> 6;
  if (mod == 3 || is_gather_or_scatter(opcode)) return 0;
  if (opcode.scales_displacement && mod == 1) return 0;
  return impossible_or_none(reader.take_address(modrm));
}

}  // namespace greta::sim
