#include "isa/decoder.h"

namespace greta::isa {
namespace {

constexpr uint32_t bits(uint32_t word, int high, int low) {
  return word >> low & ((2u << (high - low)) - 1);
}
constexpr bool bit(uint32_t word, int at) { return word >> at & 1; }
constexpr int32_t sign_extended(uint32_t value, int width) {
  return static_cast<int32_t>(value << (32 - width)) >> (32 - width);
}

constexpr uint32_t kLiteral = 255, kSdwa = 249, kDpp = 250;

// The fields of the encoding, as far as operands need them.
struct Fields {
  uint32_t sdst = 0, ssrc0 = 0, ssrc1 = 0, simm16 = 0;
  uint32_t vdst = 0, src0 = 0, src1 = 0, src2 = 0;  // sources as codes of nine bits
  uint32_t sdata = 0, sbase = 0, soffset = 0;
  uint32_t addr = 0, data0 = 0, data1 = 0, saddr = 0;
  uint32_t vdata = 0, vaddr = 0, srsrc = 0, soff = 0;
  bool acc_dst = false, acc_data = false, acc_src0 = false, acc_src1 = false;
};

class Decoding {
 public:
  Decoding(const uint32_t* words, size_t count, Architecture architecture, Instruction* out)
      : words_(words), count_(count), architecture_(architecture), out_(*out) {}

  bool run() {
    if (count_ == 0) return false;
    out_ = Instruction();
    out_.words = 1;
    return fields() && build_operands() && out_.words <= count_ && registers_are_even();
  }

 private:
  bool find(Format format, uint32_t number) {
    out_.row = find_row(format, number, architecture_);
    if (out_.row == nullptr) return false;
    out_.opcode = out_.row->opcode;
    return true;
  }

  // The second word of the encoding.
  bool second(uint32_t* word) {
    if (count_ < 2) return false;
    out_.words = 2;
    *word = words_[1];
    return true;
  }

  bool fields() {
    const uint32_t w = words_[0];
    if (!bit(w, 31)) return short_vector(w);
    if (!bit(w, 30)) return scalar(w);
    switch (bits(w, 31, 26)) {
      case 0x30:
        return smem(w);
      case 0x34:
        return bits(w, 25, 23) == 7 ? vop3p(w) : vop3(w);
      case 0x36:
        return ds(w);
      case 0x37:
        return flat(w);
      case 0x38:
        return mubuf(w);
      case 0x3a:
        return mtbuf(w);
      default:
        return false;
    }
  }

  bool scalar(uint32_t w) {
    f_.sdst = bits(w, 22, 16);
    f_.ssrc0 = bits(w, 7, 0);
    f_.ssrc1 = bits(w, 15, 8);
    f_.simm16 = bits(w, 15, 0);
    switch (bits(w, 31, 23)) {
      case 0x17d:
        return find(Format::SOP1, bits(w, 15, 8));
      case 0x17e:
        return find(Format::SOPC, bits(w, 22, 16));
      case 0x17f:
        return find(Format::SOPP, bits(w, 22, 16));
      default:
        break;
    }
    if (bits(w, 31, 28) == 0xb) return find(Format::SOPK, bits(w, 27, 23));
    return find(Format::SOP2, bits(w, 29, 23));
  }

  bool smem(uint32_t w) {
    uint32_t w1;
    if (!find(Format::SMEM, bits(w, 25, 18)) || !second(&w1)) return false;
    f_.sdata = bits(w, 12, 6);
    f_.sbase = bits(w, 5, 0) << 1;
    out_.imm = bit(w, 17);
    out_.sc0 = bit(w, 16);
    out_.soffset_en = bit(w, 14);
    out_.offset = sign_extended(bits(w1, 20, 0), 21);
    // Without immediate and without soffset_en the offset field itself names a register.
    f_.soffset = out_.soffset_en ? bits(w1, 31, 25) : bits(w1, 6, 0);
    align_tuples();
    return true;
  }

