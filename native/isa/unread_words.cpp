#include "isa/unread_words.h"

#include <bitset>
#include <string_view>
#include <vector>

namespace greta::isa {
namespace {

constexpr size_t kScalars = 128;
using Registers = std::bitset<kScalars>;

// A store or an atomic of scalars: its data is what loads have as their destination.
bool sends_data(std::string_view name) {
  return name.rfind("s_", 0) == 0 &&
         (name.find("_store_") != name.npos || name.find("_atomic_") != name.npos);
}

// Also compares and s_setreg, which write none.
bool reads_destination(const Instruction& i) {
  const std::string_view name = name_of(i.opcode);
  return sends_data(name) ||
         (i.row->format == Format::SOPK && i.opcode != Opcode::s_movk_i32 &&
          i.opcode != Opcode::s_getreg_b32) ||
         name.rfind("s_cmov_", 0) == 0 || name.rfind("s_bitset", 0) == 0;
}

bool is_destination(const Instruction& i, int position) {
  const Role role = i.operands[position].role;
  if (role == Role::sdata && sends_data(name_of(i.opcode))) {
    return i.sc0 && name_of(i.opcode).find("_atomic_") != std::string_view::npos;
  }
  return role == Role::sdst || role == Role::vdst_sgpr || role == Role::sdata ||
         (role == Role::vcc && (position == 0 || (position == 1 && i.operand_count > 3)));
}

Registers registers_of(const Operand& operand) {
  Registers registers;
  if (operand.kind != OperandKind::scalar) return registers;
  const size_t width = operand.role == Role::vcc ? 2 : operand.width == 0 ? 1 : operand.width;
  for (size_t r = operand.index; r < operand.index + width && r < kScalars; ++r) registers.set(r);
  return registers;
}

// What an instruction does with scalar registers that it names.
struct Effect {
  Registers read, written;

  explicit Effect(const Instruction& i) {
    for (int n = 0; n < i.operand_count; ++n) {
      const Registers registers = registers_of(i.operands[n]);
      const bool destination = is_destination(i, n);
      if (destination) written |= registers;
      if (!destination || reads_destination(i)) read |= registers;
    }
    // By M0, any of them.
    if (i.opcode == Opcode::s_movrels_b32 || i.opcode == Opcode::s_movrels_b64) read.set();
  }
};

// Follows a value through the program, and through copies of it.
class Reading {
 public:
  Reading(const Program& program, uint32_t after, size_t scalar) : program_(program) {
    seen_.resize(program.steps.size());
    go(after + 1, Registers().set(scalar));
  }

  // Functions are not followed: a value that compilers pass on is not a word they did not ask for.
  bool is_read() {
    while (!pending_.empty()) {
      const uint32_t at = pending_.back().at;
      const Registers holding = pending_.back().holding;
      pending_.pop_back();
      if (reads(program_.steps[at], at, holding)) return true;
    }
    return false;
  }

 private:
  struct Place {
    uint32_t at;
    Registers holding;
  };

  void go(size_t at, const Registers& holding) {
    if (at >= seen_.size() || (holding & ~seen_[at]).none()) return;
    seen_[at] |= holding;
    pending_.push_back({static_cast<uint32_t>(at), holding});
  }

  bool reads(const Step& step, uint32_t at, Registers holding) {
    const Instruction& i = step.instruction;
    if (i.row == nullptr) return false;  // the end of the code
    const bool copies = i.opcode == Opcode::s_mov_b32 || i.opcode == Opcode::s_mov_b64;
    const Effect effect(i);
    if (!copies && (effect.read & holding).any()) return true;
    const Registers copied = copies ? copies_of(i, holding) : Registers();
    holding = (holding & ~effect.written) | copied;
    if (i.opcode == Opcode::s_endpgm || i.opcode == Opcode::s_setpc_b64) return false;
    if (i.operand(Role::target) != nullptr && i.opcode != Opcode::s_call_b64) {
      go(static_cast<size_t>(step.target), holding);
      if (i.opcode == Opcode::s_branch) return false;
    }
    go(at + 1, holding);
    return false;
  }

  static Registers copies_of(const Instruction& i, const Registers& holding) {
    Registers copied;
    const Operand &to = i.operands[0], &from = i.operands[1];
    if (from.kind != OperandKind::scalar) return copied;
    for (size_t n = 0; n < to.width && to.index + n < kScalars; ++n) {
      if (from.index + n < kScalars && holding[from.index + n]) copied.set(to.index + n);
    }
    return copied;
  }

  const Program& program_;
  std::vector<Registers> seen_;
  std::vector<Place> pending_;
};

bool is_scalar_load(Opcode opcode) {
  return opcode == Opcode::s_load_dwordx2 || opcode == Opcode::s_load_dwordx4 ||
         opcode == Opcode::s_load_dwordx8 || opcode == Opcode::s_load_dwordx16;
}

// How many words there are up to the last that is read.
uint32_t words_read(const Program& program, uint32_t step, uint32_t words) {
  const size_t first = program.steps[step].sdst;
  while (words > 0 && !Reading(program, step, first + words - 1).is_read()) --words;
  return words;
}

}  // namespace

bool load_read_words(const Program& program, Wave& wave, uint32_t step) {
  const Step& load = program.steps[step];
  if (!is_scalar_load(load.instruction.opcode) || wave.fault.kind != FaultKind::memory) {
    return false;
  }
  const uint64_t address = wave.fault.address;
  const uint32_t bytes = 4 * words_read(program, step, wave.fault.bytes / 4);
  Range range;
  if (bytes == 0 || bytes == wave.fault.bytes ||
      !wave.memory->allows(address, bytes, AccessKind::read, &range)) {
    return false;
  }
  if (range.notes != nullptr) wave.memory->note(range, address, bytes, AccessKind::read);
  if (wave.watched) {
    static const uint32_t kNoOffset[kLanes] = {};
    wave.memory->watch({wave, load, address, kNoOffset, 1, bytes, AccessKind::read, false});
  }
  std::memcpy(&wave.s[load.sdst], reinterpret_cast<const void*>(static_cast<uintptr_t>(address)),
              bytes);
  wave.fault = Fault();
  wave.state = WaveState::ready;
  return true;
}

}  // namespace greta::isa
