#include "gfx/race_check.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "isa/decoder.h"
#include "isa/opcode.h"
#include "isa/wave.h"

namespace greta::sim::gfx {
namespace {

constexpr size_t kMostRaces = 64;
constexpr size_t kMostPages = 1 << 14;  // 64 MiB of memory, and sixteen times as much of notes
constexpr size_t kMostOthers = 1 << 16;

// The registers that a lane stores there; none where both halves of a store have the same place.
std::optional<uint32_t> stored_row(const isa::WatchedAccess& access, std::string_view name,
                                   uint32_t lane) {
  const isa::Step& step = access.step;
  if (name.find("write2") == name.npos) return step.data;
  const isa::Instruction& instruction = step.instruction;
  if (instruction.offset0 == instruction.offset1) return std::nullopt;
  const uint32_t unit = access.bytes * (name.find("st64") == name.npos ? 1 : 64);
  const uint32_t first = access.wave.v[step.address][lane] + instruction.offset0 * unit;
  return access.offset[lane] == first ? step.data : step.data1;
}

// A plain store of what is there already: nobody can tell the two apart.
bool writes_the_same(const isa::WatchedAccess& access, uint32_t lane, uint64_t address) {
  const std::string_view name = isa::name_of(access.step.instruction.row->opcode);
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  // What a scalar store or one with a format writes is not what a vector register has.
  const bool plain = has("store") && !has("format") && name.substr(0, 2) != "s_";
  const bool shared = has("ds_write_b") || has("ds_write2");
  uint32_t words[4];
  if (access.kind != isa::AccessKind::write || !(plain || shared)) return false;
  if (access.bytes > sizeof words) return false;
  const std::optional<uint32_t> row = stored_row(access, name, lane);
  if (!row) return false;
  for (uint32_t i = 0; 4 * i < access.bytes; ++i) words[i] = access.wave.v[*row + i][lane];
  const uint32_t skipped = has("d16_hi") ? 2 : 0;
  return std::memcmp(reinterpret_cast<const char*>(words) + skipped,
                     reinterpret_cast<const void*>(address), access.bytes) == 0;
}

}  // namespace

RaceCheck::~RaceCheck() = default;

void RaceCheck::begin_block(uint64_t number) {
  auto block = std::make_unique<Block>();
  block->number = number;
  block->waves.resize(waves_);
  for (uint32_t i = 0; i < waves_; ++i) block->waves[i].own[i] = 1;
  block->lds.resize(lds_words_);
  const std::lock_guard<std::mutex> lock(mutex_);
  blocks_[number] = std::move(block);
}

void RaceCheck::end_block(uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  blocks_.erase(number);
}

RaceCheck::Block* RaceCheck::block_of(const isa::Wave& wave, uint32_t* index) {
  const auto found = blocks_.find(wave.number / waves_);
  *index = static_cast<uint32_t>(wave.number % waves_);
  return found == blocks_.end() ? nullptr : found->second.get();
}

void RaceCheck::join(Clock* to, const Clock& from) {
  for (uint32_t i = 0; i < kMostWaves; ++i) to->own[i] = std::max(to->own[i], from.own[i]);
  to->after_all = to->after_all || from.after_all;
  for (const auto& [wave, clock] : from.others) {
    uint32_t& known = to->others[wave];
    known = std::max(known, clock);
  }
}

// Threads that have left the kernel or went another way. Those of a wave that ended do not keep the
// hardware waiting, nor do lanes that are switched off: HIP all the same asks for every thread.
void RaceCheck::look_for_misses(const isa::Wave* const* waves, uint32_t count) {
  const isa::Wave* ended = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    if (waves[i]->state == isa::WaveState::ended) ended = waves[i];
  }
  for (uint32_t i = 0; i < count; ++i) {
    const isa::Wave& wave = *waves[i];
    if (wave.state != isa::WaveState::at_barrier || wave.next == 0) continue;
    if (wave.next > program_.steps.size() || wave.exec() == 0) continue;
    const isa::Step* const step = &program_.steps[wave.next - 1];
    const uint32_t threads = threads_ - i * isa::kLanes;
    const uint64_t all = threads >= isa::kLanes ? ~uint64_t{0} : (uint64_t{1} << threads) - 1;
    const uint64_t absent = all & ~wave.exec();
    if (absent == 0 && ended == nullptr) continue;
    if (misses_.size() >= kMostRaces || !known_misses_.insert(step).second) continue;
    const auto first = [](uint64_t lanes) { return static_cast<uint32_t>(__builtin_ctzll(lanes)); };
    RaceSide other{wave.number, absent != 0 ? first(absent) : 0, nullptr};
    if (absent == 0) other.wave = ended->number;
    misses_.push_back({{wave.number, first(wave.exec()), step}, other});
  }
}

void RaceCheck::forget_accesses() {
  const std::lock_guard<std::mutex> lock(mutex_);
  pages_.clear();
  released_.clear();
}

