// A kernel's code, decoded once and ready to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/decoder.h"
#include "isa/wave.h"

namespace greta::isa {

struct Step;

// A value in every lane: its lower and its upper word.
struct alignas(64) ConstantRows {
  uint32_t lane[2][kLanes];
};

// A source operand: a register, or a value that does not change.
struct Source {
  enum Kind : uint8_t { value, vector, scalar, special } kind = value;
  uint16_t index = 0;  // of a register; the code of a special one
  uint64_t constant = 0;
  const ConstantRows* rows = nullptr;  // the constant, where a vector operation reads it
};

// What may happen to the wave besides its registers.
enum class Flow : uint8_t {
  next,     // nothing: the next step follows
  faults,   // a fault, perhaps
  control,  // it may go on elsewhere, wait or end
};

// What the addresses of a memory instruction are made of.
enum class Space : uint8_t { global, flat, scratch, buffer, lds };

inline constexpr uint16_t kNoRow = 0xffff;

// One instruction as the handlers see it.
struct Step {
  Handler handler = nullptr;
  Source source[3];
  uint16_t vdst = 0;             // row of the vector destination
  uint16_t sdst = 0;             // code of the scalar destination
  uint16_t address = kNoRow;     // row of a memory instruction's address
  uint16_t data = 0, data1 = 0;  // rows of what it writes
  uint16_t base = kNoRow;        // code of the scalar registers that its addresses start from
  Flow flow = Flow::next;
  Space space = Space::global;
  bool wide_address = false;    // the address is a pair of rows
  bool plain = false;           // none of the following, and no DPP
  bool changes_source = false;  // neg, abs, SDWA or DPP: see source rows
  bool changes_result = false;  // clamp, omod, SDWA or a half of a register
  bool half_result = false;     // writes 16 bits and keeps the others
  int32_t target = 0;           // of a branch: index of the step
  uint32_t memory = 0;          // number among the memory instructions
  uint32_t offset = 0;          // in bytes from the program's beginning
  Instruction instruction;
};

// Which build of the lanes runs: the widest that the processor executes, or as asked.
enum class Lanes : uint8_t { portable, avx2, avx512 };
Lanes best_lanes();

// The handler of an opcode in a form, or null where it is not implemented.
Handler handler_of(Opcode opcode, Lanes lanes);
bool is_implemented(Opcode opcode);
// Results that may differ from hardware's in the last bits.
bool is_approximate(Opcode opcode);

struct Program {
  std::vector<Step> steps;       // without those that do nothing; one more at the end
  size_t first_word = 0;         // of what can be reached
  std::vector<int32_t> step_at;  // by word from that one on; -1 inside an instruction
  uint32_t memory_instructions = 0;
  std::map<uint64_t, ConstantRows> constants;  // by value
  std::vector<Opcode> approximate;             // those that occur

  Program() = default;
  Program(const Program&) = delete;  // steps point to constants
  Program& operator=(const Program&) = delete;
  Program(Program&&) = default;
  Program& operator=(Program&&) = default;

  // A function that cannot be run; calling it is a fault.
  struct Refused {
    size_t byte;
    std::string reason;
  };
  std::vector<Refused> refused;

  // Decodes `bytes` of code that are reachable from the byte `entry_byte`. Where something is not
  // an instruction or is not implemented, says which in `error`. `functions` are the bytes at which
  // functions begin that the code may call by address; looked at where it calls any.
  bool load(const void* code, size_t bytes, size_t entry_byte, Architecture architecture,
            Lanes lanes, std::string* error, const std::vector<size_t>& functions = {});
  int32_t step_of_byte(uint64_t offset) const;  // -1 where none begins

  // From now on the memory is told when a wave comes to this step. Costs other steps nothing.
  void mark(uint32_t step);
  std::map<uint32_t, Handler> marked;  // by step, what runs there
};

// Runs a wave until it stops or `budget` instructions are done, and on to the next branch; returns
// how many were done.
uint64_t run_wave(const Program& program, Wave& wave, uint64_t budget);

}  // namespace greta::isa
