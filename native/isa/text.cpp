// The text of an instruction, as LLVM's disassembler writes it, so that the two can be compared.
#include <cstdio>
#include <string>

#include "isa/decoder.h"

namespace greta::isa {
namespace {

std::string number(long long value) { return std::to_string(value); }

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string list(unsigned mask, int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += (i ? "," : "") + number(mask >> i & 1);
  return text + "]";
}

std::string range(const std::string& file, unsigned first, unsigned width) {
  if (width <= 1) return file + number(first);
  return file + "[" + number(first) + ":" + number(first + width - 1) + "]";
}

class Text {
 public:
  Text(const Instruction& i, Architecture architecture) : i_(i), architecture_(architecture) {}

  std::string write() {
    text_ = mnemonic();
    for (int n = 0; n < i_.operand_count; ++n) {
      const std::string word = operand(i_.operands[n]);
      if (word.empty()) continue;
      text_ += (written_++ ? ", " : " ") + word;
    }
    modifiers();
    return text_;
  }

 private:
  std::string mnemonic() const {
    std::string name(name_of(i_.opcode));
    const Format format = i_.row->format;
    const bool has_forms =
        format == Format::VOP1 || format == Format::VOP2 || format == Format::VOPC;
    if (!has_forms) return name;
    switch (i_.form) {
      case Form::sdwa:
        return name + "_sdwa";
      case Form::dpp:
        return name + "_dpp";
      case Form::e64:
        return name + "_e64";
      case Form::plain:
        break;
    }
    return i_.row->properties == 0 ? name : name + "_e32";
  }

  std::string operand(const Operand& o) const {
    switch (o.role) {
      case Role::target:
        return number(o.index);
      case Role::waitcnt:
        return waitcnt(o.index);
      case Role::sendmsg:
        return message(o.index);
      case Role::hwreg:
        return hardware_register(o.index);
      case Role::gpr_idx:
        return gpr_index(o.index);
      case Role::simm16:
        return short_immediate(o.index);
      case Role::imm_ssrc1:
        return gpr_index(o.index);
      case Role::soffset:
        return scalar_offset(o);
      default:
        return with_modifiers(o);
    }
  }

  std::string short_immediate(unsigned value) const {
    return i_.row->format == Format::SOPK ? hex(value) : number(value);
  }

  std::string scalar_offset(const Operand& o) const {
    if (o.kind == OperandKind::scalar) return plain(o);
    return signed_hex(i_.offset);
  }

  static std::string signed_hex(int64_t value) {
    return value < 0 ? "-" + hex(-value) : hex(value);
  }

  static int source_number(Role role) {
    return role == Role::src0 ? 0 : role == Role::src1 ? 1 : role == Role::src2 ? 2 : -1;
  }

  std::string with_modifiers(const Operand& o) const {
    const int source = source_number(o.role);
    std::string text = plain(o);
    if (source < 0 || (i_.row->format == Format::VOP3P && !is_mix())) return text;
    const unsigned abs = is_mix() ? i_.neg_hi : i_.abs;
    if (abs >> source & 1) text = "|" + text + "|";
    const bool worded = o.kind == OperandKind::constant || o.kind == OperandKind::literal;
    if (i_.neg >> source & 1)
      text = worded && !(abs >> source & 1) ? "neg(" + text + ")" : "-" + text;
    if (i_.sext >> source & 1) text = "sext(" + text + ")";
    return text;
  }

  bool is_mix() const {
    return i_.opcode == Opcode::v_fma_mix_f32 || i_.opcode == Opcode::v_fma_mixlo_f16 ||
           i_.opcode == Opcode::v_fma_mixhi_f16;
  }

  // The literal of v_madmk and its like is printed whole, and so are pairs of halves.
  bool is_16_bits(const Operand& o) const {
    return o.role != Role::literal && has_16_bit_sources(i_.opcode) && !is_dot() &&
           i_.opcode != Opcode::v_pk_fmac_f16;
  }
  bool is_dot() const { return name_of(i_.opcode).substr(0, 5) == "v_dot"; }

