// Calls that say the same.
#include <cstring>

#include "reading/exported.h"
#include "reading/reading.h"

namespace {

constexpr int64_t none = -1;

uint64_t mixed(uint64_t hash, uint64_t word, uint64_t secret) {
  const auto product = static_cast<unsigned __int128>(hash ^ secret) * (word ^ ~secret);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

class Calls {
 public:
  explicit Calls(const greta_said& said) : said_(said) {
    for (int64_t call = 0; call < said.count; ++call) said.begins[call] = said.ends[call] = 0;
    for (int64_t part = 0; part < said.part_count; ++part) {
      int64_t call = said.owners[part];
      if (said.ends[call] == 0) said.begins[call] = part;
      said.ends[call] = part + 1;
    }
  }

  // Whoever wrote a recording does not know the secret: nobody can prepare one in which all calls
  // have the same hash. Equal hashes alone make no calls alike.
  uint64_t hash(int64_t call) const {
    const greta_record& record = said_.records[call];
    uint64_t found = mixed(0, record.kernel, said_.secret);
    for (uint64_t word : record.words) found = mixed(found, word, said_.secret);
    for (int64_t part = said_.begins[call]; part < said_.ends[call]; ++part) {
      uint64_t words[sizeof(greta_more) / sizeof(uint64_t)];
      std::memcpy(words, said_.parts + part, sizeof words);
      for (uint64_t word : words) found = mixed(found, word, said_.secret);
    }
    return found;
  }

  bool same(int64_t one, int64_t two) const {
    const greta_record &first = said_.records[one], &second = said_.records[two];
    int64_t parts = said_.ends[one] - said_.begins[one];
    return first.kernel == second.kernel && parts == said_.ends[two] - said_.begins[two] &&
           std::memcmp(first.words, second.words, sizeof first.words) == 0 &&
           std::memcmp(said_.parts + said_.begins[one], said_.parts + said_.begins[two],
                       static_cast<size_t>(parts) * sizeof(greta_more)) == 0;
  }

 private:
  const greta_said& said_;
};

}  // namespace

GRETA_EXPORTED int64_t greta_reading_alike(const greta_said* said, int64_t* kinds,
                                           int64_t* firsts) {
  Calls calls(*said);
  for (int64_t slot = 0; slot < said->slot_count; ++slot) said->slots[slot] = none;
  int64_t found = 0;
  for (int64_t call = 0; call < said->count; ++call) {
    auto mask = static_cast<uint64_t>(said->slot_count - 1);
    uint64_t slot = calls.hash(call) & mask;
    while (said->slots[slot] != none && !calls.same(firsts[said->slots[slot]], call)) {
      slot = (slot + 1) & mask;
    }
    if (said->slots[slot] == none) {
      firsts[found] = call;
      said->slots[slot] = found++;
    }
    kinds[call] = said->slots[slot];
  }
  return found;
}