  // The lowest bits of what starts at an even or fourth register are not looked at.
  void align_tuples() {
    for (int i = 0; i < out_.row->operand_count; ++i) {
      const OperandRow& spec = out_.row->operands[i];
      const uint32_t unused = spec.width >= 4 ? 3 : spec.width == 2 ? 1 : 0;
      if (spec.role == Role::sdata) f_.sdata &= ~unused;
      if (spec.role == Role::sbase) f_.sbase &= ~unused;
    }
  }

  bool short_vector(uint32_t w) {
    f_.vdst = bits(w, 24, 17);
    f_.src0 = bits(w, 8, 0);
    f_.src1 = 256 + bits(w, 16, 9);
    bool found;
    if (bits(w, 31, 25) == 0x3f) {
      found = find(Format::VOP1, bits(w, 16, 9));
    } else if (bits(w, 31, 25) == 0x3e) {
      found = find(Format::VOPC, bits(w, 24, 17));
    } else {
      found = find(Format::VOP2, bits(w, 30, 25));
    }
    if (!found) return false;
    if (f_.src0 == kSdwa) return sdwa();
    if (f_.src0 == kDpp) return dpp();
    return true;
  }

  bool sdwa() {
    uint32_t w1;
    if (!out_.row->has(has_sdwa) || !second(&w1)) return false;
    out_.form = Form::sdwa;
    f_.src0 = bits(w1, 7, 0) | (bit(w1, 23) ? 0 : 256);
    f_.src1 = (f_.src1 & 255) | (bit(w1, 31) ? 0 : 256);
    if (out_.row->format == Format::VOPC) {
      f_.sdst = bit(w1, 15) ? bits(w1, 14, 8) : 106;
    } else {
      out_.dst_sel = bits(w1, 10, 8);
      out_.dst_unused = bits(w1, 12, 11);
      out_.clamp = bit(w1, 13);
      out_.omod = bits(w1, 15, 14);
    }
    out_.src_sel[0] = bits(w1, 18, 16);
    out_.src_sel[1] = bits(w1, 26, 24);
    out_.sext = bit(w1, 19) | bit(w1, 27) << 1;
    out_.neg = bit(w1, 20) | bit(w1, 28) << 1;
    out_.abs = bit(w1, 21) | bit(w1, 29) << 1;
    const bool scalars = f_.src0 < 128 || f_.src0 >= 256;
    const bool scalars1 = f_.src1 < 128 || f_.src1 >= 256 || out_.row->format == Format::VOP1;
    return out_.src_sel[0] != 7 && out_.src_sel[1] != 7 && out_.dst_sel != 7 &&
           out_.dst_unused != 3 && scalars && scalars1 && modifiers_are_known();
  }

  bool dpp() {
    uint32_t w1;
    if (!out_.row->has(has_dpp | has_dpp64) || !second(&w1)) return false;
    out_.form = Form::dpp;
    f_.src0 = 256 + bits(w1, 7, 0);
    out_.dpp_ctrl = bits(w1, 16, 8);
    out_.bound_ctrl = bit(w1, 19);
    out_.neg = bit(w1, 20) | bit(w1, 22) << 1;
    out_.abs = bit(w1, 21) | bit(w1, 23) << 1;
    out_.bank_mask = bits(w1, 27, 24);
    out_.row_mask = bits(w1, 31, 28);
    return dpp_ctrl_is_known() && modifiers_are_known();
  }

  bool dpp_ctrl_is_known() const {
    const unsigned ctrl = out_.dpp_ctrl;
    const bool broadcast = ctrl >= 0x150 && ctrl <= 0x15f;
    if (out_.row->has(has_dpp64)) return broadcast;
    const bool shift = ctrl > 0x100 && ctrl < 0x130 && (ctrl & 15) != 0;
    return ctrl <= 0xff || shift || broadcast || ctrl == 0x130 || ctrl == 0x134 || ctrl == 0x138 ||
           ctrl == 0x13c || (ctrl >= 0x140 && ctrl <= 0x143);
  }

