// Reads an x86-64 relocatable object: its symbols, sections, and which symbol each place in a
// section refers to.
#pragma once

#include <elf.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace greta::hiprtc {

struct ObjectSymbol {
  std::string name;
  uint8_t type;      // STT_*
  uint8_t binding;   // STB_*
  uint16_t section;  // SHN_UNDEF when it is defined elsewhere
  uint64_t value;
  uint64_t size;
};

struct ObjectReference {
  uint64_t offset;  // in the section that refers
  uint32_t symbol;
  int64_t addend;
};

struct ObjectSection {
  std::string name;
  uint32_t type;
  std::string_view content;  // empty for zero-initialized sections
  std::vector<ObjectReference> references;
};

class ObjectFile {
 public:
  // Throws std::runtime_error when the bytes are not such an object.
  explicit ObjectFile(std::string bytes);

  const std::vector<ObjectSymbol>& symbols() const { return symbols_; }
  const std::vector<ObjectSection>& sections() const { return sections_; }

  // The name of the symbol that the 8 bytes at `offset` point to; "" if none.
  std::string target_name(const ObjectSection& section, uint64_t offset) const;

 private:
  void read_sections(const Elf64_Ehdr& header);
  void read_symbols(const Elf64_Shdr& table);
  void read_references(const Elf64_Shdr& table);
  std::string_view range(uint64_t offset, uint64_t size) const;
  std::string_view string_at(std::string_view table, uint32_t offset) const;

  std::string bytes_;
  std::vector<Elf64_Shdr> headers_;
  std::vector<ObjectSection> sections_;
  std::vector<ObjectSymbol> symbols_;
};

}  // namespace greta::hiprtc
