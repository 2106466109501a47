// 128 bits made of everything that tells one place in a program from another. Two different ones
// would have to agree in all of them to be taken for one another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace greta::recorder {

struct SiteKey {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const SiteKey& other) const { return low == other.low && high == other.high; }
};

struct SiteKeyHash {
  size_t operator()(const SiteKey& key) const { return key.low; }
};

// The high half of the product folded onto the low half: every bit of both reaches every other.
inline uint64_t fold(uint64_t a, uint64_t b) {
  auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline void mix(SiteKey* key, uint64_t a, uint64_t b, uint64_t c) {
  key->low = fold(key->low ^ a ^ 0xa0761d6478bd642full, b ^ c ^ 0xe7037ed1a0b428dbull);
  key->high = fold(key->high ^ b ^ 0x8ebc6af09c88c6e3ull, (a + c) ^ 0x589965cc75374cc3ull);
}

}  // namespace greta::recorder
