// From an instruction to its line in the source, by a code object's .debug_line (DWARF 2 to 5).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace greta::sim::gfx {

struct SourceLine {
  std::string file;  // as the compiler was given it; empty: not known
  uint32_t line = 0;
};

// `address` is one of the file, an ELF file that may be damaged.
SourceLine find_line(const std::vector<unsigned char>& file, uint64_t address);

}  // namespace greta::sim::gfx
