// Finds races between the threads of a launch: two accesses of the same bytes, at least one of them
// a write, not both atomic, with nothing that orders them.
//
// What orders: the threads of a wave run together; a barrier orders the waves of a block; an atomic
// access orders what came before it with what follows a later atomic access of the same bytes that
// sees its result. (Each atomic counts as if it had fences around it: some races are not found.)
// A plain load before a compare-and-swap of the same word is no race with atomic updates.
// Every wave has a vector clock; every word of shared and global memory
// remembers its last write, its last atomic update and two reads of different waves.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/memory.h"
#include "isa/program.h"
#include "isa/wave.h"

namespace greta::sim::gfx {

// One side of a race.
struct RaceSide {
  uint64_t wave = 0;  // counted through all blocks of the launch
  uint32_t lane = 0;
  const isa::Step* step = nullptr;
  isa::AccessKind kind = isa::AccessKind::read;
};

struct Race {
  RaceSide first, second;  // in the order in which they were made here
  uint64_t address = 0;    // of a byte of both; of the host, or within the block's shared memory
  uint32_t bytes = 0;      // of the second access
  bool is_lds = false;
};

// A barrier that not all waves of a block reach: one that waited there, and one that did not.
struct BarrierMiss {
  RaceSide waiting, other;  // `other` has no step: it has ended
};

class RaceCheck {
 public:
  RaceCheck(const isa::Program& program, uint32_t threads_in_block, uint32_t lds_bytes)
      : program_(program),
        threads_(threads_in_block),
        waves_((threads_in_block + isa::kLanes - 1) / isa::kLanes),
        lds_words_(lds_bytes / 4 + 1) {}
  ~RaceCheck();

  void begin_block(uint64_t block);
  void end_block(uint64_t block);
  // What of an access counts: of memory with a protocol of its own only what it orders.
  enum class Looks { all, only_order };
  void watch(const isa::WatchedAccess& access, Looks looks = Looks::all);
  // All of them are before what follows.
  void forget_accesses();
  void passed_barrier(const isa::Wave* const* waves, uint32_t count);

  // Each pair of instructions once.
  std::vector<Race> take_races();
  // Waves that were at a barrier while others of their block had ended or were at another one.
  std::vector<BarrierMiss> take_misses() { return std::move(misses_); }
  bool is_cut() const { return cut_; }  // not all memory could be followed

 private:
  static constexpr uint32_t kMostWaves = 16;

  // Accesses of a word's bytes by one instruction, packed: a launch makes many.
  struct Side {
    uint64_t wave : 34, lanes : 24, mask : 4, kind : 2;  // six bits for the lane of each byte
    uint32_t clock;                                      // 0: none
    uint32_t step;

    uint32_t lane_of(uint32_t byte) const { return static_cast<uint32_t>(lanes >> 6 * byte) & 63; }
    void add(uint32_t byte, uint32_t lane) {
      lanes = (lanes & ~(uint64_t{63} << 6 * byte)) | static_cast<uint64_t>(lane) << 6 * byte;
      mask |= 1u << byte;
    }
  };
  struct Cell {
    Side write, update, read[2];
  };
  using Others = std::unordered_map<uint64_t, uint32_t>;  // clocks of waves of other blocks
  struct Clock {
    std::array<uint32_t, kMostWaves> own{};  // of the waves of its block
    Others others;
    bool after_all = false;  // too many to remember
  };
  struct Block {
    uint64_t number = 0;
    std::vector<Clock> waves;
    std::vector<Cell> lds;
    std::unordered_map<uint64_t, std::array<uint32_t, kMostWaves>> released;  // by LDS word
    std::array<std::vector<uint64_t>, kMostWaves> acquired;  // words of global memory, by wave
  };
  struct Page {
    std::array<Cell, 1024> cells;
  };
  struct Lane {
    const isa::WatchedAccess& access;
    Block& block;
    uint32_t wave, lane;
    uint64_t address;
    bool atomic, acquires, releases;
  };

  void look_for_misses(const isa::Wave* const* waves, uint32_t count);
  void note_swap(const Lane& lane, const Cell& cell);
  Block* block_of(const isa::Wave& wave, uint32_t* index);
  void watch_lane(Lane lane, Looks looks);
  void check_words(const Lane& lane, uint64_t host);
  Cell* cell_at(Block& block, uint64_t address, bool is_lds);
  void check_word(const Lane& lane, uint64_t word, Cell* cell, const Side& now);
  bool conflicts(const Lane& lane, const Side& before, const Side& now) const;
  bool is_before(const Block& block, uint32_t wave, const Side& side) const;
  void keep(const Lane& lane, uint64_t word, const Side& before, const Side& now);
  static void remember(Side* side, const Side& now);
  void acquire(const Lane& lane, uint64_t word);
  void settle(Block* block, uint32_t wave);
  void learn(Block* block, uint32_t wave, uint64_t word);
  void release(const Lane& lane, uint64_t word);
  static void join(Clock* to, const Clock& from);

  const isa::Program& program_;
  const uint32_t threads_, waves_;
  const size_t lds_words_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::unique_ptr<Block>> blocks_;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  std::unordered_map<uint64_t, Others> released_;  // by word of global memory
  std::set<std::pair<uint32_t, uint32_t>> known_;
  std::vector<Race> races_;
  // Loads whose result the same wave compares with the word and swaps: an old value does no harm.
  std::set<const isa::Step*> confirmed_loads_;
  std::set<const isa::Step*> known_misses_;
  std::vector<BarrierMiss> misses_;
  bool cut_ = false;
};

}  // namespace greta::sim::gfx
