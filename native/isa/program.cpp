#include "isa/program.h"

#include <algorithm>
#include <unordered_set>

#include "isa/handlers.h"
#include "isa/preparation.h"
#include "isa/unread_words.h"

namespace greta::isa {
namespace {

// After these the program may never go on; what follows need not be code.
bool may_not_return(Opcode opcode) {
  return opcode == Opcode::s_swappc_b64 || opcode == Opcode::s_call_b64 || opcode == Opcode::s_trap;
}

void run_past_the_code(Wave& wave, const Step&) {
  wave.fault.kind = FaultKind::program;
  wave.state = WaveState::faulted;
}

Flow flow_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::s_endpgm:
    case Opcode::s_barrier:
    case Opcode::s_trap:
    case Opcode::s_setpc_b64:
    case Opcode::s_swappc_b64:
    case Opcode::s_call_b64:
      return Flow::control;
    default:
      break;
  }
  if (instruction.operand(Role::target) != nullptr) return Flow::control;
  return is_memory(instruction.row->format) ? Flow::faults : Flow::next;
}

bool ends_flow(Opcode opcode) {
  return opcode == Opcode::s_endpgm || opcode == Opcode::s_branch || opcode == Opcode::s_setpc_b64;
}

// Decodes what can be reached, since data may lie between functions.
class Loading {
 public:
  Loading(Program* program, const uint32_t* words, size_t count, Architecture architecture,
          Lanes lanes)
      : program_(*program),
        words_(words),
        count_(count),
        architecture_(architecture),
        lanes_(lanes) {}

  bool run(size_t entry, const std::vector<size_t>& functions, std::string* error) {
    pending_.push_back(entry);
    while (!pending_.empty()) {
      const size_t at = pending_.back();
      pending_.pop_back();
      if (!follow(at, error)) return false;
    }
    if (calls_) {
      for (const size_t byte : functions) candidates_.push_back(byte / 4);
    }
    add_candidates();
    return link(error);
  }

 private:
  // From a word on, as long as one instruction follows the other.
  bool follow(size_t at, std::string* error) {
    bool may_end = false, indexing = false;
    while (true) {
      if (decoded_.count(at)) return true;
      Instruction instruction;
      if (at >= count_ || !decode(words_ + at, count_ - at, architecture_, &instruction)) {
        if (may_end) return add_end(at);
        const char* what =
            at >= count_ ? "the code runs past its end" : "no instruction of this processor";
        return fail(at, what, error);
      }
      Step step;
      step.offset = static_cast<uint32_t>(at * 4);
      step.flow = flow_of(instruction);
      if (instruction.opcode == Opcode::s_set_gpr_idx_on) indexing = true;
      if (instruction.opcode == Opcode::s_set_gpr_idx_off) indexing = false;
      if (const char* missing = prepare(instruction, lanes_, indexing, &step)) {
        return fail(at, std::string(name_of(instruction.opcode)) + missing + " is not implemented",
                    error);
      }
      note_approximate(instruction.opcode);
      constant_rows(&step);
      if (is_memory(instruction.row->format)) step.memory = program_.memory_instructions++;
      decoded_.insert(at);
      program_.steps.push_back(step);
      at += instruction.words;
      if (const Operand* target = instruction.operand(Role::target)) {
        pending_.push_back(target_of(at, *target));
      }
      // A function that is called returns here; where it lies is found below.
      if (instruction.opcode == Opcode::s_getpc_b64) functions_after(at);
      if (ends_flow(instruction.opcode)) return true;
      // Compilers fill up with s_nop behind what does not return.
      if (instruction.opcode != Opcode::s_nop) may_end = may_not_return(instruction.opcode);
      calls_ = calls_ || instruction.opcode == Opcode::s_swappc_b64;
    }
  }

  // A place that is no code and is not meant to be reached.
  bool add_end(size_t at) {
    if (at >= count_) return true;  // the last step of all is one
    decoded_.insert(at);
    program_.steps.push_back(end_at(at));
    return true;
  }

  static Step end_at(size_t at) {
    Step step;
    step.handler = &run_past_the_code;
    step.flow = Flow::control;
    step.offset = static_cast<uint32_t>(at * 4);
    step.instruction.words = 1;
    return step;
  }

  static size_t target_of(size_t after, const Operand& target) {
    return after + static_cast<size_t>(static_cast<int16_t>(target.index));
  }

  // s_getpc, then adding a literal: how compilers address functions (and data, which does not
  // decode; that is no error).
  void functions_after(size_t at) {
    Instruction add;
    if (!decode(words_ + at, count_ - at, architecture_, &add)) return;
    if (add.opcode != Opcode::s_add_u32) return;
    const bool literal = add.operands[2].kind == OperandKind::literal;
    if (!literal) return;
    const int64_t bytes = static_cast<int64_t>(at) * 4 + static_cast<int32_t>(add.literal);
    if (bytes >= 0 && bytes % 4 == 0 && static_cast<size_t>(bytes / 4) < count_) {
      candidates_.push_back(static_cast<size_t>(bytes / 4));
    }
  }

  void constant_rows(Step* step) {
    for (Source& source : step->source) {
      if (source.kind != Source::value) continue;
      const auto [at, is_new] = program_.constants.try_emplace(source.constant);
      source.rows = &at->second;
      if (!is_new) continue;
      for (int word = 0; word < 2; ++word) {
        std::fill_n(at->second.lane[word], kLanes,
                    static_cast<uint32_t>(source.constant >> (32 * word)));
      }
    }
  }

  // The reciprocal of integer division is corrected by what follows it.
  void note_approximate(Opcode opcode) {
    auto& list = program_.approximate;
    if (opcode == Opcode::v_rcp_iflag_f32) return;
    if (is_approximate(opcode) && std::find(list.begin(), list.end(), opcode) == list.end()) {
      list.push_back(opcode);
    }
  }