  std::string plain(const Operand& o) const {
    switch (o.kind) {
      case OperandKind::vgpr:
        return range("v", o.index, o.width);
      case OperandKind::acc:
        return range("a", o.index, o.width);
      case OperandKind::scalar:
        return scalar(o.index, o.width);
      case OperandKind::constant:
        return constant(o);
      case OperandKind::special:
        return special(o.index);
      case OperandKind::literal:
        return hex(is_16_bits(o) ? i_.literal & 0xffff : i_.literal);
      case OperandKind::immediate:
        return number(o.index);
      case OperandKind::off:
        return "off";
    }
    return std::string();
  }

  static std::string scalar(unsigned code, unsigned width) {
    if (code < 102) return range("s", code, width);
    if (code >= 108 && code < 124) return range("ttmp", code - 108, width);
    if (code == 124) return "m0";
    static const char* const kPairs[] = {"flat_scratch", "xnack_mask", "vcc"};
    const std::string pair = code < 108 ? kPairs[(code - 102) / 2] : "exec";
    if (width == 2) return pair;
    return pair + (code % 2 == 0 ? "_lo" : "_hi");
  }

  std::string constant(const Operand& o) const {
    const unsigned code = o.index;
    if (code <= 192) return number(static_cast<int>(code) - 128);
    if (code <= 208) return number(192 - static_cast<int>(code));
    static const char* const kFloats[] = {"0.5", "-0.5", "1.0", "-1.0",
                                          "2.0", "-2.0", "4.0", "-4.0"};
    static const unsigned kHalves[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                       0xc000, 0x4400, 0xc400, 0x3118};
    if (is_short_integer(o)) return hex(kHalves[code - 240]);
    if (code < 248) return kFloats[code - 240];
    return o.width == 2 && !is_packed_f32() ? "0.15915494309189532" : "0.15915494";
  }

  // An operand of 16 bits that is no float. What v_mad adds, and pairs of them, have 32.
  bool is_short_integer(const Operand& o) const {
    const std::string_view name = name_of(i_.opcode);
    const std::string_view type = name.substr(name.size() < 4 ? 0 : name.size() - 4);
    if (type != "_i16" && type != "_u16" && type != "_b16") return false;
    if (name == "v_sad_u16" || name == "v_sat_pk_u8_i16") return false;
    if (o.role == Role::src2 && name.substr(0, 6) == "v_mad_" && name[7] == '3') return false;
    return i_.row->format != Format::VOP3P && !is_dot() && name[0] == 'v';
  }

  bool is_packed_f32() const { return i_.row->format == Format::VOP3P; }

  static std::string special(unsigned code) {
    switch (code) {
      case 235:
        return "src_shared_base";
      case 236:
        return "src_shared_limit";
      case 237:
        return "src_private_base";
      case 238:
        return "src_private_limit";
      case 239:
        return "src_pops_exiting_wave_id";
      case 251:
        return "src_vccz";
      case 252:
        return "src_execz";
      case 253:
        return "src_scc";
      default:
        return "src_lds_direct";
    }
  }

  static std::string waitcnt(unsigned bits) {
    const unsigned vm = (bits & 15) | (bits >> 14 & 3) << 4, exp = bits >> 4 & 7,
                   lgkm = bits >> 8 & 15;
    std::string text;
    const auto add = [&](const char* name, unsigned value) {
      text += (text.empty() ? "" : " ") + std::string(name) + "(" + number(value) + ")";
    };
    const bool none = vm == 63 && exp == 7 && lgkm == 15;
    if (vm != 63 || none) add("vmcnt", vm);
    if (exp != 7 || none) add("expcnt", exp);
    if (lgkm != 15 || none) add("lgkmcnt", lgkm);
    return text;
  }

