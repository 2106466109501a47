// The opcodes of AMD's CDNA architectures. opcodes.txt is the table; nothing else lists them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace greta::isa {

enum class Architecture : uint8_t { gfx90a = 1, gfx942 = 2, gfx950 = 4 };

// How an instruction is laid out. The numbers of opcodes count per format.
enum class Format : uint8_t {
  SOP2,
  SOPK,
  SOP1,
  SOPC,
  SOPP,
  SMEM,
  VOP2,
  VOP1,
  VOPC,
  VOP3,
  VOP3P,
  MAI,
  DS,
  FLAT,
  GLOBAL,
  SCRATCH,
  MUBUF,
  MTBUF,
};
inline constexpr size_t kFormats = 18;

enum class Opcode : uint16_t {
#define NAME(name) name,
#include "isa/opcodes.inc"
  count
};
inline constexpr size_t kOpcodes = static_cast<size_t>(Opcode::count);

// Which field of the encoding an operand comes from.
enum class Role : uint8_t {
  none,
  sdst,
  ssrc0,
  ssrc1,
  imm_ssrc1,
  simm16,
  target,
  hwreg,
  literal,
  waitcnt,
  sendmsg,
  gpr_idx,
  sdata,
  sbase,
  soffset,
  imm_sdata,
  vdst,
  vdst_sgpr,
  vdst_acc,
  src0,
  src1,
  src2,
  src0_acc,
  vcc,
  addr,
  data,
  data0,
  data1,
  saddr,
  vdata,
  vaddr,
  srsrc,
  soff,
};

struct OperandRow {
  Role role = Role::none;
  uint8_t width = 0;  // in 32-bit registers
};

// Properties of a row.
enum : uint16_t {
  has_e64 = 1,
  has_sdwa = 2,
  has_dpp = 4,
  has_dpp64 = 8,
  has_sext = 16,
  has_clamp = 32,
  has_omod = 64,
  has_opsel = 128,
  has_rtn = 256,
};

inline constexpr int kMostOperands = 5;

struct OpcodeRow {
  Opcode opcode;
  Format format;
  uint16_t number;
  uint8_t architectures;
  uint16_t properties;
  uint8_t may_negate, may_be_absolute;  // masks of sources
  uint8_t operand_count;
  OperandRow operands[kMostOperands];

  bool has(uint16_t property) const { return (properties & property) != 0; }
};

std::string_view name_of(Opcode opcode);
// A 16-bit operation: its constants are halves, its literals 16 bits.
bool has_16_bit_sources(Opcode opcode);
// Opcode::count where there is none of that name.
Opcode opcode_named(std::string_view name);
// The row of a number in a format, or null.
const OpcodeRow* find_row(Format format, unsigned number, Architecture architecture);
// Any row of an opcode in an architecture, or null.
const OpcodeRow* row_of(Opcode opcode, Architecture architecture);

const OpcodeRow* all_rows(size_t* count);

}  // namespace greta::isa
