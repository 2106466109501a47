// Slots of garbage must be survived, and looked at as a slow reading would: run with
// GRETA_SANITIZE=address,undefined.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "check.h"
#include "reading/reading.h"

namespace {

using Random = std::mt19937_64;
using Numbers = std::vector<int64_t>;

constexpr int64_t none = -1;

// Small numbers half of the time, anything at all otherwise.
uint64_t some(Random& random) { return random() % 2 == 0 ? random() % 10 : random(); }

int64_t signed_some(Random& random) { return static_cast<int64_t>(some(random)); }

int64_t below(Random& random, int64_t limit) { return static_cast<int64_t>(random() % limit); }

greta_record some_slot(Random& random) {
  greta_record slot{};
  uint64_t kind = random() % 8;
  slot.call = kind == 0 ? 0 : kind == 1 ? GRETA_CALL_MORE : static_cast<uint32_t>(some(random));
  slot.more = static_cast<uint16_t>(some(random));
  slot.flags = static_cast<uint16_t>(random());
  slot.begin = some(random);
  slot.end = some(random);
  slot.result = static_cast<int32_t>(some(random));
  slot.kernel = static_cast<uint32_t>(some(random));
  return slot;
}

bool is_call(const greta_record& slot) { return slot.call != 0 && slot.call != GRETA_CALL_MORE; }

// Numbers that rise, by one as a rule; a lane has fewer than 2^62.
Numbers rising(Random& random, size_t count) {
  Numbers numbers;
  int64_t next = random() % 2 == 0 ? 0 : below(random, int64_t{1} << 61);
  for (size_t at = 0; at < count; ++at) {
    numbers.push_back(next);
    next += random() % 10 != 0 ? 1 : 1 + below(random, 1000);
  }
  return numbers;
}

Numbers some_ids(Random& random, size_t most) {
  std::set<int64_t> ids;
  for (size_t count = random() % most; count > 0; --count) ids.insert(signed_some(random));
  return Numbers(ids.begin(), ids.end());
}

// The calls, and no more, go into columns that have just room for them.
int64_t calls_of(const std::vector<greta_record>& slots, const Numbers& numbers,
                 const greta_slots_seen& seen) {
  auto calls = static_cast<size_t>(seen.calls);
  Numbers index(calls);
  std::vector<uint32_t> call(calls);
  std::vector<uint16_t> more(calls), flags(calls);
  std::vector<int32_t> result(calls);
  std::vector<uint64_t> begin(calls), end(calls);
  greta_scan columns{index.data(),  call.data(),  more.data(), flags.data(),
                     result.data(), begin.data(), end.data()};
  greta_reading_scan(slots.data(), numbers.data(), static_cast<int64_t>(slots.size()), &columns);
  size_t row = 0;
  for (size_t at = 0; at < slots.size(); ++at) {
    if (!is_call(slots[at])) continue;
    CHECK(index[row] == numbers[at] && call[row] == slots[at].call);
    CHECK(begin[row] == slots[at].begin && more[row] == slots[at].more);
    ++row;
  }
  return static_cast<int64_t>(row);
}

void operations_of(Random& random, const std::vector<greta_record>& slots) {
  size_t count = slots.size();
  Numbers seqs(count), threads(count), devices(count);
  for (Numbers* column : {&seqs, &threads, &devices}) {
    for (int64_t& value : *column) value = signed_some(random);
  }
  Numbers calls = some_ids(random, 12), kernels = some_ids(random, 4), places(count);
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), random);
  std::vector<greta_operation> operations(count);
  double speeds[] = {0.01, 0.4, 1.0, 100.0};  // what Python's clock allows
  greta_calls given{slots.data(),
                    places.data(),
                    seqs.data(),
                    threads.data(),
                    devices.data(),
                    {calls.data(), static_cast<int64_t>(calls.size())},
                    {kernels.data(), static_cast<int64_t>(kernels.size())},
                    some(random),
                    speeds[random() % 4],
                    4611686018427387904.0,
                    static_cast<int64_t>(count)};
  greta_reading_operations(&given, operations.data());
  for (size_t at = 0; at < count; ++at) {
    const greta_operation& row = operations[places[at]];
    CHECK(row.call >= none && row.call < given.calls.count);
    CHECK(row.call == none || calls[row.call] == slots[at].call);
    CHECK(row.kernel >= none && row.kernel < given.kernels.count);
    CHECK(row.stream == none && row.allocation == none);
  }
}