  // Functions, and what s_getpc may have meant. More may be found while following them.
  void add_candidates() {
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i] >= count_ || decoded_.count(candidates_[i])) continue;
      const size_t before = program_.steps.size();
      std::string reason;
      pending_.assign(1, candidates_[i]);
      bool good = true;
      while (good && !pending_.empty()) {
        const size_t next = pending_.back();
        pending_.pop_back();
        good = follow(next, &reason);
      }
      if (good) continue;
      drop_since(before);
      program_.refused.push_back({candidates_[i] * 4, reason});
    }
  }

  bool link(std::string* error) {
    order();
    if (!steps_are_contiguous(error)) return false;
    number();
    for (Step& step : program_.steps) {
      const Operand* target = step.instruction.operand(Role::target);
      if (target == nullptr) continue;
      const size_t word = target_of(step.offset / 4 + step.instruction.words, *target);
      step.target = program_.step_of_byte(uint64_t{word} * 4);
      if (step.target < 0) return fail(word, "a branch to no instruction", error);
    }
    return true;
  }

  void drop_since(size_t count) {
    for (size_t i = count; i < program_.steps.size(); ++i) {
      decoded_.erase(program_.steps[i].offset / 4);
    }
    program_.steps.resize(count);
  }

  void order() {
    std::sort(program_.steps.begin(), program_.steps.end(),
              [](const Step& a, const Step& b) { return a.offset < b.offset; });
  }

  // Steps that do nothing are left out: who goes there goes to the next one.
  void number() {
    std::vector<Step> kept;
    kept.reserve(program_.steps.size() + 1);
    const auto& steps = program_.steps;
    program_.first_word = steps.front().offset / 4;
    program_.step_at.assign(steps.back().offset / 4 - program_.first_word + 1, -1);
    for (const Step& step : steps) {
      program_.step_at[step.offset / 4 - program_.first_word] = static_cast<int32_t>(kept.size());
      if (step.handler != &do_nothing) kept.push_back(step);
    }
    kept.push_back(end_at(count_));
    program_.steps = std::move(kept);
  }

  // A step's successor is the next in the list; a branch into the middle of an instruction would
  // put another one between.
  bool steps_are_contiguous(std::string* error) {
    const auto& steps = program_.steps;
    for (size_t i = 0; i + 1 < steps.size(); ++i) {
      const size_t end = steps[i].offset / 4 + steps[i].instruction.words;
      if (steps[i + 1].offset / 4 < end) return fail(end, "instructions overlap", error);
    }
    return true;
  }

  bool fail(size_t word, const std::string& what, std::string* error) {
    *error = what + " (at byte " + std::to_string(word * 4) + ")";
    return false;
  }

  Program& program_;
  const uint32_t* words_;
  size_t count_;
  Architecture architecture_;
  Lanes lanes_;
  std::unordered_set<size_t> decoded_;  // few of many: a code object may have a thousand kernels
  std::vector<size_t> pending_, candidates_;
  bool calls_ = false;
};

}  // namespace

bool Program::load(const void* code, size_t bytes, size_t entry_byte, Architecture architecture,
                   Lanes lanes, std::string* error, const std::vector<size_t>& functions) {
  return Loading(this, static_cast<const uint32_t*>(code), bytes / 4, architecture, lanes)
      .run(entry_byte / 4, functions, error);
}

int32_t Program::step_of_byte(uint64_t offset) const {
  const uint64_t at = offset / 4 - first_word;
  return offset % 4 == 0 && at < step_at.size() ? step_at[at] : -1;
}

namespace {

void run_marked(Wave& wave, const Step& step) { wave.memory->reached(wave, step)(wave, step); }

// The step that a wave goes to from the control step `at`; steps.size() where there is none.
uint32_t next_of(const Program& program, Wave& wave, uint32_t at) {
  if (wave.next == kFollowing) return at + 1;
  if (wave.next != kJump) return wave.next;
  const int32_t to = program.step_of_byte(wave.jump - wave.code_base);
  return to < 0 ? static_cast<uint32_t>(program.steps.size()) : static_cast<uint32_t>(to);
}

void fault_of_program(Wave& wave, uint32_t step) {
  wave.fault.kind = FaultKind::program;
  wave.fault.step = step;
  wave.fault.address = wave.jump;
  wave.state = WaveState::faulted;
}

}  // namespace

void Program::mark(uint32_t step) {
  if (marked.try_emplace(step, steps[step].handler).second) steps[step].handler = &run_marked;
}

uint64_t run_wave(const Program& program, Wave& wave, uint64_t budget) {
  const Step* const steps = program.steps.data();
  const Step* begin = steps + wave.next;  // of code without branches
  const Step* step = begin;
  uint64_t done = 0;
  wave.next = kFollowing;
  for (;;) {
    step->handler(wave, *step);
    const bool follows =
        step->flow == Flow::next || (wave.next == kFollowing && wave.state == WaveState::ready);
    if (follows) {
      ++step;
      continue;
    }
    const auto at = static_cast<uint32_t>(step - steps);
    done += static_cast<uint64_t>(step - begin) + 1;
    const uint32_t next = next_of(program, wave, at);
    if (wave.state == WaveState::faulted && !load_read_words(program, wave, at)) {
      wave.fault.step = at;
    } else if (wave.state == WaveState::ready && next >= program.steps.size()) {
      fault_of_program(wave, at);
    }
    if (wave.state != WaveState::ready || done >= budget) {
      wave.next = next;
      return done;
    }
    wave.next = kFollowing;
    step = begin = steps + next;
  }
}

}  // namespace greta::isa