void RaceCheck::passed_barrier(const isa::Wave* const* waves, uint32_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  uint32_t index;
  Block* const block = block_of(*waves[0], &index);
  if (block == nullptr) return;
  look_for_misses(waves, count);
  for (uint32_t i = 0; i < waves_ && i < kMostWaves; ++i) settle(block, i);
  Clock all;
  for (const Clock& clock : block->waves) join(&all, clock);
  for (uint32_t i = 0; i < waves_; ++i) {
    block->waves[i] = all;
    ++block->waves[i].own[i];
  }
}

// A load or store that bypasses a cache is one that is atomic, or volatile. An atomic update that
// gives back nothing cannot order what follows.
void RaceCheck::watch(const isa::WatchedAccess& access, Looks looks) {
  const std::lock_guard<std::mutex> lock(mutex_);
  uint32_t index;
  Block* const block = block_of(access.wave, &index);
  if (block == nullptr || waves_ > kMostWaves) return;
  settle(block, index);
  const isa::Instruction& instruction = access.step.instruction;
  const bool update = access.kind == isa::AccessKind::atomic;
  const bool bypasses = !access.is_lds && !update && (instruction.sc0 || instruction.sc1);
  const bool returns = access.is_lds || instruction.sc0;
  const bool reads = access.kind == isa::AccessKind::read;
  for (uint64_t left = access.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    watch_lane({access, *block, index, lane, access.base + access.offset[lane], update || bypasses,
                update ? returns : bypasses && reads, update || (bypasses && !reads)},
               looks);
  }
}

RaceCheck::Cell* RaceCheck::cell_at(Block& block, uint64_t address, bool is_lds) {
  if (is_lds) return address / 4 < block.lds.size() ? &block.lds[address / 4] : nullptr;
  std::unique_ptr<Page>& page = pages_[address / 4096];
  if (page == nullptr && pages_.size() > kMostPages) {
    cut_ = true;
    return nullptr;
  }
  if (page == nullptr) page = std::make_unique<Page>();
  return &page->cells[address % 4096 / 4];
}

void RaceCheck::watch_lane(Lane lane, Looks looks) {
  const uint64_t host = lane.address;
  if (lane.access.is_lds) lane.address -= reinterpret_cast<uintptr_t>(lane.access.wave.lds);
  if (looks == Looks::all) check_words(lane, host);
  if (lane.acquires) acquire(lane, lane.address / 4);
  if (lane.releases) release(lane, lane.address / 4);
}

void RaceCheck::check_words(const Lane& lane, uint64_t host) {
  const isa::WatchedAccess& access = lane.access;
  Side now{};
  now.wave = access.wave.number;
  now.kind = static_cast<uint64_t>(
      lane.atomic && access.kind != isa::AccessKind::read ? isa::AccessKind::atomic : access.kind);
  now.clock = lane.block.waves[lane.wave].own[lane.wave];
  now.step = static_cast<uint32_t>(&access.step - program_.steps.data());
  const uint64_t end = lane.address + access.bytes;
  const bool same = writes_the_same(access, lane.lane, host);
  for (uint64_t at = lane.address / 4 * 4; at < end; at += 4) {
    now.mask = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      if (at + i >= lane.address && at + i < end) now.add(i, lane.lane);
    }
    Cell* const cell = cell_at(lane.block, at, access.is_lds);
    if (cell == nullptr) continue;
    if (same && cell->write.clock != 0 && (cell->write.mask & now.mask) != 0) {
      remember(&cell->write, now);
    } else {
      check_word(lane, at, cell, now);
    }
  }
}

bool RaceCheck::is_before(const Block& block, uint32_t wave, const Side& side) const {
  const Clock& clock = block.waves[wave];
  if (side.wave / waves_ == block.number) return clock.own[side.wave % waves_] >= side.clock;
  if (clock.after_all) return true;
  const auto known = clock.others.find(side.wave);
  return known != clock.others.end() && known->second >= side.clock;
}

bool RaceCheck::conflicts(const Lane& lane, const Side& before, const Side& now) const {
  if (before.clock == 0 || before.wave == now.wave || (before.mask & now.mask) == 0) return false;
  const bool was_atomic = before.kind == static_cast<uint64_t>(isa::AccessKind::atomic);
  if (was_atomic && lane.atomic) return false;
  return !is_before(lane.block, lane.wave, before);
}

// A value that was read is confirmed by the swap, or the loop goes around once more.
void RaceCheck::note_swap(const Lane& lane, const Cell& cell) {
  const std::string_view name = isa::name_of(lane.access.step.instruction.row->opcode);
  if (name.find("cmpswap") == name.npos && name.find("cmpst") == name.npos) return;
  for (const Side& read : cell.read) {
    if (read.step < program_.steps.size() && read.mask != 0 &&
        read.wave == lane.access.wave.number) {
      confirmed_loads_.insert(&program_.steps[read.step]);
    }
  }
}