  // VOP1, VOP2 and VOPC opcodes have a place in VOP3 as well.
  bool find_vop3(uint32_t number) {
    out_.form = Form::e64;
    bool found = find(Format::VOP3, number);
    if (!found && number < 0x100) found = find(Format::VOPC, number) && out_.row->has(has_e64);
    if (!found && number >= 0x100 && number < 0x140) {
      found = find(Format::VOP2, number - 0x100) && out_.row->has(has_e64);
    }
    if (!found && number >= 0x140 && number < 0x240) {
      found = find(Format::VOP1, number - 0x140) && out_.row->has(has_e64);
    }
    return found;
  }

  bool vop3(uint32_t w) {
    uint32_t w1;
    if (!find_vop3(bits(w, 25, 16)) || !second(&w1)) return false;
    f_.vdst = bits(w, 7, 0);
    three_sources(w1);
    out_.clamp = bit(w, 15);
    if (writes_scalar_mask()) {
      f_.sdst = bits(w, 14, 8);
    } else {
      out_.abs = bits(w, 10, 8);
      out_.op_sel = out_.row->has(has_opsel) ? bits(w, 14, 11) : 0;
    }
    out_.neg = bits(w1, 31, 29);
    out_.omod = bits(w1, 28, 27);
    return modifiers_are_known();
  }

  // The sources are three, so two words are all: a literal has no place.
  void three_sources(uint32_t w1) {
    f_.src0 = bits(w1, 8, 0);
    f_.src1 = bits(w1, 17, 9);
    f_.src2 = bits(w1, 26, 18);
  }

  // VOP3B: the bits of abs and op_sel name a scalar destination.
  bool writes_scalar_mask() const {
    const OpcodeRow& row = *out_.row;
    if (row.format == Format::VOPC) return false;
    for (int i = 1; i < 2 && i < row.operand_count; ++i) {
      if (row.operands[i].role == Role::sdst) return true;
      if (row.operands[i].role == Role::vcc) return true;
    }
    return false;
  }

  bool modifiers_are_known() const {
    const OpcodeRow& row = *out_.row;
    return (out_.neg & ~row.may_negate) == 0 && (out_.abs & ~row.may_be_absolute) == 0 &&
           (!out_.clamp || row.has(has_clamp)) && (out_.omod == 0 || row.has(has_omod)) &&
           (out_.sext == 0 || row.has(has_sext));
  }

  bool vop3p(uint32_t w) {
    uint32_t w1;
    const uint32_t number = bits(w, 22, 16);
    if (!second(&w1)) return false;
    if (find(Format::MAI, number)) return mai(w, w1);
    if (!find(Format::VOP3P, number)) return false;
    f_.vdst = bits(w, 7, 0);
    three_sources(w1);
    out_.clamp = bit(w, 15);
    out_.op_sel = bits(w, 13, 11);
    out_.op_sel_hi = bits(w1, 28, 27) | bit(w, 14) << 2;
    out_.neg_hi = bits(w, 10, 8);
    out_.neg = bits(w1, 31, 29);
    return out_.row->operand_count > 3 || ((out_.neg | out_.neg_hi) & 4) == 0;
  }

  bool mai(uint32_t w, uint32_t w1) {
    f_.vdst = bits(w, 7, 0);
    three_sources(w1);
    f_.acc_dst = bit(w, 15);
    out_.abid = bits(w, 14, 11);
    out_.cbsz = bits(w, 10, 8);
    out_.blgp = bits(w1, 31, 29);
    f_.acc_src0 = bit(w1, 27);
    f_.acc_src1 = bit(w1, 28);
    if (out_.opcode == Opcode::v_accvgpr_read_b32) {
      f_.acc_dst = false;
      f_.acc_src0 = true;
    } else if (out_.opcode == Opcode::v_accvgpr_write_b32) {
      f_.acc_dst = true;
      f_.acc_src0 = false;
    } else {
      return f_.src0 >= 256 && f_.src1 >= 256;
    }
    return true;
  }

