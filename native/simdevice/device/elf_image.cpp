#include "device/elf_image.h"

#include <utility>

#include "codeobject/byte_range.h"
#include "codeobject/elf_headers.h"

namespace greta::sim {

using codeobject::ElfMachine;
using codeobject::lies_within;
using codeobject::machine_of;

namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kMostMappedBytes = uint64_t{1} << 30;

bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

bool is_mappable(const Elf64_Phdr& segment) {
  return segment.p_filesz <= segment.p_memsz && segment.p_memsz <= kMostMappedBytes &&
         segment.p_vaddr <= kMostMappedBytes && is_power_of_two(segment.p_align) &&
         segment.p_align >= kPageBytes && segment.p_align <= kMostMappedBytes &&
         (segment.p_vaddr - segment.p_offset) % segment.p_align == 0;
}

}  // namespace

bool ElfImage::parse(std::vector<unsigned char> bytes, std::string* reason) {
  bytes_ = std::move(bytes);
  *reason = "its ELF header is corrupt";
  if (!read(0, &header_)) return false;
  if (machine_of(header_) != ElfMachine::x86_64_shared_object) return false;
  if (header_.e_ident[EI_VERSION] != EV_CURRENT || header_.e_version != EV_CURRENT) return false;
  if (header_.e_ehsize != sizeof(Elf64_Ehdr)) return false;
  return parse_segments(reason) && parse_dynamic(reason);
}

bool ElfImage::parse_segments(std::string* reason) {
  *reason = "its program headers are corrupt";
  const codeobject::BufferReader file(bytes_.data(), bytes_.size());
  auto segments = codeobject::read_segments({file, 0, bytes_.size()}, header_);
  if (!segments) return false;
  uint64_t mapped_end = 0;
  bool any_mapped = false;
  for (const Elf64_Phdr& segment : *segments) {
    if (!lies_within(segment.p_offset, segment.p_filesz, 0, bytes_.size())) return false;
    if (segment.p_type == PT_LOAD) {
      if (!is_mappable(segment) || (any_mapped && segment.p_vaddr < mapped_end)) return false;
      mapped_end = segment.p_vaddr + segment.p_memsz;
      any_mapped = true;
    }
  }
  segments_ = std::move(*segments);
  return any_mapped;
}

bool ElfImage::parse_dynamic(std::string* reason) {
  *reason = "its dynamic section is corrupt";
  const Elf64_Phdr* segment = find_segment(PT_DYNAMIC);
  if (segment == nullptr || segment->p_vaddr % alignof(Elf64_Dyn) != 0) return false;
  uint64_t offset;
  if (!find_offset(segment->p_vaddr, segment->p_filesz, &offset)) return false;
  for (uint64_t i = 0; i < segment->p_filesz / sizeof(Elf64_Dyn); ++i) {
    Elf64_Dyn entry;
    if (!read(offset + i * sizeof entry, &entry)) return false;
    if (entry.d_tag == DT_NULL) return true;
    dynamic_.push_back(entry);
  }
  return false;  // no end
}

const Elf64_Phdr* ElfImage::find_segment(uint32_t type) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == type) return &segment;
  }
  return nullptr;
}

bool ElfImage::find_dynamic(Elf64_Sxword tag, uint64_t* value) const {
  bool found = false;
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag != tag) continue;
    *value = entry.d_un.d_val;
    found = true;
  }
  return found;
}

bool ElfImage::find_offset(uint64_t address, uint64_t size, uint64_t* offset) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD) continue;
    if (!lies_within(address, size, segment.p_vaddr, segment.p_filesz)) continue;
    *offset = segment.p_offset + (address - segment.p_vaddr);
    return true;
  }
  return false;
}

bool ElfImage::is_loaded(uint64_t address, uint64_t size, uint32_t flags) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & flags) != flags) continue;
    if (lies_within(address, size, segment.p_vaddr, segment.p_memsz)) return true;
  }
  return false;
}

Elf64_Sym ElfImage::symbol(uint32_t index) const {
  Elf64_Sym symbol{};
  read(symbol_table.symbols_offset + uint64_t{index} * sizeof symbol, &symbol);
  return symbol;
}

// The string table ends with a null byte, and names begin inside it: elf_check.h.
std::string_view ElfImage::symbol_name(const Elf64_Sym& symbol) const {
  return reinterpret_cast<const char*>(bytes_.data() + symbol_table.strings_offset +
                                       symbol.st_name);
}

}  // namespace greta::sim
