// Reads the x86 instruction at which a thread was stopped, as far as its memory operand. Everything
// here is async-signal-safe.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstring>

namespace greta::sim {

// Byte by byte: [legacy prefixes] [REX] opcode modrm [sib] [disp8|disp32]. The opcode is the
// caller's.
class InstructionReader {
 public:
  explicit InstructionReader(const ucontext_t* context)
      : registers_(context->uc_mcontext.gregs),
        next_(reinterpret_cast<const uint8_t*>(registers_[REG_RIP])) {}

  // By the number that instructions encode.
  uint64_t general(unsigned number) const;
  uint8_t take_byte() { return *next_++; }
  // Legacy prefixes and REX; false if the operand is in a segment whose base is not known.
  bool take_prefixes();
  // The address of a memory operand (mod is not 3), `modrm` having been taken.
  uint64_t take_address(uint8_t modrm);
  unsigned rm(uint8_t modrm) const { return (modrm & 7) | (rex_ & 1 ? 8 : 0); }
  const uint8_t* next() const { return next_; }
  uint8_t rex() const { return rex_; }
  // VEX and EVEX bring the bits of REX in a form of their own.
  void set_rex(uint8_t bits) { rex_ = bits; }
  bool operand16() const { return operand16_; }

 private:
  template <typename Integer>
  int64_t take() {
    Integer value;
    std::memcpy(&value, next_, sizeof value);
    next_ += sizeof value;
    return value;
  }
  uint64_t take_scaled_index(unsigned mod);
  uint64_t segment_base() const;

  const greg_t* registers_;
  const uint8_t* next_;
  uint8_t rex_ = 0;
  bool operand16_ = false;
  bool address32_ = false;
  bool fs_segment_ = false;
};

// The address that no processor can look up (its upper bits are neither all 0 nor all 1) and that
// the instruction names as its memory operand; 0 if it names none: another reason stopped it, or
// the operand is one that this does not read (gathers, compressed displacements).
uintptr_t impossible_operand(const ucontext_t* context);

}  // namespace greta::sim