  bool ds(uint32_t w) {
    uint32_t w1;
    if (!find(Format::DS, bits(w, 24, 17)) || !second(&w1)) return false;
    f_.addr = bits(w1, 7, 0);
    f_.data0 = bits(w1, 15, 8);
    f_.data1 = bits(w1, 23, 16);
    f_.vdst = bits(w1, 31, 24);
    f_.acc_data = f_.acc_dst = bit(w, 25);
    out_.gds = bit(w, 16);
    out_.offset0 = bits(w, 7, 0);
    out_.offset1 = bits(w, 15, 8);
    out_.offset = static_cast<int32_t>(bits(w, 15, 0));
    return true;
  }

  bool flat(uint32_t w) {
    static constexpr Format kSegments[] = {Format::FLAT, Format::SCRATCH, Format::GLOBAL};
    uint32_t w1;
    const uint32_t segment = bits(w, 15, 14);
    if (segment == 3 || !find(kSegments[segment], bits(w, 24, 18)) || !second(&w1)) return false;
    f_.vdst = bits(w1, 31, 24);
    f_.data0 = bits(w1, 15, 8);
    f_.addr = bits(w1, 7, 0);
    f_.saddr = bits(w1, 22, 16);
    f_.acc_data = f_.acc_dst = bit(w1, 23);
    // Flat addresses may lie in LDS, where an offset has no sign and 12 bits.
    out_.offset =
        segment == 0 ? static_cast<int32_t>(bits(w, 12, 0)) : sign_extended(bits(w, 12, 0), 13);
    out_.sc0 = bit(w, 16);
    out_.nt = bit(w, 17);
    out_.sc1 = bit(w, 25);
    out_.lds = bit(w, 13);
    return segment != 0 || out_.offset < 4096;
  }

  bool mubuf(uint32_t w) {
    uint32_t w1;
    if (!find(Format::MUBUF, bits(w, 24, 18)) || !second(&w1)) return false;
    buffer_fields(w, w1);
    out_.nt = bit(w, 17);
    out_.lds = bit(w, 16);
    out_.sc1 = bit(w, 15);
    const bool loads = name_of(out_.opcode).substr(0, 12) == "buffer_load_";
    return !out_.lds || (loads && !bit(w1, 23));
  }

  bool mtbuf(uint32_t w) {
    uint32_t w1;
    if (!find(Format::MTBUF, bits(w, 18, 15)) || !second(&w1)) return false;
    buffer_fields(w, w1);
    out_.buffer_format = bits(w, 25, 19);
    out_.nt = bit(w1, 22);
    out_.sc1 = bit(w1, 21);
    return true;
  }

  void buffer_fields(uint32_t w, uint32_t w1) {
    out_.sc0 = bit(w, 14);
    out_.idxen = bit(w, 13);
    out_.offen = bit(w, 12);
    out_.offset = static_cast<int32_t>(bits(w, 11, 0));
    f_.vaddr = bits(w1, 7, 0);
    f_.vdata = bits(w1, 15, 8);
    f_.srsrc = bits(w1, 20, 16) << 2;
    f_.acc_data = bit(w1, 23);
    f_.soff = bits(w1, 31, 24);
  }

  // -- operands --------------------------------------------------------------------------------

  bool build_operands() {
    const OpcodeRow& row = *out_.row;
    for (int i = 0; i < row.operand_count; ++i) {
      const OperandRow& spec = row.operands[i];
      if (spec.role == Role::vdst && row.has(has_rtn) && !out_.sc0) continue;
      if (spec.role == Role::vdata && out_.lds) continue;  // the data goes to LDS
      Operand operand;
      operand.role = spec.role;
      operand.width = spec.width;
      if (!build(spec, i, &operand)) return false;
      out_.operands[out_.operand_count++] = operand;
    }
    return true;
  }

