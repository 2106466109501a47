#include "codeobject/elf_headers.h"

#include <algorithm>
#include <cstring>

namespace greta::codeobject {
namespace {

constexpr uint16_t kAmdgpu = 224;  // EM_AMDGPU
constexpr uint16_t kMostSegments = 64;

template <typename Entry>
std::optional<std::vector<Entry>> read_table(const ImageBytes& image, uint64_t offset,
                                             uint16_t count) {
  std::vector<Entry> table(count);
  if (!image.copy(offset, table.data(), count * sizeof(Entry))) return {};
  return table;
}

bool takes_room(const Elf64_Shdr& section) {
  return section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
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

std::optional<uint64_t> length_of_elf(const ImageBytes& image, const Elf64_Ehdr& header) {
  uint64_t length = sizeof(Elf64_Ehdr);
  const auto extend = [&](uint64_t offset, uint64_t size) {
    if (offset > image.most_bytes() || size > image.most_bytes() - offset) return false;
    length = std::max(length, offset + size);
    return true;
  };
  if (!extend(header.e_phoff, uint64_t{header.e_phnum} * sizeof(Elf64_Phdr))) return {};
  if (!extend(header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr))) return {};
  const auto segments = read_table<Elf64_Phdr>(image, header.e_phoff, header.e_phnum);
  const auto sections = read_table<Elf64_Shdr>(image, header.e_shoff, header.e_shnum);
  if (!segments || !sections) return {};
  for (const Elf64_Phdr& segment : *segments) {
    if (!extend(segment.p_offset, segment.p_filesz)) return {};
  }
  for (const Elf64_Shdr& section : *sections) {
    if (takes_room(section) && !extend(section.sh_offset, section.sh_size)) return {};
  }
  return length;
}

std::optional<std::vector<Elf64_Phdr>> read_segments(const ImageBytes& image,
                                                     const Elf64_Ehdr& header) {
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > kMostSegments) return {};
  return read_table<Elf64_Phdr>(image, header.e_phoff, header.e_phnum);
}

}  // namespace greta::codeobject
