#include "order/alike.h"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "order/trace_words.h"

namespace greta::order {

namespace {

constexpr uint8_t flag_counts = 1;
constexpr uint8_t flag_freed = 2;
constexpr uint8_t flag_block_ended = 4;
constexpr uint8_t flag_meets = 8;

// All of a row but which operation it is of, and which call named it: those are never the same.
constexpr size_t alike_from = offsetof(greta_access, address);
constexpr size_t alike_words = (sizeof(greta_access) - alike_from) / sizeof(uint64_t);
static_assert(sizeof(greta_access) % sizeof(uint64_t) == 0 && alike_from % sizeof(uint64_t) == 0);
static_assert(std::has_unique_object_representations_v<greta_access>, "padding would differ");

uint64_t word_at(const greta_access& access, size_t at) {
  uint64_t word;
  std::memcpy(&word, reinterpret_cast<const char*>(&access) + alike_from + at * sizeof word,
              sizeof word);
  return word;
}

// Where the tables lie is not known to whoever wrote a recording: nobody can prepare one in which
// all accesses have the same hash, and every search passes all others. Equal hashes alone make no
// accesses alike.
uint64_t secret_of(const void* place) {
  return (reinterpret_cast<uintptr_t>(place) | 1) * 0x9E3779B97F4A7C15u;
}

uint64_t mixed(uint64_t hash, uint64_t word, uint64_t secret) {
  const auto product = static_cast<unsigned __int128>(hash ^ secret) * (word ^ ~secret);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The columns that AccessBlock.of_operation offers (greta.forensics.scan).
uint64_t first_word(const greta_operation& one) {
  return one.kind | (uint64_t{one.waits} << 8) | (uint64_t{one.failed} << 16) |
         (uint64_t{one.captured} << 24) | (uint64_t{static_cast<uint32_t>(one.result)} << 32);
}

uint64_t second_word(const greta_operation& one) {
  return static_cast<uint32_t>(one.thread) | (uint64_t{static_cast<uint32_t>(one.call)} << 32);
}

// One access of each kind, by what makes it alike to others.
class KindTable {
 public:
  struct Key {
    const greta_access* access;
    uint64_t circumstances[3];  // of the access, beside its row
  };

  // The number of the kind; `next` if it is a new one.
  uint32_t find_or_add(const Key& key, uint32_t next) {
    if (2 * size_t{next} >= slots_.size()) grow();
    Slot wanted{hash_of(key), key, next};
    Slot& slot = place_of(wanted);
    if (slot.key.access == nullptr) slot = wanted;
    return slot.kind;
  }

 private:
  struct Slot {
    uint64_t hash;
    Key key;  // without an access: a free slot
    uint32_t kind;
  };

  uint64_t hash_of(const Key& key) const {
    uint64_t hash = secret_;
    for (uint64_t word : key.circumstances) hash = mixed(hash, word, secret_);
    for (size_t at = 0; at < alike_words; ++at) {
      hash = mixed(hash, word_at(*key.access, at), secret_);
    }
    return hash;
  }

  static bool is_same(const Slot& one, const Slot& other) {
    return one.hash == other.hash &&
           std::memcmp(one.key.circumstances, other.key.circumstances,
                       sizeof one.key.circumstances) == 0 &&
           std::memcmp(reinterpret_cast<const char*>(one.key.access) + alike_from,
                       reinterpret_cast<const char*>(other.key.access) + alike_from,
                       alike_words * sizeof(uint64_t)) == 0;
  }

  Slot& place_of(const Slot& wanted) {
    size_t mask = slots_.size() - 1, at = wanted.hash & mask;
    while (slots_[at].key.access != nullptr && !is_same(slots_[at], wanted)) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> smaller(4 * slots_.size());
    smaller.swap(slots_);
    for (const Slot& slot : smaller) {
      if (slot.key.access != nullptr) place_of(slot) = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1 << 12);  // a power of two
  uint64_t secret_ = secret_of(slots_.data());
};

}  // namespace

bool Alike::meet(int64_t row, int64_t other) const {
  const greta_access &one = tables_.accesses[row], &two = tables_.accesses[other];
  return one.address < two.address + two.bytes && two.address < one.address + one.bytes;
}

uint8_t Alike::flags_of(int64_t row, bool meets) const {
  const greta_access& access = tables_.accesses[row];
  int64_t operation = access.operation;
  uint8_t flags = operation <= last_ ? flag_counts : 0;
  const greta_allocation* allocation = allocation_at(tables_, access.allocation);
  if (allocation != nullptr && allocation->freed_at >= 0 && operation > allocation->freed_at) {
    flags |= flag_freed;
  }
  if (access.block > 0 && access.block <= static_cast<uint64_t>(tables_.block_count)) {
    int64_t freed_at = tables_.blocks[access.block - 1].freed_at;
    if (freed_at >= 0 && operation > freed_at) flags |= flag_block_ended;
  }
  return meets ? flags | flag_meets : flags;
}

int64_t Alike::sort(int64_t first, int64_t count, uint32_t* kinds, int64_t* firsts,
                    uint8_t* meets) {
  KindTable table;
  uint32_t found = 0;
  int64_t stop = first + count;
  bool met = true;  // what lies beside the first and the last one is not looked at
  for (int64_t row = first; row < stop; ++row) {
    pass_row(tables_, row);
    const greta_access& access = tables_.accesses[row];
    bool meets_next = row + 1 == stop || meet(row, row + 1), meets_one = met || meets_next;
    met = meets_next;
    uint32_t kind = found;
    if (access.operation >= 0 && access.operation < tables_.operation_count) {
      const greta_operation& operation = tables_.operations[access.operation];
      kind = table.find_or_add(
          {&access, {first_word(operation), second_word(operation), flags_of(row, meets_one)}},
          found);
    }  // else it is damage, and alike to none
    kinds[row - first] = kind;
    if (kind == found) {
      firsts[found] = row;
      meets[found] = meets_one;
      ++found;
    }
  }
  return found;
}

}  // namespace greta::order
