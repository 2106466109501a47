#include "gfx/lines.h"

#include <elf.h>

#include <cstring>
#include <string_view>

#include "codeobject/byte_range.h"

namespace greta::sim::gfx {
namespace {

// Reads from bytes that may lie: what is not there reads as zero, and `good` becomes false.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const unsigned char* at, const unsigned char* end) : at_(at), end_(end) {}

  bool good() const { return good_; }
  bool has_more() const { return good_ && at_ < end_; }
  const unsigned char* at() const { return at_; }

  uint64_t number(size_t bytes) {
    uint64_t value = 0;
    if (!take(bytes) || bytes > sizeof value) return good_ = false, 0;
    std::memcpy(&value, at_ - bytes, bytes);
    return value;
  }
  uint8_t byte() { return static_cast<uint8_t>(number(1)); }

  uint64_t unsigned_leb() {
    uint64_t value = 0;
    for (unsigned shift = 0; good_; shift += 7) {
      const uint8_t part = byte();
      if (shift < 64) value |= static_cast<uint64_t>(part & 0x7f) << shift;
      if ((part & 0x80) == 0) break;
    }
    return value;
  }
  int64_t signed_leb() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t part = 0;
    do {
      part = byte();
      if (shift < 64) value |= static_cast<uint64_t>(part & 0x7f) << shift;
      shift += 7;
    } while ((part & 0x80) != 0 && good_);
    if (shift < 64 && (part & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
  std::string_view text() {
    const auto* begin = reinterpret_cast<const char*>(at_);
    const size_t length = at_ == end_ ? 0 : strnlen(begin, static_cast<size_t>(end_ - at_));
    take(length + 1);
    return {begin, good_ ? length : 0};
  }
  bool skip(uint64_t bytes) { return take(bytes); }

  // The next bytes as their own cursor.
  Cursor part(uint64_t bytes) {
    const unsigned char* const begin = at_;
    return take(bytes) ? Cursor(begin, at_) : Cursor();
  }

 private:
  bool take(uint64_t bytes) {
    if (!good_ || bytes > static_cast<uint64_t>(end_ - at_)) return good_ = false;
    at_ += bytes;
    return true;
  }

  const unsigned char* at_ = nullptr;
  const unsigned char* end_ = nullptr;
  bool good_ = true;
};

struct Sections {
  Cursor lines, line_strings, strings;
};

bool read_section(const std::vector<unsigned char>& file, uint64_t at, Elf64_Shdr* section) {
  if (!codeobject::lies_within(at, sizeof *section, 0, file.size())) return false;
  std::memcpy(section, file.data() + at, sizeof *section);
  return section->sh_type == SHT_NOBITS ||
         codeobject::lies_within(section->sh_offset, section->sh_size, 0, file.size());
}

Sections find_sections(const std::vector<unsigned char>& file) {
  Sections found;
  Elf64_Ehdr header;
  Elf64_Shdr names, section;
  if (file.size() < sizeof header) return found;
  std::memcpy(&header, file.data(), sizeof header);
  if (!read_section(file, header.e_shoff + uint64_t{header.e_shstrndx} * sizeof names, &names)) {
    return found;
  }
  const unsigned char* const text = file.data() + names.sh_offset;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    if (!read_section(file, header.e_shoff + i * sizeof section, &section)) return found;
    if (section.sh_name >= names.sh_size || section.sh_type != SHT_PROGBITS) continue;
    if ((section.sh_flags & SHF_COMPRESSED) != 0) continue;
    const std::string_view name = Cursor(text + section.sh_name, text + names.sh_size).text();
    const unsigned char* const begin = file.data() + section.sh_offset;
    const Cursor bytes(begin, begin + section.sh_size);
    if (name == ".debug_line") found.lines = bytes;
    if (name == ".debug_line_str") found.line_strings = bytes;
    if (name == ".debug_str") found.strings = bytes;
  }
  return found;
}

// One unit of .debug_line: its tables of files, then a program that says which address is which
// line.
class Unit {
 public:
  Unit(Cursor bytes, size_t offset_bytes, const Sections& sections)
      : in_(bytes), offset_bytes_(offset_bytes), sections_(sections) {}

  // True where the unit has the address.
  bool find(uint64_t address, SourceLine* found) { return read_header() && run(address, found); }

 private:
  struct File {
    std::string_view name;
    uint64_t folder = 0;
  };

  bool read_header() {
    version_ = in_.number(2);
    if (version_ < 2 || version_ > 5) return false;
    if (version_ >= 5) in_.skip(2);  // sizes of addresses and segments
    Cursor header = in_.part(in_.number(offset_bytes_));
    instruction_bytes_ = header.byte();
    if (version_ >= 4) header.byte();  // operations per instruction
    header.byte();                     // is_stmt
    line_base_ = static_cast<int8_t>(header.byte());
    line_range_ = header.byte();
    opcode_base_ = header.byte();
    if (line_range_ == 0 || opcode_base_ == 0) return false;
    for (unsigned i = 1; i < opcode_base_; ++i) lengths_[i] = header.byte();
    if (version_ >= 5) {
      read_entries(&header, &folders_);
      read_entries(&header, &files_);
    } else {
      read_old_tables(&header);
    }
    return header.good();
  }

