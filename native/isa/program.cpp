#include "isa/program.h"

#include <algorithm>
#include <array>

#include "isa/handlers.h"
#include "isa/indexing.h"
#include "isa/saturate.h"

namespace greta::isa {
namespace {

using Handlers = std::array<Handler, kOpcodes>;

Handlers build(Lanes lanes) {
  Handlers handlers{};
  const HandlerTable table{handlers.data()};
  fill_scalar(table);
  // In a build that has not all of them: the next narrower one.
  switch (lanes) {
    case Lanes::avx512:
#ifdef GRETA_HAS_AVX512
      avx512::fill_vector(table);
      break;
#endif
    case Lanes::avx2:
#ifdef GRETA_HAS_AVX2
      avx2::fill_vector(table);
      break;
#endif
    case Lanes::portable:
#ifdef GRETA_HAS_PORTABLE
      portable::fill_vector(table);
#endif
      break;
  }
  return handlers;
}

template <Lanes lanes>
const Handlers& built() {
  static const Handlers handlers = build(lanes);
  return handlers;
}

// Each table is built only where it is used: building is code of that width, too.
const Handlers& handlers_for(Lanes lanes) {
  switch (lanes) {
    case Lanes::avx512:
      return built<Lanes::avx512>();
    case Lanes::avx2:
      return built<Lanes::avx2>();
    default:
      return built<Lanes::portable>();
  }
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}
bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

uint64_t constant_value(unsigned code, int words, bool halves) {
  if (code <= 192) return code - 128;
  if (code <= 208) return static_cast<uint64_t>(static_cast<int64_t>(192) - code);
  static constexpr uint64_t kWide[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                       0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                       0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
  static constexpr uint32_t kSingle[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                         0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
  static constexpr uint32_t kHalf[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                       0xc000, 0x4400, 0xc400, 0x3118};
  const unsigned i = code - 240;
  return words == 2 ? kWide[i] : halves ? kHalf[i] : kSingle[i];
}

// A 32-bit literal is the upper half of an f64 and the lower of anything else.
uint64_t literal_value(const Instruction& instruction, const Operand& operand) {
  const uint64_t value = instruction.literal;
  if (operand.width == 2 && ends_with(name_of(instruction.opcode), "_f64")) return value << 32;
  return value;
}

Source source_of(const Instruction& instruction, const Operand& operand) {
  Source source;
  source.index = operand.index;
  const bool halves = has_16_bit_sources(instruction.opcode);
  switch (operand.kind) {
    case OperandKind::vgpr:
      source.kind = Source::vector;
      break;
    case OperandKind::acc:
      source.kind = Source::vector;
      source.index = static_cast<uint16_t>(operand.index + 256);
      break;
    case OperandKind::scalar:
      source.kind = Source::scalar;
      break;
    case OperandKind::special:
      source.kind = Source::special;
      break;
    case OperandKind::constant:
      // The packed operations on two words take a constant for the lower one.
      source.constant = constant_value(
          operand.index, instruction.row->format == Format::VOP3P ? 1 : operand.width, halves);
      break;
    case OperandKind::literal:
      source.constant = literal_value(instruction, operand);
      break;
    default:
      source.constant = operand.index;
      break;
  }
  return source;
}

int source_slot(Role role) {
  switch (role) {
    case Role::ssrc0:
    case Role::src0:
    case Role::src0_acc:
    case Role::soff:
      return 0;
    case Role::ssrc1:
    case Role::src1:
    case Role::simm16:
    case Role::hwreg:
      return 1;
    case Role::src2:
      return 2;
    default:
      return -1;
  }
}

bool is_memory(Format format) {
  return format == Format::SMEM || format == Format::FLAT || format == Format::GLOBAL ||
         format == Format::SCRATCH || format == Format::MUBUF || format == Format::DS;
}

bool is_vector(Format format) {
  return format == Format::VOP1 || format == Format::VOP2 || format == Format::VOPC ||
         format == Format::VOP3;
}

// Writes 16 bits and keeps the others: the 16-bit operations that choose halves.
bool writes_half(const Instruction& i) {
  const std::string_view name = name_of(i.opcode);
  if (!i.row->has(has_opsel)) return false;
  return has_16_bit_sources(i.opcode) && !starts_with(name, "v_pack") &&
         !starts_with(name, "v_cvt_pk");
}

bool has_float_result(Opcode opcode) {
  const std::string_view name = name_of(opcode);
  if (starts_with(name, "v_cvt_")) return starts_with(name, "v_cvt_f");
  if (starts_with(name, "v_frexp_exp")) return false;
  return ends_with(name, "_f16") || ends_with(name, "_f32") || ends_with(name, "_f64");
}

class Preparation {
 public:
  Preparation(const Instruction& instruction, Lanes lanes) : i_(instruction), lanes_(lanes) {}

  // Null where all is well, else what is missing.
  const char* run(Step* step) {
    step->instruction = i_;
    step->handler = handlers_for(lanes_)[static_cast<size_t>(i_.opcode)];
    if (step->handler == nullptr) return "";
    for (int n = 0; n < i_.operand_count; ++n) place(i_.operands[n], n, step);
    implied_sources(step);
    if (is_memory(i_.row->format)) memory_operands(step);
    if (is_vector(i_.row->format)) modifiers(step);
    step->plain = !step->changes_source && !step->changes_result && i_.form != Form::dpp;
    if (saturates()) {
      step->handler = saturating_handler(i_);
      return step->handler == nullptr ? " with clamp" : nullptr;
    }
    return unsupported();
  }

 private:
  void place(const Operand& o, int position, Step* step) {
    const int slot = source_slot(o.role);
    if (slot >= 0) step->source[slot] = source_of(i_, o);
    if (o.role == Role::vdst || o.role == Role::vdst_acc) {
      step->vdst = static_cast<uint16_t>(o.index + (o.kind == OperandKind::acc ? 256 : 0));
    }
    if (o.role == Role::sdst || o.role == Role::vdst_sgpr || o.role == Role::sdata) {
      step->sdst = o.index;
    }
    if (o.role == Role::vcc) mask(o, position, step);
  }

  // The first of a compare and the second of a carry are written, the last is read.
  void mask(const Operand& o, int position, Step* step) {
    const bool written = position == 0 || (position == 1 && i_.operand_count > 3);
    if (written) {
      step->sdst = o.index;
    } else {
      step->source[2] = source_of(i_, o);
    }
  }

  // What an operation reads without naming it: the addend of fmac, the literal of fmaak and fmamk.
  void implied_sources(Step* step) {
    const std::string_view name = name_of(i_.opcode);
    if (starts_with(name, "v_fmac_") || starts_with(name, "v_dot")) {
      if (i_.row->format == Format::VOP2) {
        step->source[2].kind = Source::vector;
        step->source[2].index = step->vdst;
      }
    }
    if (name == "v_fmaak_f32") step->source[2].constant = i_.literal;
    if (name == "v_fmamk_f32") {
      step->source[2] = step->source[1];
      step->source[1] = Source();
      step->source[1].constant = i_.literal;
    }
  }

  static uint16_t row_of(const Operand& o) {
    return static_cast<uint16_t>(o.index + (o.kind == OperandKind::acc ? 256 : 0));
  }

  static Space space_of(Format format) {
    switch (format) {
      case Format::FLAT:
        return Space::flat;
      case Format::SCRATCH:
        return Space::scratch;
      case Format::MUBUF:
        return Space::buffer;
      case Format::DS:
        return Space::lds;
      default:
        return Space::global;
    }
  }

  void memory_operands(Step* step) {
    step->space = space_of(i_.row->format);
    for (int n = 0; n < i_.operand_count; ++n) memory_operand(i_.operands[n], step);
    if (i_.operand(Role::vdst) == nullptr) step->vdst = step->data;
  }

  void memory_operand(const Operand& o, Step* step) {
    switch (o.role) {
      case Role::addr:
      case Role::vaddr:
        if (o.kind == OperandKind::vgpr) step->address = o.index;
        step->wide_address = o.width == 2;
        break;
      case Role::data:
      case Role::data0:
      case Role::vdata:
        step->data = row_of(o);
        break;
      case Role::data1:
        step->data1 = row_of(o);
        break;
      case Role::saddr:
      case Role::srsrc:
      case Role::sbase:
        if (o.kind == OperandKind::scalar) step->base = o.index;
        break;
      case Role::soffset:
        if (o.kind == OperandKind::scalar) step->source[1] = source_of(i_, o);
        break;
      default:
        break;
    }
  }

  void modifiers(Step* step) {
    step->half_result = writes_half(i_);
    step->changes_source = i_.neg != 0 || i_.abs != 0 || i_.op_sel != 0 || i_.form == Form::dpp ||
                           i_.form == Form::sdwa;
    step->changes_result = i_.clamp || i_.omod != 0 || step->half_result ||
                           (i_.form == Form::sdwa && i_.row->format != Format::VOPC);
  }

  // An integer operation with clamp.
  bool saturates() const {
    return i_.clamp && is_vector(i_.row->format) && i_.row->format != Format::VOPC &&
           !has_float_result(i_.opcode);
  }

  const char* unsupported() const {
    const bool compare = i_.row->format == Format::VOPC;
    if (i_.clamp && compare) return " with clamp";
    if (i_.row->format == Format::VOP3P || i_.row->format == Format::MAI) {
      if (const char* missing = unsupported_packed()) return missing;
    }
    const bool dot = starts_with(name_of(i_.opcode), "v_dot");
    if (dot && i_.form != Form::plain && i_.row->format == Format::VOP2) return " in this form";
    if (i_.lds && i_.row->format == Format::MUBUF) return " to LDS";
    if (i_.gds) return " of GDS";
    for (int n = 0; n < i_.operand_count; ++n) {
      const Operand& o = i_.operands[n];
      if (o.kind == OperandKind::special && (o.index == 239 || o.index == 254)) {
        return " of LDS_DIRECT or POPS";
      }
    }
    return nullptr;
  }

  bool saturates_halves() const {
    switch (i_.opcode) {
      case Opcode::v_pk_add_u16:
      case Opcode::v_pk_sub_u16:
      case Opcode::v_pk_add_i16:
      case Opcode::v_pk_sub_i16:
      case Opcode::v_pk_mad_u16:
      case Opcode::v_pk_mad_i16:
        return true;
      default:
        return false;
    }
  }

  // Modifiers that only some of the packed operations know.
  const char* unsupported_packed() const {
    const std::string_view name = name_of(i_.opcode);
    const bool whole = starts_with(name, "v_dot"), pair = ends_with(name, "_f32") && !whole;
    const bool mixed = starts_with(name, "v_fma_mix"), half = ends_with(name, "_f16") && !whole;
    const bool product = starts_with(name, "v_mfma") || starts_with(name, "v_smfmac");
    if (product && (i_.cbsz != 0 || i_.abid != 0 || i_.blgp != 0)) {
      return " with cbsz, abid or blgp";
    }
    if (whole && (i_.neg != 0 || i_.neg_hi != 0 || i_.op_sel != 0)) return " with modifiers";
    if (!half && !pair && !mixed && (i_.neg != 0 || i_.neg_hi != 0)) return " with neg";
    if (i_.clamp && !half && !mixed && !saturates_halves()) return " with clamp";
    return nullptr;
  }

  const Instruction& i_;
  Lanes lanes_;
};

// A vector operation between s_set_gpr_idx_on and _off: the index is added to the registers of the
// operands that M0 names.
void run_indexed(Wave& wave, const Step& step) {
  Step indexed = step;
  indexed.handler = handler_of(step.instruction.opcode, static_cast<Lanes>(step.target));
  if (wave.mode & kModeIndexing) {
    const uint32_t index = wave.s[kM0] & 0xff, operands = wave.s[kM0] >> 12;
    for (int i = 0; i < 3; ++i) {
      Source& source = indexed.source[i];
      if (source.kind != Source::vector || !(operands >> i & 1)) continue;
      source.index = static_cast<uint16_t>(std::min(source.index + index, 254u));
    }
    if (operands & 8) indexed.vdst = static_cast<uint16_t>(std::min(step.vdst + index, 254u));
  }
  indexed.handler(wave, indexed);
}

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
    decoded_.assign(count_, 0);
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
      if (at < count_ && decoded_[at]) return true;
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
      if (const char* missing = Preparation(instruction, lanes_).run(&step)) {
        return fail(at, std::string(name_of(instruction.opcode)) + missing + " is not implemented",
                    error);
      }
      if (instruction.opcode == Opcode::s_set_gpr_idx_on) indexing = true;
      if (instruction.opcode == Opcode::s_set_gpr_idx_off) indexing = false;
      if (indexing && is_vector(instruction.row->format)) {
        step.handler = &run_indexed;
        step.target = static_cast<int32_t>(lanes_);
      }
      note_approximate(instruction.opcode);
      constant_rows(&step);
      if (is_memory(instruction.row->format)) step.memory = program_.memory_instructions++;
      decoded_[at] = 1;
      program_.steps.push_back(step);
      at += instruction.words;
      if (const Operand* target = instruction.operand(Role::target)) {
        pending_.push_back(target_of(at, *target));
      }
      // A function that is called returns here; where it lies is found below.
      if (instruction.opcode == Opcode::s_getpc_b64) functions_after(at);
      if (ends_flow(instruction.opcode)) return true;
      may_end = may_not_return(instruction.opcode);
      calls_ = calls_ || instruction.opcode == Opcode::s_swappc_b64;
    }
  }

