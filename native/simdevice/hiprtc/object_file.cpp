#include "hiprtc/object_file.h"

#include <cstring>
#include <stdexcept>

namespace greta::hiprtc {
namespace {

template <class T>
T load(std::string_view bytes, size_t index) {
  T value;
  if ((index + 1) * sizeof(T) > bytes.size()) throw std::runtime_error("object file is cut short");
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

ObjectFile::ObjectFile(std::string bytes) : bytes_(std::move(bytes)) {
  Elf64_Ehdr header = load<Elf64_Ehdr>(bytes_, 0);
  bool usable = !std::memcmp(header.e_ident, ELFMAG, SELFMAG) &&
                header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_X86_64 &&
                header.e_type == ET_REL;
  if (!usable) throw std::runtime_error("the compiler did not write an x86-64 object file");
  read_sections(header);
  for (const Elf64_Shdr& section : headers_)
    if (section.sh_type == SHT_SYMTAB) read_symbols(section);
  for (const Elf64_Shdr& section : headers_)
    if (section.sh_type == SHT_RELA) read_references(section);
}

std::string_view ObjectFile::range(uint64_t offset, uint64_t size) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset)
    throw std::runtime_error("object file is cut short");
  return std::string_view(bytes_).substr(offset, size);
}

std::string_view ObjectFile::string_at(std::string_view table, uint32_t offset) const {
  if (offset >= table.size()) return {};
  return table.substr(offset, table.find('\0', offset) - offset);
}

void ObjectFile::read_sections(const Elf64_Ehdr& header) {
  std::string_view table = range(header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
  for (size_t i = 0; i < header.e_shnum; ++i) headers_.push_back(load<Elf64_Shdr>(table, i));
  if (header.e_shstrndx >= headers_.size()) throw std::runtime_error("object file has no names");
  const Elf64_Shdr& names = headers_[header.e_shstrndx];
  std::string_view name_table = range(names.sh_offset, names.sh_size);
  for (const Elf64_Shdr& section : headers_) {
    bool stored = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
    sections_.push_back({std::string(string_at(name_table, section.sh_name)),
                         section.sh_type,
                         stored ? range(section.sh_offset, section.sh_size) : std::string_view{},
                         {}});
  }
}

void ObjectFile::read_symbols(const Elf64_Shdr& table) {
  std::string_view entries = range(table.sh_offset, table.sh_size);
  const Elf64_Shdr& strings = headers_.at(table.sh_link);
  std::string_view names = range(strings.sh_offset, strings.sh_size);
  for (size_t i = 0; i < entries.size() / sizeof(Elf64_Sym); ++i) {
    Elf64_Sym symbol = load<Elf64_Sym>(entries, i);
    symbols_.push_back({std::string(string_at(names, symbol.st_name)),
                        static_cast<uint8_t>(ELF64_ST_TYPE(symbol.st_info)),
                        static_cast<uint8_t>(ELF64_ST_BIND(symbol.st_info)), symbol.st_shndx,
                        symbol.st_value, symbol.st_size});
  }
}

void ObjectFile::read_references(const Elf64_Shdr& table) {
  std::string_view entries = range(table.sh_offset, table.sh_size);
  ObjectSection& section = sections_.at(table.sh_info);
  for (size_t i = 0; i < entries.size() / sizeof(Elf64_Rela); ++i) {
    Elf64_Rela entry = load<Elf64_Rela>(entries, i);
    uint32_t symbol = static_cast<uint32_t>(ELF64_R_SYM(entry.r_info));
    if (symbol < symbols_.size())
      section.references.push_back({entry.r_offset, symbol, entry.r_addend});
  }
}

std::string ObjectFile::target_name(const ObjectSection& section, uint64_t offset) const {
  for (const ObjectReference& reference : section.references) {
    if (reference.offset != offset) continue;
    const ObjectSymbol& target = symbols_[reference.symbol];
    if (target.type != STT_SECTION) return target.name;
    // The assembler replaces local symbols by "section + distance".
    for (const ObjectSymbol& symbol : symbols_)
      if (symbol.section == target.section && symbol.type != STT_SECTION &&
          symbol.value == static_cast<uint64_t>(reference.addend))
        return symbol.name;
  }
  return "";
}

}  // namespace greta::hiprtc
