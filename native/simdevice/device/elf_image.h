// A shared object in memory, read with bounds: headers, segments, the dynamic table, symbols.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace greta::sim {

class ElfImage {
 public:
  // Takes the bytes and reads headers, segments and the dynamic table. False, with the reason, if
  // they are not those of an x86-64 shared object that lies within the bytes.
  bool parse(std::vector<unsigned char> bytes, std::string* reason);

  const std::vector<unsigned char>& bytes() const { return bytes_; }
  std::vector<unsigned char>& bytes() { return bytes_; }
  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }

  // The value of the last dynamic entry with this tag; false if there is none.
  bool find_dynamic(Elf64_Sxword tag, uint64_t* value) const;
  const std::vector<Elf64_Dyn>& dynamic() const { return dynamic_; }

  // The offset in the file of `size` bytes at a virtual address; false if they are not all there.
  bool find_offset(uint64_t address, uint64_t size, uint64_t* offset) const;
  // True if a loaded segment with all of `flags` (PF_R, PF_W, PF_X) covers these addresses.
  bool is_loaded(uint64_t address, uint64_t size, uint32_t flags) const;

  // A structure at an offset of the file; false if it is not within it.
  template <typename Structure>
  bool read(uint64_t offset, Structure* structure) const {
    if (offset > bytes_.size() || sizeof(Structure) > bytes_.size() - offset) return false;
    std::memcpy(structure, bytes_.data() + offset, sizeof(Structure));
    return true;
  }
  // The same, at a virtual address.
  template <typename Structure>
  bool read_at(uint64_t address, Structure* structure) const {
    uint64_t offset;
    return find_offset(address, sizeof(Structure), &offset) && read(offset, structure);
  }

  // The dynamic symbol table, once check_dynamic_linking (elf_check.h) has found it sound.
  struct SymbolTable {
    uint64_t symbols_offset = 0;  // in the file
    uint64_t strings_offset = 0;
    uint64_t strings_size = 0;
    uint32_t count = 0;
  };
  SymbolTable symbol_table;
  Elf64_Sym symbol(uint32_t index) const;
  std::string_view symbol_name(const Elf64_Sym& symbol) const;

  const Elf64_Phdr* find_segment(uint32_t type) const;

 private:
  bool parse_segments(std::string* reason);
  bool parse_dynamic(std::string* reason);

  std::vector<unsigned char> bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> dynamic_;
};

}  // namespace greta::sim