  // A place that is no code and is not meant to be reached.
  bool add_end(size_t at) {
    if (at >= count_) return true;  // the last step of all is one
    decoded_[at] = 1;
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

  void note_approximate(Opcode opcode) {
    auto& list = program_.approximate;
    if (is_approximate(opcode) && std::find(list.begin(), list.end(), opcode) == list.end()) {
      list.push_back(opcode);
    }
  }

  // Functions, and what s_getpc may have meant. More may be found while following them.
  void add_candidates() {
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i] >= count_ || decoded_[candidates_[i]]) continue;
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
      if (word >= count_ || program_.step_at[word] < 0) {
        return fail(word, "a branch to no instruction", error);
      }
      step.target = program_.step_at[word];
    }
    return true;
  }

  void drop_since(size_t count) {
    for (size_t i = count; i < program_.steps.size(); ++i) {
      decoded_[program_.steps[i].offset / 4] = 0;
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
    program_.step_at.assign(count_, -1);
    for (const Step& step : program_.steps) {
      program_.step_at[step.offset / 4] = static_cast<int32_t>(kept.size());
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
  std::vector<uint8_t> decoded_;
  std::vector<size_t> pending_, candidates_;
  bool calls_ = false;
};

}  // namespace

Lanes best_lanes() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return Lanes::avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c")) {
    return Lanes::avx2;
  }
  return Lanes::portable;
}

