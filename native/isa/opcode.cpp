#include "isa/opcode.h"

#include <array>
#include <unordered_map>

namespace greta::isa {
namespace {

constexpr std::string_view kNames[] = {
#define NAME(name) #name,
#include "isa/opcodes.inc"
};

constexpr OpcodeRow kRows[] = {
#define ROW(name, format, number, architectures, properties, neg, abs, count, ...) \
  {Opcode::name, Format::format, number, architectures, properties, neg, abs, count, {__VA_ARGS__}},
#include "isa/opcodes.inc"
};
constexpr size_t kRowCount = sizeof kRows / sizeof kRows[0];
constexpr size_t kNumbers = 1024;  // VOP3 has ten bits for it, the others fewer

size_t index_of(Architecture architecture) { return static_cast<size_t>(architecture) >> 1; }

struct RowIndex {
  // [architecture][format][number] -> row + 1
  std::array<std::array<std::array<uint16_t, kNumbers>, kFormats>, 3> row_at{};

  RowIndex() {
    for (size_t i = 0; i < kRowCount; ++i) {
      for (size_t arch = 0; arch < 3; ++arch) {
        if (kRows[i].architectures >> arch & 1) {
          row_at[arch][static_cast<size_t>(kRows[i].format)][kRows[i].number] =
              static_cast<uint16_t>(i + 1);
        }
      }
    }
  }
};

}  // namespace

std::string_view name_of(Opcode opcode) { return kNames[static_cast<size_t>(opcode)]; }

Opcode opcode_named(std::string_view name) {
  static const auto* const opcodes = [] {
    auto* all = new std::unordered_map<std::string_view, Opcode>;
    for (size_t i = 0; i < kOpcodes; ++i) all->emplace(kNames[i], static_cast<Opcode>(i));
    return all;
  }();
  const auto found = opcodes->find(name);
  return found == opcodes->end() ? Opcode::count : found->second;
}

const OpcodeRow* find_row(Format format, unsigned number, Architecture architecture) {
  static const RowIndex index;
  if (number >= kNumbers) return nullptr;
  const uint16_t row = index.row_at[index_of(architecture)][static_cast<size_t>(format)][number];
  return row == 0 ? nullptr : &kRows[row - 1];
}

const OpcodeRow* row_of(Opcode opcode, Architecture architecture) {
  for (const OpcodeRow& row : kRows) {
    if (row.opcode == opcode && (row.architectures & static_cast<uint8_t>(architecture))) {
      return &row;
    }
  }
  return nullptr;
}

const OpcodeRow* all_rows(size_t* count) {
  *count = kRowCount;
  return kRows;
}

bool has_16_bit_sources(Opcode opcode) {
  const std::string_view name = name_of(opcode);
  if (name.substr(0, 2) != "v_" || name.size() < 6) return false;
  for (const char* wide :
       {"v_cvt_pkrtz_f16_f32", "v_mad_u32_u16", "v_mad_i32_i16", "v_sad_u16", "v_sat_pk_u8_i16"}) {
    if (name == wide) return false;
  }
  const std::string_view end = name.substr(name.size() - 4);
  return end == "_f16" || end == "_b16" || end == "_u16" || end == "_i16";
}

}  // namespace greta::isa