  // LLVM has names for messages and hardware registers; the numbers say as much.
  static std::string message(unsigned bits) { return number(bits); }
  static std::string hardware_register(unsigned bits) { return number(bits); }
  static std::string gpr_index(unsigned bits) { return number(bits); }

  void flag(bool set, const char* name) {
    if (set) text_ += std::string(" ") + name;
  }

  void modifiers() {
    switch (i_.row->format) {
      case Format::VOP1:
      case Format::VOP2:
      case Format::VOPC:
      case Format::VOP3:
        return vector_modifiers();
      case Format::VOP3P:
        return packed_modifiers();
      case Format::MAI:
        return matrix_modifiers();
      case Format::SMEM:
        return scalar_memory_modifiers();
      case Format::DS:
        return lds_modifiers();
      case Format::FLAT:
      case Format::GLOBAL:
      case Format::SCRATCH:
        return flat_modifiers();
      case Format::MUBUF:
      case Format::MTBUF:
        return buffer_modifiers();
      default:
        return;
    }
  }

  void vector_modifiers() {
    if (i_.row->has(has_opsel) && i_.op_sel != 0) op_sel_of_vop3();
    flag(i_.clamp, "clamp");
    static const char* const kOutput[] = {"", "mul:2", "mul:4", "div:2"};
    flag(i_.omod != 0, kOutput[i_.omod]);
    if (i_.form == Form::sdwa) sdwa_modifiers();
    if (i_.form == Form::dpp) dpp_modifiers();
  }

  // Bit 3 is the destination's; it stands after the sources.
  void op_sel_of_vop3() {
    // Two bits choose one byte of four.
    const bool bytes = name_of(i_.opcode).substr(0, 8) == "v_cvt_sr";
    const int sources = bytes ? 3 : source_count();
    const unsigned mask = (i_.op_sel & ((1u << sources) - 1)) | (i_.op_sel >> 3 & 1) << sources;
    if (mask != 0) text_ += " op_sel:" + list(mask, sources + 1);
  }

  int source_count() const {
    int count = 0;
    for (int n = 0; n < i_.operand_count; ++n) count += source_number(i_.operands[n].role) >= 0;
    return count;
  }

  void sdwa_modifiers() {
    static const char* const kSelect[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                          "WORD_0", "WORD_1", "DWORD",  "?"};
    static const char* const kUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"};
    // FP8 is converted to whole registers.
    const std::string_view name = name_of(i_.opcode);
    const std::string_view type = name.substr(name.size() < 4 ? 0 : name.size() - 4);
    if (i_.row->format != Format::VOPC && type != "_fp8" && type != "_bf8") {
      text_ += std::string(" dst_sel:") + kSelect[i_.dst_sel];
      text_ += std::string(" dst_unused:") + kUnused[i_.dst_unused];
    }
    text_ += std::string(" src0_sel:") + kSelect[i_.src_sel[0]];
    if (i_.row->format != Format::VOP1) text_ += std::string(" src1_sel:") + kSelect[i_.src_sel[1]];
  }

  void dpp_modifiers() {
    text_ +=
        " " + dpp_control() + " row_mask:" + hex(i_.row_mask) + " bank_mask:" + hex(i_.bank_mask);
    if (i_.bound_ctrl) text_ += " bound_ctrl:1";
  }

  std::string dpp_control() const {
    const unsigned c = i_.dpp_ctrl;
    if (c <= 0xff) {
      return "quad_perm:[" + number(c & 3) + "," + number(c >> 2 & 3) + "," + number(c >> 4 & 3) +
             "," + number(c >> 6 & 3) + "]";
    }
    if (c < 0x110) return "row_shl:" + number(c & 15);
    if (c < 0x120) return "row_shr:" + number(c & 15);
    if (c < 0x130) return "row_ror:" + number(c & 15);
    switch (c) {
      case 0x130:
        return "wave_shl:1";
      case 0x134:
        return "wave_rol:1";
      case 0x138:
        return "wave_shr:1";
      case 0x13c:
        return "wave_ror:1";
      case 0x140:
        return "row_mirror";
      case 0x141:
        return "row_half_mirror";
      case 0x142:
        return "row_bcast:15";
      case 0x143:
        return "row_bcast:31";
      default:
        return "row_newbcast:" + number(c & 15);
    }
  }