void RaceCheck::check_word(const Lane& lane, uint64_t word, Cell* cell, const Side& now) {
  if (lane.access.kind == isa::AccessKind::atomic) note_swap(lane, *cell);
  for (const Side& before : {cell->write, cell->update}) {
    if (conflicts(lane, before, now)) keep(lane, word, before, now);
  }
  if (lane.access.kind == isa::AccessKind::read) {
    if (lane.atomic) return;  // it races with no atomic write, and a plain one was looked at
    Side& first = cell->read[0];
    const bool replaces =
        first.clock == 0 || first.wave == now.wave || is_before(lane.block, lane.wave, first);
    remember(&cell->read[replaces ? 0 : 1], now);
    return;
  }
  for (Side& read : cell->read) {
    if (conflicts(lane, read, now)) keep(lane, word, read, now);
    read.clock = 0;
  }
  remember(lane.atomic ? &cell->update : &cell->write, now);
}

// Lanes of one instruction may have a byte of the word each.
void RaceCheck::remember(Side* side, const Side& now) {
  const Side before = *side;
  *side = now;
  if (before.wave != now.wave || before.step != now.step || before.clock != now.clock) return;
  for (uint32_t i = 0; i < 4; ++i) {
    if ((before.mask >> i & 1) && !(now.mask >> i & 1)) side->add(i, before.lane_of(i));
  }
}

void RaceCheck::keep(const Lane& lane, uint64_t word, const Side& before, const Side& now) {
  if (races_.size() >= kMostRaces || !known_.insert(std::minmax(before.step, now.step)).second) {
    return;
  }
  const auto byte = static_cast<uint32_t>(__builtin_ctz(before.mask & now.mask));
  const auto side = [&](const Side& one) {
    return RaceSide{one.wave, one.lane_of(byte), &program_.steps[one.step],
                    static_cast<isa::AccessKind>(one.kind)};
  };
  races_.push_back({side(before), side(now), word + byte, lane.access.bytes, lane.access.is_lds});
}

std::vector<Race> RaceCheck::take_races() {
  const auto is_loop = [&](const RaceSide& load, const RaceSide& update) {
    return load.kind == isa::AccessKind::read && update.kind == isa::AccessKind::atomic &&
           confirmed_loads_.count(load.step) != 0;
  };
  const auto harmless = [&](const Race& race) {
    return is_loop(race.first, race.second) || is_loop(race.second, race.first);
  };
  races_.erase(std::remove_if(races_.begin(), races_.end(), harmless), races_.end());
  return std::move(races_);
}

void RaceCheck::acquire(const Lane& lane, uint64_t word) {
  Clock& clock = lane.block.waves[lane.wave];
  if (lane.access.is_lds) {
    const auto found = lane.block.released.find(word);
    if (found == lane.block.released.end()) return;
    for (uint32_t i = 0; i < kMostWaves; ++i)
      clock.own[i] = std::max(clock.own[i], found->second[i]);
    return;
  }
  std::vector<uint64_t>& acquired = lane.block.acquired[lane.wave];
  if (acquired.empty() || acquired.back() != word) acquired.push_back(word);
}

// An access is told before it is made, and blocks run side by side: what it saw is known to have
// been released only afterwards, when its wave is heard of again.
void RaceCheck::settle(Block* block, uint32_t wave) {
  for (const uint64_t word : block->acquired[wave]) learn(block, wave, word);
  block->acquired[wave].clear();
}

void RaceCheck::learn(Block* block, uint32_t wave, uint64_t word) {
  const auto found = released_.find(word);
  if (found == released_.end()) return;
  Clock& clock = block->waves[wave];
  if (found->second.size() > kMostOthers) clock.after_all = true;
  for (const auto& [other, value] : found->second) {
    const bool own = other / waves_ == block->number;
    uint32_t& known = own ? clock.own[other % waves_] : clock.others[other];
    known = std::max(known, value);
  }
}

void RaceCheck::release(const Lane& lane, uint64_t word) {
  Clock& clock = lane.block.waves[lane.wave];
  if (lane.access.is_lds) {
    auto& told = lane.block.released[word];
    for (uint32_t i = 0; i < kMostWaves; ++i) told[i] = std::max(told[i], clock.own[i]);
  } else {
    Others& told = released_[word];
    const auto tell = [&](uint64_t wave, uint32_t value) {
      if (value == 0 || told.size() > kMostOthers) return;
      uint32_t& known = told[wave];
      known = std::max(known, value);
    };
    for (uint32_t i = 0; i < waves_; ++i) tell(lane.block.number * waves_ + i, clock.own[i]);
    for (const auto& [wave, value] : clock.others) tell(wave, value);
  }
  ++clock.own[lane.wave];
}

}  // namespace greta::sim::gfx
