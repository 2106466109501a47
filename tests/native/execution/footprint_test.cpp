// What a launch accessed, read off its planes.
#include "device/footprint.h"

#include <thread>
#include <vector>

#include "check.h"
#include "device/address_map.h"

using namespace greta::sim;

namespace {

// An allocation that is known and not there: nothing of it is accessed.
class Known {
 public:
  explicit Known(uintptr_t base, size_t bytes) : allocation_(std::make_shared<Allocation>()) {
    allocation_->base = base;
    allocation_->bytes = bytes;
    address_map().insert(allocation_);
  }
  ~Known() { address_map().remove(*allocation_); }

 private:
  AllocationRef allocation_;
};

constexpr uintptr_t kBase = uintptr_t{1} << 40;

bool is(const greta_ranges& r, uint64_t begin, uint64_t bytes, uint64_t stride, uint64_t count) {
  return r.begin == begin && r.bytes == bytes && r.stride == stride && r.count == count;
}

}  // namespace

TEST(footprint_keeps_kinds_apart_and_joins_neighbours) {
  Known memory(kBase, 1 << 20);
  LaunchFootprint launch;
  for (uintptr_t i = 0; i < 4096; ++i) launch.note(AccessKind::read, kBase + 4092 + 4 * i, 4);
  launch.note(AccessKind::write, kBase + 1, 1);
  launch.note(AccessKind::atomic, kBase + (1 << 20) - 8, 8);
  const Footprint footprint = launch.take();
  CHECK(footprint[0].ranges.size() == 1 && is(footprint[0].ranges[0], kBase + 4092, 16384, 0, 1));
  CHECK(footprint[1].ranges.size() == 1 && is(footprint[1].ranges[0], kBase + 1, 1, 0, 1));
  CHECK(footprint[2].ranges.size() == 1 &&
        is(footprint[2].ranges[0], kBase + (1 << 20) - 8, 8, 0, 1));
  CHECK(!footprint[0].cut && !footprint[1].cut && !footprint[2].cut);
}

TEST(footprint_folds_equal_distances) {
  Known memory(kBase, 1 << 20);
  LaunchFootprint launch;
  for (uintptr_t i = 0; i < 100; ++i) launch.note(AccessKind::write, kBase + 1000 * i, 12);
  launch.note(AccessKind::write, kBase + 500000, 3);
  const Footprint footprint = launch.take();
  CHECK(footprint[1].ranges.size() == 2);
  CHECK(is(footprint[1].ranges[0], kBase, 12, 1000, 100));
  CHECK(is(footprint[1].ranges[1], kBase + 500000, 3, 0, 1));
}

TEST(footprint_is_marked_where_its_bound_was_hit) {
  Known memory(kBase, 1 << 20);
  LaunchFootprint launch;
  uintptr_t at = kBase;
  for (size_t i = 0; i < 6000; ++i, at += 40) launch.note(AccessKind::read, at, i % 3 + 1);
  launch.note(AccessKind::write, kBase, 4);
  const Footprint footprint = launch.take();
  CHECK(footprint[0].cut && footprint[0].ranges.size() == 4096);
  CHECK(!footprint[1].cut);
}

TEST(footprint_of_the_next_launch_begins_empty) {
  Known memory(kBase, 1 << 16);
  {
    LaunchFootprint first;
    first.note(AccessKind::read, kBase, 65536);
  }
  LaunchFootprint second;
  CHECK(second.window_at(kBase) != nullptr);
  CHECK(second.window_at(kBase + 65536) == nullptr);  // past the end
  const Footprint footprint = second.take();
  CHECK(footprint[0].ranges.empty());
}

TEST(footprint_loses_nothing_of_threads_that_note_at_once) {
  Known memory(kBase, 1 << 18);
  LaunchFootprint launch;
  const AccessWindow* window = launch.window_at(kBase);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([=] {
      for (uintptr_t i = t; i < 1 << 16; i += 4) {
        window->note(t % 2 == 0 ? AccessKind::read : AccessKind::write, kBase + 4 * i, 4);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Footprint footprint = launch.take();
  CHECK(is(footprint[0].ranges[0], kBase, 4, 8, 1 << 15));
  CHECK(is(footprint[1].ranges[0], kBase + 4, 4, 8, 1 << 15));
}

TEST(footprint_is_that_of_every_byte) {
  constexpr size_t kBytes = 3 * 4096 + 5;
  for (uintptr_t base : {kBase, kBase + 3}) {  // registered memory may begin anywhere
    Known memory(base, kBytes);
    LaunchFootprint launch;
    std::vector<bool> wanted(kBytes), got(kBytes);
    uint32_t random = 1;
    const auto next = [&](uint32_t most) {
      random = random * 1664525 + 1013904223;
      return (random >> 8) % most;
    };
    for (int i = 0; i < 300; ++i) {
      const size_t bytes = 1 + next(i % 3 == 0 ? 400 : 8), at = next(kBytes - bytes);
      launch.note(AccessKind::write, base + at, bytes);
      for (size_t k = 0; k < bytes; ++k) wanted[at + k] = true;
    }
    const auto taken = launch.take();
    for (const greta_ranges& r : taken[1].ranges) {
      for (uint64_t k = 0; k < r.count * r.bytes; ++k) {
        got[r.begin - base + k / r.bytes * r.stride + k % r.bytes] = true;
      }
    }
    CHECK(got == wanted);
  }
}

TEST(footprint_keeps_parts_of_a_word_by_several_threads) {
  Known memory(kBase, 1 << 16);
  LaunchFootprint launch;
  const AccessWindow* window = launch.window_at(kBase);
  std::vector<std::thread> threads;
  for (uintptr_t part = 0; part < 4; ++part) {
    threads.emplace_back([=] {
      for (uintptr_t at = part; at < 1 << 16; at += 4)
        window->note(AccessKind::write, kBase + at, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Footprint footprint = launch.take();
  CHECK(footprint[1].ranges.size() == 1 && is(footprint[1].ranges[0], kBase, 1 << 16, 0, 1));
}