  void packed_modifiers() {
    const int sources = source_count();
    const unsigned all = (1u << sources) - 1;
    if (i_.op_sel & all) text_ += " op_sel:" + list(i_.op_sel, sources);
    const std::string_view name = name_of(i_.opcode);
    const bool whole = name.substr(0, 6) == "v_dot4" || name.substr(0, 6) == "v_dot8";
    const unsigned usual = is_mix() ? 0 : whole ? i_.op_sel_hi & all : all;
    if ((i_.op_sel_hi & all) != usual) text_ += " op_sel_hi:" + list(i_.op_sel_hi, sources);
    if (!is_mix()) {
      if (i_.neg & all) text_ += " neg_lo:" + list(i_.neg, sources);
      if (i_.neg_hi & all) text_ += " neg_hi:" + list(i_.neg_hi, sources);
    }
    flag(i_.clamp, "clamp");
  }

  void matrix_modifiers() {
    if (i_.opcode == Opcode::v_accvgpr_read_b32 || i_.opcode == Opcode::v_accvgpr_write_b32) return;
    if (i_.cbsz) text_ += " cbsz:" + number(i_.cbsz);
    if (i_.abid) text_ += " abid:" + number(i_.abid);
    if (i_.blgp == 0) return;
    // The products of f64 negate their sources instead.
    if (name_of(i_.opcode).substr(0, 10) == "v_mfma_f64") {
      text_ += " neg:[" + number(i_.blgp & 1) + "," + number(i_.blgp >> 1 & 1) + "," +
               number(i_.blgp >> 2 & 1) + "]";
    } else {
      text_ += " blgp:" + number(i_.blgp);
    }
  }

  void scalar_memory_modifiers() {
    if (i_.soffset_en && i_.imm && i_.row->operand_count > 1) {
      text_ += " offset:" + signed_hex(i_.offset);
    }
    if (i_.operand(Role::sdata) != nullptr && i_.operand_count > 1) flag(i_.sc0, "glc");
  }

  void lds_modifiers() {
    if (i_.row->operand_count == 0) return;
    const std::string_view name = name_of(i_.opcode);
    if (name.find("read2") != name.npos || name.find("write2") != name.npos ||
        name.find("wrxchg2") != name.npos) {
      if (i_.offset0) text_ += " offset0:" + number(i_.offset0);
      if (i_.offset1) text_ += " offset1:" + number(i_.offset1);
    } else if (i_.offset) {
      text_ += " offset:" + number(i_.offset);
    }
    flag(i_.gds, "gds");
  }

  void flat_modifiers() {
    if (i_.offset) text_ += " offset:" + number(i_.offset);
    cache_flags();
  }

  void cache_flags() {
    const bool old = architecture_ == Architecture::gfx90a;
    flag(i_.sc0, old ? "glc" : "sc0");
    const bool accesses = i_.row->operand_count != 0;  // of the others the bit says nothing
    flag(i_.nt && accesses, old ? "slc" : "nt");
    flag(i_.sc1, old ? "scc" : "sc1");
  }

  void buffer_modifiers() {
    flag(i_.idxen, "idxen");
    flag(i_.offen, "offen");
    const bool accesses = i_.row->operand_count != 0;
    if (i_.offset && accesses) text_ += " offset:" + number(i_.offset);
    cache_flags();
    flag(i_.lds, "lds");
  }

  const Instruction& i_;
  Architecture architecture_;
  std::string text_;
  int written_ = 0;
};

}  // namespace

std::string text_of(const Instruction& instruction, Architecture architecture) {
  return Text(instruction, architecture).write();
}

}  // namespace greta::isa