Handler handler_of(Opcode opcode, Lanes lanes) {
  return handlers_for(lanes)[static_cast<size_t>(opcode)];
}

bool is_implemented(Opcode opcode) { return handler_of(opcode, best_lanes()) != nullptr; }

bool is_approximate(Opcode opcode) {
  const std::string_view name = name_of(opcode);
  for (const char* start : {"v_rcp_", "v_rsq_", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_",
                            "v_mfma_f32_", "v_mfma_f64_", "v_dot2_f32_", "v_dot2c_f32_"}) {
    if (starts_with(name, start)) return true;
  }
  return false;
}

bool Program::load(const void* code, size_t bytes, size_t entry_byte, Architecture architecture,
                   Lanes lanes, std::string* error, const std::vector<size_t>& functions) {
  std::vector<uint32_t> words(bytes / 4);
  if (!words.empty()) std::memcpy(words.data(), code, words.size() * 4);
  return Loading(this, words.data(), words.size(), architecture, lanes)
      .run(entry_byte / 4, functions, error);
}

int32_t Program::step_of_byte(uint64_t offset) const {
  return offset % 4 == 0 && offset / 4 < step_at.size() ? step_at[offset / 4] : -1;
}

namespace {

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
    if (wave.state == WaveState::faulted) {
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
