// Integer additions and subtractions that stop at the end of their range (clamp). Rare, so there is
// one build of them, lane by lane.
#include "isa/saturate.h"

#include <algorithm>

namespace greta::isa {
namespace {

struct Row {
  Opcode opcode;
  int64_t low, high;
  bool is_signed, subtracts, reversed;
};

constexpr int64_t kWord = 0xffffffff, kHalf = 0xffff, kLeast = -0x80000000LL, kMost = 0x7fffffff;

const Row* row_of(Opcode opcode) {
  static constexpr Row kRows[] = {
      {Opcode::v_add_u32, 0, kWord, false, false, false},
      {Opcode::v_sub_u32, 0, kWord, false, true, false},
      {Opcode::v_subrev_u32, 0, kWord, false, true, true},
      {Opcode::v_add_u16, 0, kHalf, false, false, false},
      {Opcode::v_sub_u16, 0, kHalf, false, true, false},
      {Opcode::v_subrev_u16, 0, kHalf, false, true, true},
      {Opcode::v_add_i16, -0x8000, 0x7fff, true, false, false},
      {Opcode::v_add_i32, kLeast, kMost, true, false, false},
      {Opcode::v_sub_i32, kLeast, kMost, true, true, false},
      {Opcode::v_sub_i16, -0x8000, 0x7fff, true, true, false},
  };
  for (const Row& row : kRows) {
    if (row.opcode == opcode) return &row;
  }
  return nullptr;
}

int64_t value_of(const Wave& wave, const Source& source, int lane, const Row& row) {
  uint32_t value = static_cast<uint32_t>(source.constant);
  if (source.kind == Source::vector) value = wave.v[source.index][lane];
  if (source.kind == Source::scalar) value = wave.s[source.index];
  if (source.kind == Source::special) {
    value = static_cast<uint32_t>(special_value(wave, source.index));
  }
  if (row.is_signed) {
    return row.high == kMost ? static_cast<int32_t>(value) : static_cast<int16_t>(value);
  }
  return value & static_cast<uint32_t>(row.high);
}

void run(Wave& wave, const Step& step) {
  const Row& row = *row_of(step.instruction.opcode);
  const uint64_t exec = wave.exec();
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(exec >> lane & 1)) continue;
    int64_t a = value_of(wave, step.source[0], lane, row);
    int64_t b = value_of(wave, step.source[1], lane, row);
    if (row.reversed) std::swap(a, b);
    const int64_t result = std::clamp(row.subtracts ? a - b : a + b, row.low, row.high);
    const uint32_t part = row.high <= kHalf ? 0xffff : ~0u;
    const uint32_t kept = step.half_result ? wave.v[step.vdst][lane] & ~part : 0;
    wave.v[step.vdst][lane] = (static_cast<uint32_t>(result) & part) | kept;
  }
}

}  // namespace

Handler saturating_handler(const Instruction& instruction) {
  const bool parts = instruction.form == Form::sdwa || instruction.form == Form::dpp;
  const bool plain = !parts && instruction.op_sel == 0;
  return plain && row_of(instruction.opcode) != nullptr ? &run : nullptr;
}

}  // namespace greta::isa