  bool build(const OperandRow& spec, int position, Operand* o) {
    switch (spec.role) {
      case Role::sdst:
        return scalar_register(f_.sdst, o);
      case Role::ssrc0:
        return source(f_.ssrc0, o);
      case Role::ssrc1:
        return source(f_.ssrc1, o);
      case Role::imm_ssrc1:
        return immediate(f_.ssrc1, o);
      case Role::simm16:
      case Role::target:
      case Role::hwreg:
      case Role::waitcnt:
      case Role::sendmsg:
      case Role::gpr_idx:
        return immediate(f_.simm16, o);
      case Role::literal:
        return literal(o);
      case Role::sdata:
        return scalar_register(f_.sdata, o);
      case Role::sbase:
        return scalar_register(f_.sbase, o);
      case Role::soffset:
        return smem_offset(o);
      case Role::imm_sdata:
        return immediate(f_.sdata, o);
      case Role::vdst:
        return vector(f_.vdst, f_.acc_dst, o);
      case Role::vdst_sgpr:
        return scalar_register(f_.vdst, o);
      case Role::vdst_acc:
        return vector(f_.vdst, true, o);
      case Role::src0_acc:
        return f_.src0 >= 256 && vector(f_.src0 & 255, true, o);
      case Role::src0:
        return lane_source(f_.src0, f_.acc_src0, o);
      case Role::src1:
        return lane_source(f_.src1, f_.acc_src1, o);
      case Role::src2:
        return addend(o);
      case Role::vcc:
        return mask(position, o);
      case Role::addr:
        return address(o);
      case Role::data:
      case Role::data0:
        return vector(f_.data0, f_.acc_data, o);
      case Role::data1:
        return vector(f_.data1, f_.acc_data, o);
      case Role::saddr:
        return scalar_address(o);
      case Role::vdata:
        return vector(f_.vdata, f_.acc_data, o);
      case Role::vaddr:
        return buffer_address(o);
      case Role::srsrc:
        return scalar_register(f_.srsrc, o);
      case Role::soff:
        return f_.soff != kLiteral && source(f_.soff, o);
      case Role::none:
        return false;
    }
    return false;
  }

  static bool set(Operand* o, OperandKind kind, uint32_t index) {
    o->kind = kind;
    o->index = static_cast<uint16_t>(index);
    return true;
  }

  static bool immediate(uint32_t value, Operand* o) {
    return set(o, OperandKind::immediate, value);
  }

  // What says which elements of a sparse matrix are there is never in an AccVGPR.
  bool is_sparse_index(const Operand& o) const {
    return o.width == 1 && name_of(out_.opcode).substr(0, 8) == "v_smfmac";
  }

  static bool vector(uint32_t index, bool acc, Operand* o) {
    return index + o->width <= 256 && set(o, acc ? OperandKind::acc : OperandKind::vgpr, index);
  }

  // Registers of several words start at even numbers, those of four and more at multiples of four.
  static bool scalar_register(uint32_t code, Operand* o) {
    const uint32_t step = o->width <= 1 ? 1 : o->width == 2 ? 2 : 4;
    if (code > 127 || code == 125 || code % step != 0 || crosses_files(code, o->width))
      return false;
    return set(o, OperandKind::scalar, code);
  }

  // A tuple lies within the SGPRs or within the TTMPs.
  static bool crosses_files(uint32_t code, uint32_t width) {
    const uint32_t end = code + width;
    if (code < 102) return end > 102;
    if (code < 108) return width > 2;
    if (code < 124) return end > 124;
    return width > 2 || (code == 124 && width > 1);
  }

  bool literal(Operand* o) {
    if (count_ < 2) return false;
    out_.literal = words_[1];
    out_.words = 2;
    return set(o, OperandKind::literal, kLiteral);
  }

