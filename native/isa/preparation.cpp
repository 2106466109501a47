// From an instruction to a step: its handler, its operands as the handler reads them, and whether
// all of its modifiers are known.
#include "isa/preparation.h"
#include "cpu_features.h"

#include <algorithm>
#include <array>

#include "isa/handlers.h"
#include "isa/indexing.h"

namespace greta::isa {
namespace {

struct Handlers {
  std::array<Handler, kOpcodes> plain;
  std::array<Handler, kOpcodes> saturating;  // integer operations with clamp
};

Handlers build(Lanes lanes) {
  Handlers handlers{};
  const HandlerTable table{handlers.plain.data()}, saturating{handlers.saturating.data()};
  fill_scalar(table);
  // In a build that has not all of them: the next narrower one.
  switch (lanes) {
    case Lanes::avx512:
#ifdef GRETA_HAS_AVX512
      avx512::fill_vector(table, saturating);
      break;
#endif
    case Lanes::avx2:
#ifdef GRETA_HAS_AVX2
      avx2::fill_vector(table, saturating);
      break;
#endif
    case Lanes::portable:
#ifdef GRETA_HAS_PORTABLE
      portable::fill_vector(table, saturating);
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

// The packed operations on two words take a constant for the lower one; matrices of f64 have many.
int constant_words(const Instruction& instruction, const Operand& operand) {
  if (instruction.row->format == Format::VOP3P) return 1;
  const bool matrix = instruction.row->format == Format::MAI;
  return matrix && ends_with(name_of(instruction.opcode), "_f64") ? 2 : operand.width;
}

Source source_of(const Instruction& instruction, const Operand& operand) {
  Source source;
  source.index = operand.index;
  // What a dot product or a product of matrices adds has 32 bits.
  const bool sums =
      instruction.row->format == Format::MAI || starts_with(name_of(instruction.opcode), "v_dot");
  const bool halves =
      has_16_bit_sources(instruction.opcode) && !(sums && operand.role == Role::src2);
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
      source.constant = constant_value(operand.index, constant_words(instruction, operand), halves);
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
  if (starts_with(name, "v_cvt_")) {
    return starts_with(name, "v_cvt_f") || starts_with(name, "v_cvt_pk_f32") ||
           starts_with(name, "v_cvt_off_f");
  }
  if (starts_with(name, "v_frexp_exp")) return false;
  return ends_with(name, "_f16") || ends_with(name, "_f32") || ends_with(name, "_f64");
}

class Preparation {
 public:
  Preparation(const Instruction& instruction, Lanes lanes) : i_(instruction), lanes_(lanes) {}

  // Null where all is well, else what is missing.
  const char* run(Step* step) {
    step->instruction = i_;
    const Handlers& handlers = handlers_for(lanes_);
    step->handler = handlers.plain[static_cast<size_t>(i_.opcode)];
    if (step->handler == nullptr) return "";
    for (int n = 0; n < i_.operand_count; ++n) place(i_.operands[n], n, step);
    implied_sources(step);
    if (is_memory(i_.row->format)) memory_operands(step);
    if (is_vector(i_.row->format)) modifiers(step);
    step->plain = !step->changes_source && !step->changes_result && i_.form != Form::dpp;
    if (saturates()) {
      step->handler = handlers.saturating[static_cast<size_t>(i_.opcode)];
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
    const bool adds =
        starts_with(name, "v_fmac_") || starts_with(name, "v_dot") || starts_with(name, "v_mac_");
    if ((adds && i_.row->format == Format::VOP2) || name == "v_cvt_pkaccum_u8_f32") {
      step->source[2].kind = Source::vector;
      step->source[2].index = step->vdst;
    }
    if (name == "v_fmaak_f32" || name == "v_madak_f16") step->source[2].constant = i_.literal;
    if (name == "v_fmamk_f32" || name == "v_madmk_f16") {
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
      case Format::MTBUF:
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
    if (const char* missing = unsupported_short()) return missing;
    if (i_.lds && i_.row->format == Format::MUBUF && !loads_to_lds()) return " to LDS";
    const bool barrier = starts_with(name_of(i_.opcode), "ds_gws_");
    if (i_.gds && !barrier) return " of GDS";
    for (int n = 0; n < i_.operand_count; ++n) {
      const Operand& o = i_.operands[n];
      if (o.kind == OperandKind::special && (o.index == 239 || o.index == 254)) {
        return " of LDS_DIRECT or POPS";
      }
    }
    return nullptr;
  }

  bool loads_to_lds() const {
    switch (i_.opcode) {
      case Opcode::buffer_load_ubyte:
      case Opcode::buffer_load_sbyte:
      case Opcode::buffer_load_ushort:
      case Opcode::buffer_load_sshort:
      case Opcode::buffer_load_dword:
        return true;
      default:
        return false;
    }
  }

  // Modifiers that opcodes of VOP1, VOP2 and VOP3 have in the table, but not here.
  const char* unsupported_short() const {
    const std::string_view name = name_of(i_.opcode);
    const bool dot = starts_with(name, "v_dot") && i_.row->format == Format::VOP2;
    const bool changed = i_.neg != 0 || i_.abs != 0 || i_.omod != 0;
    if ((dot || i_.opcode == Opcode::v_pk_fmac_f16) && changed) return " with modifiers";
    if (starts_with(name, "v_cvt_pk_") && ends_with(name, "8_f32") && i_.row->has(has_opsel) &&
        (i_.op_sel & 3) != 0) {
      return " with this op_sel";
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
    if (starts_with(name, "v_mfma") || starts_with(name, "v_smfmac")) return unsupported_product();
    // Only products of halves choose and negate them.
    const bool choose = starts_with(name, "v_dot2_"), negate = name == "v_dot2_f32_f16";
    if (whole && !choose && i_.op_sel != 0) return " with op_sel";
    if (whole && negate ? (i_.neg_hi & 4) != 0 : whole && (i_.neg != 0 || i_.neg_hi != 0)) {
      return " with neg";
    }
    if (whole) return nullptr;
    if (!half && !pair && !mixed && (i_.neg != 0 || i_.neg_hi != 0)) return " with neg";
    if (i_.clamp && !half && !mixed && !saturates_halves()) return " with clamp";
    return nullptr;
  }

  // CBSZ and ABID choose among blocks of A and BLGP among lanes of B, where there are any to choose
  // from; for f64 BLGP negates; of a sparse product CBSZ and ABID choose indices.
  const char* unsupported_product() const {
    const std::string_view name = name_of(i_.opcode);
    const bool wide = ends_with(name, "_f64");
    if (starts_with(name, "v_smfmac")) return i_.blgp != 0 ? " with blgp" : nullptr;
    const unsigned blocks = wide ? 1 : blocks_of(name), chosen = 1u << i_.cbsz;
    if (chosen > blocks || i_.abid >= chosen) return " with this cbsz and abid";
    const bool has_pattern = wide || blocks > 1 || ends_with(name, "_f32") ||
                             ends_with(name, "_f16") || ends_with(name, "_bf16");
    return i_.blgp != 0 && !has_pattern ? " with blgp" : nullptr;
  }

  static unsigned blocks_of(std::string_view name) {
    const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
    return has("_16b_") ? 16 : has("_4b_") ? 4 : has("_2b_") ? 2 : 1;
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

}  // namespace

Lanes best_lanes() {
  const CpuFeatures features = cpu_features();
  if (features.avx512) return Lanes::avx512;
  return features.avx2 ? Lanes::avx2 : Lanes::portable;
}

Handler handler_of(Opcode opcode, Lanes lanes) {
  return handlers_for(lanes).plain[static_cast<size_t>(opcode)];
}

bool is_implemented(Opcode opcode) { return handler_of(opcode, best_lanes()) != nullptr; }

bool is_approximate(Opcode opcode) {
  const std::string_view name = name_of(opcode);
  for (const char* start :
       {"v_rcp_",      "v_rsq_",       "v_sqrt_",     "v_exp_",          "v_log_",
        "v_sin_",      "v_cos_",       "v_mfma_f32_", "v_mfma_f64_",     "v_smfmac_f32_",
        "v_dot2_f32_", "v_dot2c_f32_", "v_cvt_sr_",   "v_mad_f16",       "v_mad_legacy_f16",
        "v_mac_f16",   "v_madak_f16",  "v_madmk_f16", "v_cvt_pk_u8_f32", "v_cvt_pkaccum_u8_f32"}) {
    if (starts_with(name, start)) return true;
  }
  return false;
}

bool is_memory(Format format) {
  return format == Format::SMEM || format == Format::FLAT || format == Format::GLOBAL ||
         format == Format::SCRATCH || format == Format::MUBUF || format == Format::MTBUF ||
         format == Format::DS;
}

const char* prepare(const Instruction& instruction, Lanes lanes, bool indexing, Step* step) {
  if (const char* missing = Preparation(instruction, lanes).run(step)) return missing;
  if (indexing && is_vector(instruction.row->format)) {
    step->handler = &run_indexed;
    step->target = static_cast<int32_t>(lanes);
  }
  return nullptr;
}

}  // namespace greta::isa