// Rows of any operation: all are sorted, or none is accepted.
bool accesses_of(Random& random, bool wild) {
  int64_t first = below(random, 1000), operations = below(random, 20), total = 0;
  std::vector<std::vector<greta_access>> rows(random() % 4);
  bool fits = true;
  for (auto& piece : rows) {
    for (size_t count = operations > 0 || wild ? random() % 20 : 0; count > 0; --count) {
      greta_access access{};
      bool outside = operations == 0 || (wild && random() % 20 == 0);
      access.operation =
          static_cast<int32_t>(outside ? signed_some(random) : first + below(random, operations));
      access.bytes = static_cast<uint64_t>(total++);
      fits = fits && access.operation >= first && access.operation < first + operations;
      piece.push_back(access);
    }
  }
  std::vector<greta_piece> pieces;
  for (auto& piece : rows) pieces.push_back({piece.data(), static_cast<int64_t>(piece.size())});
  std::vector<greta_access> sorted(total);
  Numbers starts(operations);
  int done = greta_reading_accesses(pieces.data(), static_cast<int64_t>(pieces.size()), first,
                                    operations, sorted.data(), starts.data());
  CHECK((done == 1) == fits);
  for (int64_t at = 0; done == 1 && at < total; ++at) {
    int64_t place = sorted[at].operation - first;
    CHECK(starts[place] <= at && (place + 1 == operations || at < starts[place + 1]));
    CHECK(at == starts[place] || sorted[at - 1].bytes < sorted[at].bytes);
  }
  return done == 1;
}

struct Begun {
  Numbers groups, starts, begins, hints;

  greta_begun view() {
    return {groups.data(), static_cast<int64_t>(groups.size()), starts.data(), begins.data(),
            hints.data()};
  }
};

Begun some_begun(Random& random) {
  Begun begun;
  begun.groups = some_ids(random, 8);
  for (size_t group = 0; group < begun.groups.size(); ++group) {
    begun.starts.push_back(static_cast<int64_t>(begun.begins.size()));
    Numbers begins;
    for (size_t count = 1 + random() % 6; count > 0; --count) begins.push_back(signed_some(random));
    std::sort(begins.begin(), begins.end());
    begun.begins.insert(begun.begins.end(), begins.begin(), begins.end());
  }
  begun.starts.push_back(static_cast<int64_t>(begun.begins.size()));
  begun.hints = begun.starts;
  return begun;
}

int64_t last_begun_slowly(const Begun& begun, int64_t group, int64_t when) {
  auto found = std::find(begun.groups.begin(), begun.groups.end(), group);
  if (found == begun.groups.end()) return none;
  size_t place = found - begun.groups.begin();
  int64_t last = none;
  for (int64_t at = begun.starts[place]; at < begun.starts[place + 1]; ++at) {
    if (begun.begins[at] <= when) last = at;
  }
  return last;
}

int64_t wanted_group(Random& random, const Begun& begun) {
  bool is_known = !begun.groups.empty() && random() % 4 != 0;
  return is_known ? begun.groups[random() % begun.groups.size()] : signed_some(random);
}

int64_t begun_of(Random& random) {
  Begun begun = some_begun(random);
  greta_begun view = begun.view();
  Numbers groups(30), whens(30), found(30);
  for (size_t at = 0; at < 30; ++at) {
    groups[at] = wanted_group(random, begun);
    whens[at] = signed_some(random);
  }
  if (random() % 2 == 0) std::sort(whens.begin(), whens.end());  // as calls come
  greta_reading_last_begun(&view, groups.data(), whens.data(), 30, found.data());
  int64_t hits = 0;
  for (size_t at = 0; at < 30; ++at) {
    CHECK_EQUAL(found[at], last_begun_slowly(begun, groups[at], whens[at]));
    hits += found[at] != none;
  }
  return hits;
}

