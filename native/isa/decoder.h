// From the words of a kernel to instructions. Knows the encodings, not what instructions do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "isa/opcode.h"

namespace greta::isa {

enum class OperandKind : uint8_t {
  vgpr,       // index: 0 to 255
  acc,        // index: 0 to 255
  scalar,     // index: 0 to 127 as encoded: SGPRs, VCC, TTMP, M0, EXEC
  constant,   // index: the code of an inline constant, 128 to 208 and 240 to 248
  special,    // index: the code, 235 to 239 and 251 to 254: apertures, VCCZ, EXECZ, SCC
  literal,    // the value is in Instruction::literal
  immediate,  // index: the raw bits
  off,        // no register
};

struct Operand {
  Role role = Role::none;
  OperandKind kind = OperandKind::off;
  uint8_t width = 0;  // in 32-bit registers
  uint16_t index = 0;
};

enum class Form : uint8_t { plain, e64, sdwa, dpp };

// One instruction as it is encoded.
struct Instruction {
  const OpcodeRow* row = nullptr;
  Opcode opcode = Opcode::count;
  Form form = Form::plain;
  uint8_t words = 0;
  uint8_t operand_count = 0;
  Operand operands[kMostOperands];
  uint32_t literal = 0;

  // Modifiers of VOP3 and VOP3P; neg and abs also of SDWA and DPP. Bit n is source n.
  uint8_t neg = 0, abs = 0, neg_hi = 0, op_sel = 0, op_sel_hi = 0, omod = 0;
  bool clamp = false;
  // SDWA
  uint8_t dst_sel = 6, dst_unused = 0, src_sel[2] = {6, 6}, sext = 0;
  // DPP
  uint16_t dpp_ctrl = 0;
  uint8_t row_mask = 15, bank_mask = 15;
  bool bound_ctrl = false;
  // Memory
  int32_t offset = 0;                // of SMEM, FLAT, MUBUF; of DS the first
  uint8_t offset0 = 0, offset1 = 0;  // of DS with two addresses
  bool sc0 = false, sc1 = false, nt = false, lds = false, gds = false, idxen = false, offen = false,
       soffset_en = false, imm = false;
  uint8_t buffer_format = 0;
  // MFMA
  uint8_t cbsz = 0, abid = 0, blgp = 0;

  const Operand* operand(Role role) const;
};

// Decodes the instruction at words[0]; `count` words are there. False where it is no instruction of
// the architecture or is cut off.
bool decode(const uint32_t* words, size_t count, Architecture architecture, Instruction* out);

// The text that LLVM's disassembler prints for it, without comments.
std::string text_of(const Instruction& instruction, Architecture architecture);

}  // namespace greta::isa
