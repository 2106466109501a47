#include "device/elf_image.h"

namespace greta::sim {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kMostMappedBytes = uint64_t{1} << 30;
constexpr uint16_t kMostSegments = 64;
constexpr uint16_t kAmdgpu = 224;  // EM_AMDGPU

bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

// [inner, inner + inner_size) within [outer, outer + outer_size), without overflow
bool lies_within(uint64_t inner, uint64_t inner_size, uint64_t outer, uint64_t outer_size) {
  return inner >= outer && inner - outer <= outer_size &&
         inner_size <= outer_size - (inner - outer);
}

bool is_mappable(const Elf64_Phdr& segment) {
  return segment.p_filesz <= segment.p_memsz && segment.p_memsz <= kMostMappedBytes &&
         segment.p_vaddr <= kMostMappedBytes && is_power_of_two(segment.p_align) &&
         segment.p_align >= kPageBytes && segment.p_align <= kMostMappedBytes &&
         (segment.p_vaddr - segment.p_offset) % segment.p_align == 0;
}

}  // namespace

ElfMachine machine_of(const Elf64_Ehdr& header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return ElfMachine::not_elf;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return ElfMachine::other;
  }
  if (header.e_machine == kAmdgpu) return ElfMachine::amdgpu;
  const bool ours = header.e_machine == EM_X86_64 && header.e_type == ET_DYN;
  return ours ? ElfMachine::x86_64_shared_object : ElfMachine::other;
}

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
  if (header_.e_phentsize != sizeof(Elf64_Phdr) || header_.e_phnum > kMostSegments) return false;
  uint64_t mapped_end = 0;
  bool any_mapped = false;
  for (uint64_t i = 0; i < header_.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read(header_.e_phoff + i * sizeof segment, &segment)) return false;
    if (!lies_within(segment.p_offset, segment.p_filesz, 0, bytes_.size())) return false;
    if (segment.p_type == PT_LOAD) {
      if (!is_mappable(segment) || (any_mapped && segment.p_vaddr < mapped_end)) return false;
      mapped_end = segment.p_vaddr + segment.p_memsz;
      any_mapped = true;
    }
    segments_.push_back(segment);
  }
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

ElfImage::Bytes ElfImage::find_note(std::string_view owner, uint32_t type) const {
  Bytes note;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_NOTE && find_note_in(segment, owner, type, &note)) break;
  }
  return note;
}

// A note: name size, descriptor size, type, name, descriptor; the latter two padded to 4 bytes.
bool ElfImage::find_note_in(const Elf64_Phdr& segment, std::string_view owner, uint32_t type,
                            Bytes* note) const {
  const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
  uint64_t offset = segment.p_offset;
  const uint64_t end = segment.p_offset + segment.p_filesz;
  Elf64_Nhdr header;
  while (offset + sizeof header <= end && read(offset, &header)) {
    const uint64_t name = offset + sizeof header;
    const uint64_t descriptor = name + padded(header.n_namesz);
    if (!lies_within(descriptor, header.n_descsz, segment.p_offset, segment.p_filesz)) return false;
    const auto* name_bytes = reinterpret_cast<const char*>(bytes_.data() + name);
    const bool named =
        header.n_namesz == owner.size() + 1 && std::string_view(name_bytes, owner.size()) == owner;
    if (named && header.n_type == type) {
      *note = {bytes_.data() + descriptor, header.n_descsz};
      return true;
    }
    offset = descriptor + padded(header.n_descsz);
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