// Any address at any call: what is found has begun, and is live if it says so.
int64_t lifetimes_of(Random& random) {
  std::vector<Begun> begun;
  std::vector<Numbers> of(1 + random() % 3);
  std::vector<greta_level> levels;
  Numbers firsts, lasts;
  for (auto& lifetimes : of) {
    begun.push_back(some_begun(random));
    for (int64_t begin : begun.back().begins) {
      lifetimes.push_back(static_cast<int64_t>(firsts.size()));
      firsts.push_back(begin);
      lasts.push_back(random() % 3 == 0 ? INT64_MAX : signed_some(random));
    }
  }
  for (size_t at = 0; at < of.size(); ++at) {
    levels.push_back({begun[at].view(), of[at].data(), below(random, 4)});
  }
  std::set<uint64_t> edges;
  for (size_t count = random() % 12; count > 0; --count) edges.insert(some(random));
  std::vector<uint64_t> borders(edges.begin(), edges.end()), addresses(30);
  Numbers seqs(30), found(30);
  std::vector<uint8_t> live(30);
  for (uint64_t& address : addresses) address = some(random);
  for (int64_t& seq : seqs) seq = signed_some(random);
  greta_lifetimes all{borders.data(),
                      static_cast<int64_t>(borders.size()),
                      levels.data(),
                      static_cast<int64_t>(levels.size()),
                      firsts.data(),
                      lasts.data(),
                      8};
  greta_reading_find(&all, addresses.data(), seqs.data(), 30, found.data(), live.data());
  int64_t hits = 0;
  for (size_t at = 0; at < 30; ++at) {
    if (found[at] == none) continue;
    ++hits;
    CHECK(found[at] >= 0 && found[at] < static_cast<int64_t>(firsts.size()));
    CHECK(firsts[found[at]] <= seqs[at]);
    CHECK((lasts[found[at]] >= seqs[at]) == (live[at] != 0));
  }
  return hits;
}

}  // namespace

TEST(slots_of_garbage_are_survived) {
  Random random(1);
  int64_t calls = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<greta_record> slots(random() % 60);
    for (greta_record& slot : slots) slot = some_slot(random);
    Numbers numbers = rising(random, slots.size());
    greta_slots_seen seen{};
    auto count = static_cast<int64_t>(slots.size());
    int64_t last = numbers.empty() || random() % 2 == 0 ? none : numbers[0] - 1;
    greta_reading_look(slots.data(), numbers.data(), count, last, below(random, 1 << 16), &seen);
    CHECK(seen.filled <= count && seen.last < seen.filled);
    CHECK_EQUAL(calls_of(slots, numbers, seen), seen.calls);
    operations_of(random, slots);
    calls += seen.calls;
  }
  CHECK(calls > 10000);
}

TEST(accesses_of_other_operations_are_refused) {
  Random random(2);
  int sorted = 0;
  for (int round = 0; round < 3000; ++round) sorted += accesses_of(random, round % 2 == 0);
  CHECK(sorted > 1000);
  CHECK(sorted < 3000);
}

TEST(lifetimes_of_garbage_are_survived) {
  Random random(3);
  int64_t begun = 0, found = 0;
  for (int round = 0; round < 3000; ++round) {
    begun += begun_of(random);
    found += lifetimes_of(random);
  }
  CHECK(begun > 1000);
  CHECK(found > 1000);  // it is not all thrown out at the door
}

