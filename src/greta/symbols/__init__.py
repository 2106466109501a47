"""From an address, a kernel or a frame to words: ELF, DWARF, demangling, lines of Python."""
