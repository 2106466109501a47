// A checksum in code objects, so that a damaged one is recognised before any of its code runs.
//
// The field e_flags of the ELF header has no meaning on x86-64. hipRTC stores there the CRC-32 of
// the file, computed with the field zero. Zero means: not sealed, and is not accepted.
#pragma once

#include <elf.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace greta::sim {

inline uint32_t crc32(const unsigned char* bytes, size_t size, uint32_t crc = 0) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> entries{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t entry = i;
      for (int bit = 0; bit < 8; ++bit) entry = entry >> 1 ^ (entry & 1 ? 0xedb88320u : 0);
      entries[i] = entry;
    }
    return entries;
  }();
  crc = ~crc;
  for (size_t i = 0; i < size; ++i) crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
  return ~crc;
}

// The seal of a file of at least sizeof(Elf64_Ehdr) bytes; never zero.
inline uint32_t compute_seal(const unsigned char* bytes, size_t size) {
  constexpr size_t kAt = offsetof(Elf64_Ehdr, e_flags);
  constexpr unsigned char kBlank[sizeof(Elf64_Ehdr::e_flags)] = {};
  uint32_t crc = crc32(bytes, kAt);
  crc = crc32(kBlank, sizeof kBlank, crc);
  crc = crc32(bytes + kAt + sizeof kBlank, size - kAt - sizeof kBlank, crc);
  return crc != 0 ? crc : 1;
}

// For the compiler: seals a finished code object, in place. `size` must be the length that the
// file's own headers imply, for that is all a loader knows.
inline void seal_code_object(unsigned char* bytes, size_t size) {
  const uint32_t seal = compute_seal(bytes, size);
  std::memcpy(bytes + offsetof(Elf64_Ehdr, e_flags), &seal, sizeof seal);
}

}  // namespace greta::sim