// Whoever says the same has the same number, and nobody else.
TEST(calls_that_say_the_same_are_put_together) {
  Random random(4);
  int64_t kinds_seen = 0, calls_seen = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<greta_record> calls(random() % 40);
    std::vector<greta_more> parts;
    Numbers owners;
    for (greta_record& call : calls) {
      call.begin = random();
      call.kernel = static_cast<uint32_t>(random() % 2);
      call.words[random() % GRETA_RECORD_WORDS] = random() % 2;
      for (uint64_t count = random() % 3; count > 0; --count) {
        greta_more part{};
        part.bytes[random() % GRETA_MORE_BYTES] = static_cast<uint8_t>(random() % 2);
        parts.push_back(part);
        owners.push_back(&call - calls.data());
      }
    }
    auto count = static_cast<int64_t>(calls.size());
    Numbers begins(count), ends(count), slots(128), kinds(count), firsts(count);
    greta_said said{
        calls.data(),  count,       parts.data(), owners.data(), static_cast<int64_t>(parts.size()),
        begins.data(), ends.data(), slots.data(), 128,           round % 2 == 0 ? 1 : random()};
    int64_t found = greta_reading_alike(&said, kinds.data(), firsts.data());
    auto text = [&](int64_t call) {
      std::string bytes(reinterpret_cast<const char*>(&calls[call].kernel), 4);
      bytes.append(reinterpret_cast<const char*>(calls[call].words), sizeof calls[call].words);
      for (size_t part = 0; part < parts.size(); ++part) {
        if (owners[part] == call) bytes.append(reinterpret_cast<const char*>(&parts[part]), 128);
      }
      return bytes;
    };
    for (int64_t call = 0; call < count; ++call) {
      CHECK(kinds[call] >= 0 && kinds[call] < found && firsts[kinds[call]] <= call);
      for (int64_t other = 0; other < call; ++other) {
        CHECK_EQUAL(kinds[call] == kinds[other], text(call) == text(other));
      }
    }
    kinds_seen += found;
    calls_seen += count;
  }
  CHECK(kinds_seen > 500);
  CHECK(kinds_seen < calls_seen);
}

// Bytes of a file stay what they are, whoever lets go of them.
TEST(a_mapped_file_is_let_go_of_and_kept) {
  std::FILE* file = std::tmpfile();
  constexpr int64_t size = 1 << 20;
  CHECK(ftruncate(fileno(file), size) == 0);
  auto* bytes = static_cast<char*>(greta_reading_map(fileno(file), size, 0));
  CHECK(bytes != nullptr);
  for (int64_t at = 0; at < size; at += 4096) bytes[at] = static_cast<char>(at >> 12);
  greta_reading_let_go();
  for (int64_t at = 0; at < size; at += 4096) CHECK(bytes[at] == static_cast<char>(at >> 12));
  greta_reading_unmap(bytes, size);
  CHECK(greta_reading_map(-1, size, 0) == nullptr);
  std::fclose(file);
}

// Whatever is wanted of a lane: each slot goes to its place, and a file that ends early is told.
TEST(slots_go_from_a_file_to_their_places) {
  Random random(6);
  constexpr int64_t in_file = 5000;
  std::vector<greta_record> lane(in_file);
  for (int64_t at = 0; at < in_file; ++at) lane[at].begin = static_cast<uint64_t>(at);
  std::FILE* file = std::tmpfile();
  auto bytes = static_cast<ssize_t>(lane.size() * sizeof(greta_record));
  CHECK(pwrite(fileno(file), lane.data(), static_cast<size_t>(bytes), GRETA_PAGE_BYTES) == bytes);
  int64_t ended_early = 0;
  for (int round = 0; round < 300; ++round) {
    Numbers numbers, following, behind, places(random() % 200);
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), random);
    auto count = static_cast<int64_t>(places.size());
    int64_t next = below(random, 4900), total = count, whole = 0;
    for (int64_t call = 0; call < count; ++call) {
      numbers.push_back(next);
      following.push_back(random() % 4 == 0 ? below(random, round % 10 == 0 ? 2000 : 6) : 0);
      behind.push_back(total);
      total += following.back();
      next += following.back() + 1 + (random() % 8 == 0 ? below(random, 100) : 0);
      whole += numbers.back() + following.back() < in_file;
    }
    std::vector<greta_record> slots(static_cast<size_t>(total));
    greta_gathered wanted{numbers.data(), following.data(), places.data(), behind.data(),
                          count,          slots.data()};
    CHECK_EQUAL(greta_reading_gather(fileno(file), &wanted), whole);
    CHECK(count == 0 || greta_reading_gather(-1, &wanted) < 0);
    for (int64_t call = 0; call < whole; ++call) {
      auto number = static_cast<uint64_t>(numbers[call]);
      CHECK(slots[places[call]].begin == number);
      for (int64_t more = 1; more <= following[call]; ++more) {
        CHECK(slots[behind[call] + more - 1].begin == number + static_cast<uint64_t>(more));
      }
    }
    ended_early += whole < count;
  }
  CHECK(ended_early > 10 && ended_early < 290);
  std::fclose(file);
}
