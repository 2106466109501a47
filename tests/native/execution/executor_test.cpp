// Threads, barriers and waves of hand-written kernels.
#include "device/executor.h"

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "check.h"
#include "device/access_check.h"
#include "hand_kernel.h"
#include "inaccessible_page.h"

namespace greta::sim {
namespace {

constexpr Dim3 kOne{1, 1, 1};

Dim3 line(uint32_t x) { return {x, 1, 1}; }

// --- Without barriers ----------------------------------------------------------------------------

struct Fill {
  std::vector<uint32_t>* out;
};
void fill(HandThread& thread, Fill& arguments) {
  (*arguments.out)[thread.global()] = thread.global() + 1;
}

TEST(a_kernel_without_barriers_runs_every_thread) {
  std::vector<uint32_t> out(1000 * 256);
  Fill arguments{&out};
  CHECK(!(launch_by_hand<Fill, fill>(arguments, line(1000), line(256))));
  for (uint32_t i = 0; i < out.size(); ++i) CHECK_EQUAL(out[i], i + 1);
}

struct Cells {
  std::vector<std::atomic<int>>* visits;
};
void visit_cell(HandThread& thread, Cells& arguments) {
  const greta_simt_block& block = thread.block();
  const uint64_t block_number =
      block.block_index.x +
      uint64_t{block.grid_dim.x} * (block.block_index.y + block.grid_dim.y * block.block_index.z);
  const Dim3 at = thread.position();
  const uint64_t number = at.x + block.block_dim.x * (at.y + uint64_t{block.block_dim.y} * at.z);
  (*arguments.visits)[block_number * volume(block.block_dim) + number]++;
}

TEST(three_dimensional_grids_and_blocks) {
  const Dim3 grid{3, 5, 2}, block{4, 2, 8};
  std::vector<std::atomic<int>> visits(volume(grid) * volume(block));
  Cells arguments{&visits};
  CHECK(!(launch_by_hand<Cells, visit_cell>(arguments, grid, block)));
  for (const std::atomic<int>& count : visits) CHECK_EQUAL(count.load(), 1);
}

// --- Barriers ------------------------------------------------------------------------------------

struct Reduction {
  std::vector<uint64_t>* sums;  // one per block
};
thread_local uint64_t t_shared[1024];

void reduce(HandThread& thread, Reduction& arguments) {
  const uint32_t threads = thread.block().block_dim.x;
  t_shared[thread.index()] = thread.global();
  thread.sync();
  for (uint32_t width = threads; width > 1;) {
    const uint32_t half = (width + 1) / 2;
    if (thread.index() + half < width) t_shared[thread.index()] += t_shared[thread.index() + half];
    thread.sync();
    width = half;
  }
  if (thread.index() == 0) (*arguments.sums)[thread.block_x()] = t_shared[0];
}

uint64_t expected_sum(uint64_t block, uint64_t threads) {
  return block * threads * threads + threads * (threads - 1) / 2;
}

TEST(barrier_reduction_with_1_to_1024_threads) {
  for (uint32_t threads :
       {1, 2, 3, 31, 32, 33, 63, 64, 65, 100, 127, 128, 200, 256, 511, 512, 777, 1023, 1024}) {
    std::vector<uint64_t> sums(9);
    Reduction arguments{&sums};
    CHECK(!(launch_by_hand<Reduction, reduce>(arguments, line(9), line(threads))));
    for (uint64_t b = 0; b < sums.size(); ++b) CHECK_EQUAL(sums[b], expected_sum(b, threads));
  }
}

struct Exits {
  uint32_t stay_from;
  uint32_t stay_modulus;
  std::vector<uint32_t>* arrived;
};
void exit_early(HandThread& thread, Exits& arguments) {
  if (thread.index() < arguments.stay_from) return;
  if (thread.index() % arguments.stay_modulus != 0) return;
  thread.sync();
  (*arguments.arrived)[thread.index()] = thread.arrived();
  thread.sync();
}

TEST(threads_that_have_exited_do_not_count_at_a_barrier) {
  const uint32_t threads = 300;
  for (uint32_t from : {0u, 1u, 64u, 250u, 299u}) {
    for (uint32_t modulus : {1u, 2u, 7u}) {
      std::vector<uint32_t> arrived(threads);
      Exits arguments{from, modulus, &arrived};
      CHECK(!(launch_by_hand<Exits, exit_early>(arguments, kOne, line(threads))));
      uint32_t staying = 0;
      for (uint32_t i = from; i < threads; ++i) staying += i % modulus == 0;
      for (uint32_t i = 0; i < threads; ++i) {
        CHECK_EQUAL(arrived[i], i >= from && i % modulus == 0 ? staying : 0);
      }
    }
  }
}

struct Dwindle {
  std::vector<uint32_t>* last_arrived;
};
// Thread i leaves after i barriers.
void dwindle(HandThread& thread, Dwindle& arguments) {
  for (uint32_t round = 0; round < thread.index(); ++round) {
    thread.sync();
    (*arguments.last_arrived)[thread.index()] = thread.arrived();
  }
}

TEST(barriers_in_loops_that_threads_leave_one_by_one) {
  const uint32_t threads = 150;
  std::vector<uint32_t> last(threads);
  Dwindle arguments{&last};
  CHECK(!(launch_by_hand<Dwindle, dwindle>(arguments, kOne, line(threads))));
  for (uint32_t i = 1; i < threads; ++i) CHECK_EQUAL(last[i], threads - i);
}

struct Counts {
  std::vector<uint32_t>* counts;
};
void count_predicates(HandThread& thread, Counts& arguments) {
  const uint32_t thirds = thread.sync_count(thread.index() % 3 == 0);
  const uint32_t all = thread.sync_count(1);
  const uint32_t none = thread.sync_count(0);
  (*arguments.counts)[thread.index()] = thirds * 10000 + all * 10 + none;
}

TEST(barriers_count_predicates) {
  std::vector<uint32_t> counts(200);
  Counts arguments{&counts};
  CHECK(!(launch_by_hand<Counts, count_predicates>(arguments, kOne, line(200))));
  for (uint32_t count : counts) CHECK_EQUAL(count, 67u * 10000 + 200 * 10);
}

// A barrier whose turn comes only for some arguments: the same kernel with and without.
struct Sometimes {
  bool waits;
  std::atomic<int> ran{0};
};
void wait_sometimes(HandThread& thread, Sometimes& arguments) {
  if (arguments.waits && thread.index() > 10) thread.sync();
  arguments.ran++;
}

TEST(a_kernel_may_wait_in_one_launch_and_not_in_another) {
  for (bool waits : {false, true, false, true}) {
    Sometimes arguments{waits};
    CHECK(!(launch_by_hand<Sometimes, wait_sometimes>(arguments, line(20), line(64))));
    CHECK_EQUAL(arguments.ran.load(), 20 * 64);
  }
}

// --- Wave operations -----------------------------------------------------------------------------

struct Waves {
  std::vector<uint64_t>* out;
};

void shuffle_down(HandThread& thread, Waves& arguments) {
  uint64_t sum = thread.index();
  for (uint32_t offset = 32; offset > 0; offset /= 2) {
    const greta_simt_wave& wave = thread.exchange(0x100, sum);
    const uint32_t from = thread.lane() + offset;
    if (from < 64 && (wave.active >> from & 1)) sum += wave.value[from];
  }
  (*arguments.out)[thread.index()] = sum;
}

TEST(wave_shuffles_add_up) {
  std::vector<uint64_t> out(256);
  Waves arguments{&out};
  CHECK(!(launch_by_hand<Waves, shuffle_down>(arguments, kOne, line(256))));
  for (uint64_t wave = 0; wave < 4; ++wave) {
    CHECK_EQUAL(out[wave * 64], wave * 64 * 64 + 64 * 63 / 2);
  }
}

uint64_t ballot(HandThread& thread, uintptr_t site, bool predicate) {
  const greta_simt_wave& wave = thread.exchange(site, predicate);
  uint64_t votes = 0;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    if (wave.active >> lane & 1) votes |= (wave.value[lane] & 1) << lane;
  }
  return votes;
}

void ballot_in_branches(HandThread& thread, Waves& arguments) {
  uint64_t seen;
  if (thread.lane() % 2 == 0) {
    seen = ballot(thread, 0x10, true);
    if (thread.lane() % 4 == 0) seen ^= ballot(thread, 0x18, true);
  } else {
    seen = ballot(thread, 0x20, true);
  }
  const uint64_t together = ballot(thread, 0x30, true);
  if (together != ~uint64_t{0}) seen = 0;
  (*arguments.out)[thread.index()] = seen;
}

TEST(lanes_of_divergent_branches_meet_again) {
  std::vector<uint64_t> out(128);
  Waves arguments{&out};
  CHECK(!(launch_by_hand<Waves, ballot_in_branches>(arguments, kOne, line(128))));
  const uint64_t even = 0x5555555555555555, fourth = 0x1111111111111111;
  for (uint32_t i = 0; i < 128; ++i) {
    CHECK_EQUAL(out[i], i % 2 ? ~even : i % 4 ? even : even ^ fourth);
  }
}

void partial_wave(HandThread& thread, Waves& arguments) {
  if (thread.lane() == 5) return;
  (*arguments.out)[thread.index()] = thread.exchange(0x40, 0).active;
}

TEST(active_masks_of_partial_waves) {
  std::vector<uint64_t> out(70);
  Waves arguments{&out};
  CHECK(!(launch_by_hand<Waves, partial_wave>(arguments, kOne, line(70))));
  for (uint32_t i = 0; i < 70; ++i) {
    const uint64_t full = i < 64 ? ~uint64_t{0} : 0x3f;
    CHECK_EQUAL(out[i], i % 64 == 5 ? 0 : full & ~uint64_t{0x20});
  }
}

void loop_of_votes(HandThread& thread, Waves& arguments) {
  uint64_t rounds = 0;
  for (uint32_t i = 0; i <= thread.lane() % 8; ++i) {
    rounds += static_cast<uint64_t>(__builtin_popcountll(ballot(thread, 0x50, true)));
  }
  if (ballot(thread, 0x60, true) != ~uint64_t{0}) rounds = 0;
  (*arguments.out)[thread.index()] = rounds;
}

TEST(lanes_that_leave_a_loop_wait_for_the_others) {
  std::vector<uint64_t> out(64);
  Waves arguments{&out};
  CHECK(!(launch_by_hand<Waves, loop_of_votes>(arguments, kOne, line(64))));
  for (uint32_t i = 0; i < 64; ++i) {
    uint64_t expected = 0;
    for (uint32_t round = 0; round <= i % 8; ++round) expected += 8 * (8 - round);
    CHECK_EQUAL(out[i], expected);
  }
}

// Half of the wave is at the block barrier, the other half still votes among itself.
void votes_and_barriers(HandThread& thread, Waves& arguments) {
  uint64_t result = 0;
  for (int round = 0; round < 3; ++round) {
    if (thread.lane() < 32) result += ballot(thread, 0x70, true) == 0xffffffff;
    thread.sync();
    t_shared[thread.index()] = thread.index();
    thread.sync();
    result += t_shared[(thread.index() + 77) % 192] == (thread.index() + 77) % 192;
    thread.sync();
    t_shared[thread.index()] = 0;
  }
  (*arguments.out)[thread.index()] = result;
}

TEST(wave_operations_mix_with_barriers) {
  std::vector<uint64_t> out(192);
  Waves arguments{&out};
  CHECK(!(launch_by_hand<Waves, votes_and_barriers>(arguments, kOne, line(192))));
  for (uint32_t i = 0; i < 192; ++i) CHECK_EQUAL(out[i], i % 64 < 32 ? 6u : 3u);
}

// --- Faults --------------------------------------------------------------------------------------

struct Faulting {
  char* bad;
  uint32_t at_block;
  uint32_t at_thread;
  std::atomic<int> blocks_begun{0};
};

void fault_between_barriers(HandThread& thread, Faulting& arguments) {
  if (thread.index() == 0) arguments.blocks_begun++;
  thread.sync();
  if (thread.block_x() == arguments.at_block && thread.index() == arguments.at_thread) {
    *static_cast<volatile char*>(arguments.bad) = 1;
  }
  thread.sync();
}

TEST(a_fault_in_the_middle_of_a_block_names_its_thread) {
  InaccessiblePage page;
  for (int round = 0; round < repetitions(20); ++round) {
    Faulting arguments{page.address() + round, 3, 77};
    const FaultReport fault =
        launch_by_hand<Faulting, fault_between_barriers>(arguments, line(5), Dim3{32, 8, 1});
    CHECK(fault.kind == FaultKind::illegal_address);
    CHECK_EQUAL(fault.address, reinterpret_cast<uintptr_t>(page.address() + round));
    CHECK(fault.access == AccessKind::write);
    CHECK_EQUAL(fault.kernel, std::string("by_hand"));
    CHECK(fault.block_known && fault.thread_known);
    CHECK_EQUAL(fault.block.x, 3u);
    CHECK_EQUAL(fault.thread.x, 13u);
    CHECK_EQUAL(fault.thread.y, 2u);
    std::vector<uint64_t> sums(2);
    Reduction sound{&sums};
    CHECK(!(launch_by_hand<Reduction, reduce>(sound, line(2), line(256))));
    CHECK_EQUAL(sums[1], expected_sum(1, 256));
  }
}

void fault_in_loop(HandThread& thread, Faulting& arguments) {
  if (thread.index() == 0) arguments.blocks_begun++;
  if (thread.block_x() == arguments.at_block && thread.index() == arguments.at_thread) {
    *static_cast<volatile char*>(arguments.bad) = 1;
  }
}

TEST(a_fault_stops_the_other_blocks_soon) {
  InaccessiblePage page;
  Faulting arguments{page.address(), 10, 3};
  const FaultReport fault =
      launch_by_hand<Faulting, fault_in_loop>(arguments, line(1000000), line(4));
  CHECK(fault.kind == FaultKind::illegal_address);
  CHECK_EQUAL(fault.block.x, 10u);
  CHECK(!fault.thread_known);
  CHECK(arguments.blocks_begun < 1000000);
}

TEST(thousands_of_faults_leave_nothing_behind) {
  InaccessiblePage page;
  for (int i = 0; i < repetitions(2000); ++i) {
    Faulting arguments{page.address(), 0, 30};
    CHECK((launch_by_hand<Faulting, fault_between_barriers>(arguments, kOne, line(64))));
  }
}

struct Nothing {};

void trap_in_thread(HandThread& thread, Nothing&) {
  if (thread.index() == 9) thread.trap("assertion failed: x > 0");
}

TEST(traps_carry_their_message) {
  Nothing arguments;
  const FaultReport fault = launch_by_hand<Nothing, trap_in_thread>(arguments, kOne, Dim3{4, 4, 1});
  CHECK(fault.kind == FaultKind::trap);
  CHECK_EQUAL(fault.message, std::string("assertion failed: x > 0"));
  CHECK(fault.thread_known);
  CHECK_EQUAL(fault.thread.x, 1u);
  CHECK_EQUAL(fault.thread.y, 2u);
}

int recurse(int depth) {
  if (depth < 0) return 0;  // never: the stack ends first
  volatile char frame[256];
  frame[0] = static_cast<char>(depth);
  return recurse(depth + 1) + frame[0];
}
void overflow(HandThread& thread, Nothing&) {
  thread.sync();
  if (thread.index() == 40) recurse(0);
}

TEST(a_stack_overflow_of_one_thread_is_told) {
  Nothing arguments;
  const FaultReport fault = launch_by_hand<Nothing, overflow>(arguments, kOne, line(64));
  CHECK(fault.kind == FaultKind::stack_overflow);
  CHECK_EQUAL(fault.thread.x, 40u);
}

struct Division {
  volatile int divisor = 0;
  int quotients[64];
};
__attribute__((no_sanitize("undefined"))) void divide(HandThread& thread, Division& arguments) {
  thread.sync();
  arguments.quotients[thread.index()] = static_cast<int>(thread.index()) / arguments.divisor;
  thread.sync();
}

TEST(a_division_by_zero_does_not_end_a_kernel) {
  Division arguments;
  CHECK(!(launch_by_hand<Division, divide>(arguments, kOne, line(64))));
  for (int quotient : arguments.quotients) CHECK_EQUAL(quotient, -1);
}

void change_rounding(HandThread& thread, Waves& arguments) {
  unsigned control;
  asm volatile("stmxcsr %0" : "=m"(control));
  (*arguments.out)[thread.index()] = control & 0xffc0;
  control |= 0x8040;  // flush to zero
  asm volatile("ldmxcsr %0" : : "m"(control));
}

TEST(every_block_begins_with_the_default_floating_point_environment) {
  for (int round = 0; round < 3; ++round) {
    std::vector<uint64_t> out(1);
    Waves arguments{&out};
    CHECK(!(launch_by_hand<Waves, change_rounding>(arguments, kOne, kOne)));
    CHECK_EQUAL(out[0], 0x1f80u);
  }
  unsigned ours;
  asm volatile("stmxcsr %0" : "=m"(ours));
  CHECK_EQUAL(ours & 0xffc0, 0x1f80u);
}

// --- Cooperative launches ------------------------------------------------------------------------

struct Grid {
  std::vector<uint64_t>* cells;
  std::atomic<int> wrong{0};
  char* bad = nullptr;
};

void pass_around(HandThread& thread, Grid& arguments) {
  std::vector<uint64_t>& cells = *arguments.cells;
  const uint64_t size = cells.size();
  for (uint64_t round = 1; round <= 4; ++round) {
    cells[thread.global()] = thread.global() * round;
    t_shared[thread.index()] = thread.global();
    thread.grid_sync();
    const uint64_t other = (thread.global() + size / 2 + round) % size;
    if (cells[other] != other * round) arguments.wrong++;
    if (t_shared[thread.index()] != thread.global()) arguments.wrong++;
    thread.grid_sync();
  }
}

TEST(grid_barriers_of_cooperative_launches) {
  for (uint32_t blocks : {1, 2, 7, 21}) {
    std::vector<uint64_t> cells(blocks * 96);
    Grid arguments{&cells};
    const auto fault = launch_by_hand<Grid, pass_around>(arguments, line(blocks), line(96), true);
    CHECK(!fault);
    CHECK_EQUAL(arguments.wrong.load(), 0);
  }
}

void fault_while_others_wait(HandThread& thread, Grid& arguments) {
  thread.grid_sync();
  if (thread.global() == 65) *static_cast<volatile char*>(arguments.bad) = 1;
  thread.grid_sync();
}

TEST(a_fault_releases_blocks_that_wait_for_the_grid) {
  InaccessiblePage page;
  std::vector<uint64_t> cells;
  Grid arguments{&cells};
  arguments.bad = page.address();
  const FaultReport fault =
      launch_by_hand<Grid, fault_while_others_wait>(arguments, line(6), line(32), true);
  CHECK(fault.kind == FaultKind::illegal_address);
  CHECK_EQUAL(fault.block.x, 2u);
  CHECK_EQUAL(fault.thread.x, 1u);
}

void leave_the_grid(HandThread& thread, Grid&) {
  if (thread.block_x() != 1) thread.grid_sync();
}

TEST(a_grid_barrier_that_cannot_be_reached_is_a_deadlock) {
  std::vector<uint64_t> cells;
  Grid arguments{&cells};
  const FaultReport fault = launch_by_hand<Grid, leave_the_grid>(arguments, line(4), line(8), true);
  CHECK(fault.kind == FaultKind::trap);
  CHECK(fault.message.find("deadlock") != std::string::npos);
}

void split_barriers(HandThread& thread, Grid&) {
  if (thread.index() % 2) {
    thread.sync();
  } else {
    thread.grid_sync();
  }
}

TEST(threads_at_different_barriers_are_a_deadlock) {
  std::vector<uint64_t> cells;
  Grid arguments{&cells};
  const FaultReport fault = launch_by_hand<Grid, split_barriers>(arguments, kOne, line(8), true);
  CHECK(fault.kind == FaultKind::trap);
  CHECK(fault.message.find("deadlock") != std::string::npos);
}

TEST(a_grid_barrier_needs_a_cooperative_launch) {
  std::vector<uint64_t> cells(64);
  Grid arguments{&cells};
  CHECK((launch_by_hand<Grid, pass_around>(arguments, line(2), line(32))).kind == FaultKind::trap);
}

// --- Checked accesses ----------------------------------------------------------------------------

struct Checked {
  char* memory;
  uint64_t bytes;
  uint32_t at;
  bool write;
};
std::atomic<int> g_questions{0};
Checked g_allowed{};

bool may_access(int, uintptr_t address, size_t bytes, bool write, AccessibleRange* around) {
  ++g_questions;
  const auto begin = reinterpret_cast<uintptr_t>(g_allowed.memory);
  if (address < begin || address + bytes > begin + g_allowed.bytes) return false;
  if (write && !g_allowed.write) return false;
  *around = {begin, begin + g_allowed.bytes, g_allowed.write};
  return true;
}

void check_each(HandThread& thread, Checked& arguments) {
  int on_stack = 0;
  thread.check(&on_stack, sizeof on_stack, true);
  thread.check(&arguments, sizeof arguments, false);
  thread.check(arguments.memory + thread.global(), 1, false);
  if (thread.global() == arguments.at) {
    thread.check(arguments.memory + arguments.bytes - 1, 4, arguments.write);
  }
}

TEST(checked_accesses_are_asked_for_once_per_range) {
  std::vector<char> memory(640);
  g_allowed = {memory.data(), memory.size(), 0, true};
  set_access_checker(may_access);
  g_questions = 0;
  Checked sound{memory.data(), memory.size(), ~0u, false};
  CHECK(!(launch_by_hand<Checked, check_each>(sound, line(10), line(64))));
  CHECK(g_questions.load() >= 1 && g_questions.load() <= 16);  // once per worker thread
  set_access_checker(nullptr);
}

TEST(a_checked_access_past_the_end_is_a_memory_fault) {
  std::vector<char> memory(640);
  g_allowed = {memory.data(), memory.size(), 0, true};
  set_access_checker(may_access);
  Checked overrun{memory.data(), memory.size(), 70, true};
  const FaultReport fault = launch_by_hand<Checked, check_each>(overrun, line(10), line(64));
  set_access_checker(nullptr);
  CHECK(fault.kind == FaultKind::illegal_address);
  CHECK_EQUAL(fault.address, reinterpret_cast<uintptr_t>(memory.data() + 639));
  CHECK(fault.address_known && fault.access == AccessKind::write);
  CHECK_EQUAL(fault.block.x, 1u);
  CHECK_EQUAL(fault.thread.x, 6u);
}

TEST(memory_that_was_taken_away_is_noticed) {
  std::vector<char> memory(64);
  g_allowed = {memory.data(), memory.size(), 0, true};
  set_access_checker(may_access);
  Checked arguments{memory.data(), memory.size(), ~0u, false};
  CHECK(!(launch_by_hand<Checked, check_each>(arguments, kOne, line(64))));
  g_allowed.bytes = 32;
  forget_accessible_ranges();
  const FaultReport fault = launch_by_hand<Checked, check_each>(arguments, kOne, line(64));
  set_access_checker(nullptr);
  CHECK(fault.kind == FaultKind::illegal_address);
  CHECK_EQUAL(fault.thread.x, 32u);
}

// --- Several launches at once --------------------------------------------------------------------

TEST(launches_of_several_threads_run_side_by_side) {
  std::vector<std::thread> streams;
  std::atomic<int> wrong{0};
  for (int s = 0; s < 4; ++s) {
    streams.emplace_back([&wrong] {
      for (int round = 0; round < repetitions(20); ++round) {
        std::vector<uint64_t> sums(30);
        Reduction arguments{&sums};
        if (launch_by_hand<Reduction, reduce>(arguments, line(30), line(128))) wrong++;
        for (uint64_t b = 0; b < sums.size(); ++b) wrong += sums[b] != expected_sum(b, 128);
      }
    });
  }
  for (std::thread& stream : streams) stream.join();
  CHECK_EQUAL(wrong.load(), 0);
}

TEST(a_fault_in_one_launch_leaves_the_others_alone) {
  InaccessiblePage page;
  std::atomic<int> wrong{0};
  std::thread faulting([&] {
    for (int round = 0; round < repetitions(50); ++round) {
      Faulting arguments{page.address(), 2, 7};
      wrong += !launch_by_hand<Faulting, fault_between_barriers>(arguments, line(8), line(32));
    }
  });
  for (int round = 0; round < repetitions(50); ++round) {
    std::vector<uint64_t> sums(30);
    Reduction arguments{&sums};
    if (launch_by_hand<Reduction, reduce>(arguments, line(30), line(64))) wrong++;
    for (uint64_t b = 0; b < sums.size(); ++b) wrong += sums[b] != expected_sum(b, 64);
  }
  faulting.join();
  CHECK_EQUAL(wrong.load(), 0);
}

// --- printf --------------------------------------------------------------------------------------

void print_each(HandThread& thread, Nothing&) {
  thread.sync();
  if (thread.index() == 3) thread.print("%s", "");
  thread.sync();
}
void print_bad_text(HandThread& thread, Faulting& arguments) {
  thread.print("%s\n", arguments.bad);
}

TEST(a_bad_string_in_printf_is_a_fault_of_the_kernel) {
  InaccessiblePage page;
  Faulting arguments{page.address(), 0, 0};
  const FaultReport fault = launch_by_hand<Faulting, print_bad_text>(arguments, kOne, kOne);
  CHECK(fault.kind == FaultKind::illegal_address);
  Nothing nothing;
  CHECK(!(launch_by_hand<Nothing, print_each>(nothing, line(2), line(8))));
}

}  // namespace
}  // namespace greta::sim