  void read_old_tables(Cursor* header) {
    folders_.push_back({});
    for (;;) {
      const std::string_view name = header->text();
      if (name.empty()) break;
      folders_.push_back({name, 0});
    }
    files_.push_back({});
    while (header->good()) {
      const std::string_view name = header->text();
      if (name.empty()) break;
      const uint64_t folder = header->unsigned_leb();
      header->unsigned_leb();
      header->unsigned_leb();
      files_.push_back({name, folder});
    }
  }

  void read_entries(Cursor* header, std::vector<File>* entries) {
    struct Field {
      uint64_t content, form;
    };
    std::vector<Field> fields(header->byte());
    for (Field& field : fields) {
      field.content = header->unsigned_leb();
      field.form = header->unsigned_leb();
    }
    const uint64_t count = header->unsigned_leb();
    for (uint64_t i = 0; i < count && header->good(); ++i) {
      File file;
      for (const Field& field : fields) {
        std::string_view text;
        const uint64_t value = read_form(header, field.form, &text);
        if (field.content == 1) file.name = text;     // DW_LNCT_path
        if (field.content == 2) file.folder = value;  // DW_LNCT_directory_index
      }
      entries->push_back(file);
    }
  }

  uint64_t read_form(Cursor* header, uint64_t form, std::string_view* text) {
    switch (form) {
      case 0x08:  // string
        *text = header->text();
        return 0;
      case 0x0e:  // strp
      case 0x1f:  // line_strp
      {
        Cursor strings = form == 0x0e ? sections_.strings : sections_.line_strings;
        strings.skip(header->number(offset_bytes_));
        if (strings.good()) *text = strings.text();
        return 0;
      }
      case 0x0b:
        return header->number(1);
      case 0x05:
        return header->number(2);
      case 0x06:
        return header->number(4);
      case 0x07:
        return header->number(8);
      case 0x0f:
        return header->unsigned_leb();
      case 0x1e:  // data16: a checksum
        header->skip(16);
        return 0;
      default:  // not one that tables of lines use
        header->skip(~uint64_t{0});
        return 0;
    }
  }

  struct Registers {
    uint64_t address = 0;
    uint64_t file = 1;
    int64_t line = 1;
  };

  // Rows come by growing addresses; the one before the first that lies beyond is it.
  bool run(uint64_t address, SourceLine* found) {
    Registers row, last;
    bool any = false, hit = false;
    const auto emit = [&](bool ends) {
      if (any && last.address <= address && address < row.address) {
        hit = true;
        found->file = path_of(last.file);
        found->line = static_cast<uint32_t>(last.line);
      }
      last = row;
      any = !ends;
    };
    while (in_.has_more() && !hit) {
      const uint8_t opcode = in_.byte();
      if (opcode >= opcode_base_) {
        const unsigned adjusted = opcode - opcode_base_;
        row.address += uint64_t{adjusted / line_range_} * instruction_bytes_;
        row.line += line_base_ + static_cast<int>(adjusted % line_range_);
        emit(false);
      } else if (opcode == 0) {
        Cursor extended = in_.part(in_.unsigned_leb());
        const uint8_t kind = extended.byte();
        if (kind == 1) {  // the sequence ends
          emit(true);
          row = Registers();
        } else if (kind == 2) {
          row.address = extended.number(8);
        }
      } else {
        standard(opcode, &row, emit);
      }
    }
    return hit;
  }

  template <class Emit>
  void standard(uint8_t opcode, Registers* row, const Emit& emit) {
    switch (opcode) {
      case 1:
        emit(false);
        break;
      case 2:
        row->address += in_.unsigned_leb() * instruction_bytes_;
        break;
      case 3:
        row->line += in_.signed_leb();
        break;
      case 4:
        row->file = in_.unsigned_leb();
        break;
      case 8:
        row->address += uint64_t{(255u - opcode_base_) / line_range_} * instruction_bytes_;
        break;
      case 9:
        row->address += in_.number(2);
        break;
      default:  // says nothing about addresses and lines
        for (unsigned i = 0; i < lengths_[opcode]; ++i) in_.unsigned_leb();
        break;
    }
  }

  std::string path_of(uint64_t file) const {
    if (file >= files_.size()) return {};
    const std::string_view name = files_[file].name;
    const uint64_t folder = files_[file].folder;
    if (name.empty() || name[0] == '/' || folder == 0 || folder >= folders_.size()) {
      return std::string(name);
    }
    return std::string(folders_[folder].name) + "/" + std::string(name);
  }

  Cursor in_;
  const size_t offset_bytes_;
  const Sections& sections_;
  uint64_t version_ = 0;
  unsigned instruction_bytes_ = 1, line_range_ = 1, opcode_base_ = 1;
  int line_base_ = 0;
  uint8_t lengths_[256] = {};
  std::vector<File> folders_, files_;
};

}  // namespace

SourceLine find_line(const std::vector<unsigned char>& file, uint64_t address) {
  const Sections sections = find_sections(file);
  Cursor lines = sections.lines;
  SourceLine found;
  while (lines.has_more()) {
    uint64_t length = lines.number(4);
    const bool wide = length == 0xffffffff;
    if (wide) length = lines.number(8);
    const Cursor unit = lines.part(length);
    if (lines.good() && Unit(unit, wide ? 8 : 4, sections).find(address, &found)) return found;
  }
  return {};
}

}  // namespace greta::sim::gfx