  bool source(uint32_t code, Operand* o) {
    if (code < 128) return scalar_register(code, o);
    if ((code <= 208) || (code >= 240 && code <= 248)) return set(o, OperandKind::constant, code);
    if ((code >= 235 && code <= 239) || (code >= 251 && code <= 254)) {
      return set(o, OperandKind::special, code);
    }
    return code == kLiteral && out_.form == Form::plain && literal(o);
  }

  // A matrix is added from vector registers or is one number; indices are in a vector register.
  bool addend(Operand* o) {
    const bool matrix = out_.row->format == Format::MAI, index = is_sparse_index(*o);
    if (matrix && (f_.src2 < 128 || (index && f_.src2 < 256))) return false;
    return lane_source(f_.src2, f_.acc_dst && !index, o);
  }

  bool lane_source(uint32_t code, bool acc, Operand* o) {
    if (code >= 256) return vector(code - 256, acc, o);
    return source(code, o);
  }

  // VCC of the short forms; any pair of SGPRs in VOP3 and in SDWA compares.
  bool mask(int position, Operand* o) {
    o->width = 2;
    uint32_t code = 106;
    const bool compare = out_.row->format == Format::VOPC;
    if (out_.form == Form::e64) {
      code = compare ? f_.vdst : position == 1 ? f_.sdst : f_.src2;
      if (position > 1) return f_.src2 < 256 ? source(code, o) : false;
    } else if (out_.form == Form::sdwa && compare) {
      code = f_.sdst;
    }
    return scalar_register(code, o);
  }

  bool smem_offset(Operand* o) {
    o->width = 1;
    if (out_.imm && !out_.soffset_en) return set(o, OperandKind::immediate, 0);
    return scalar_register(f_.soffset, o);
  }

  bool address(Operand* o) {
    switch (out_.row->format) {
      case Format::FLAT:
        o->width = 2;
        break;
      case Format::GLOBAL:
        o->width = f_.saddr == 127 ? 2 : 1;
        break;
      case Format::SCRATCH:
        o->width = 1;
        if (!uses_scratch_vgpr()) return set(o, OperandKind::off, 0);
        break;
      default:
        break;
    }
    return vector(f_.addr, false, o);
  }

  // gfx942 says by a bit whether there is a VGPR in a scratch address; gfx90a by the lack of an
  // SGPR.
  bool uses_scratch_vgpr() const {
    return architecture_ == Architecture::gfx90a ? f_.saddr == 127 : out_.lds;
  }

  bool scalar_address(Operand* o) {
    if (f_.saddr == 127) return set(o, OperandKind::off, 0);
    o->width = out_.row->format == Format::SCRATCH ? 1 : 2;
    return scalar_register(f_.saddr & ~(o->width - 1u), o);
  }

  bool buffer_address(Operand* o) {
    o->width = static_cast<uint8_t>(out_.idxen + out_.offen);
    if (o->width == 0) return set(o, OperandKind::off, 0);
    return vector(f_.vaddr, false, o);
  }

  // Since gfx90a, vector registers of several words start at even numbers.
  bool registers_are_even() const {
    for (int i = 0; i < out_.operand_count; ++i) {
      const Operand& o = out_.operands[i];
      const bool lanes = o.kind == OperandKind::vgpr || o.kind == OperandKind::acc;
      const bool free = o.role == Role::vaddr && out_.row->format == Format::MTBUF;
      if (lanes && o.width > 1 && o.index % 2 != 0 && !free) return false;
    }
    return true;
  }

  const uint32_t* words_;
  size_t count_;
  Architecture architecture_;
  Instruction& out_;
  Fields f_;
};

}  // namespace

const Operand* Instruction::operand(Role role) const {
  for (int i = 0; i < operand_count; ++i) {
    if (operands[i].role == role) return &operands[i];
  }
  return nullptr;
}

bool decode(const uint32_t* words, size_t count, Architecture architecture, Instruction* out) {
  return Decoding(words, count, architecture, out).run();
}

}  // namespace greta::isa
