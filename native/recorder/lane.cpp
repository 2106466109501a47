#include "recorder/lane.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "recorder/clock.h"
#include "recorder/mapped_file.h"
#include "recorder/process_recording.h"
#include "recorder/segment_ahead.h"

namespace greta::recorder {

__attribute__((tls_model("initial-exec"))) thread_local ThreadState t_state{};

namespace {

// A thread that makes few calls should not cost megabytes, one that makes many not a system call
// every few thousand.
constexpr uint64_t kFirstSegment = 60 * 1024;
constexpr uint64_t kLargestSegment = 4 << 20;

// Heap memory, so that the state a hook looks at stays small and plain.
__attribute__((tls_model("initial-exec"))) thread_local SegmentAheadRef* t_ahead = nullptr;

uint64_t to_pages(uint64_t bytes) {
  return (bytes + GRETA_PAGE_BYTES - 1) / GRETA_PAGE_BYTES * GRETA_PAGE_BYTES;
}

struct LanePath {
  char text[kMostPath + 32];
  explicit LanePath(uint32_t number) {
    std::snprintf(text, sizeof text, "%s/lane.%u", recording().folder(), number);
  }
};

void drop_segment_ahead() {
  const std::unique_ptr<SegmentAheadRef> ahead(std::exchange(t_ahead, nullptr));
  if (ahead != nullptr && *ahead != nullptr) unmap((*ahead)->take(), (*ahead)->bytes());
}

// Runs when a thread ends: gives the file its true length and the memory back. A destructor that
// runs later and calls HIP opens another lane.
void close_lane(void*) {
  ThreadState& t = t_state;
  if (t.lane == nullptr) return;
  const uint64_t used = t.segment_offset + reinterpret_cast<uintptr_t>(t.next) -
                        reinterpret_cast<uintptr_t>(t.segment);
  const bool grows = t.lane->ring_records == 0;
  unmap(t.segment, t.segment_bytes);
  unmap(t.lane, GRETA_PAGE_BYTES);
  drop_segment_ahead();
  if (grows) {
    const LanePath path(t.lane_number);
    cut_soon(path.text, used);
  }
  forget_lane();
}

pthread_key_t thread_end_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, close_lane);
    return made;
  }();
  return key;
}

void describe_lane(greta_lane* lane, uint32_t number, uint64_t ring_records) {
  lane->version = GRETA_RECORDING_VERSION;
  lane->lane = number;
  lane->thread_id = static_cast<uint32_t>(syscall(SYS_gettid));
  lane->ring_records = ring_records;
  lane->start_ticks = ticks();
  prctl(PR_GET_NAME, lane->thread_name);
  lane->magic = GRETA_LANE_MAGIC;
}

void* take_segment_ahead(uint64_t offset, uint64_t bytes) {
  if (t_ahead == nullptr) return nullptr;
  const SegmentAheadRef ahead = std::move(*t_ahead);
  if (ahead == nullptr) return nullptr;
  return ahead->offset() == offset && ahead->bytes() == bytes ? ahead->take() : nullptr;
}

bool map_segment(uint64_t offset, uint64_t bytes) {
  ThreadState& t = t_state;
  const LanePath path(t.lane_number);
  void* segment = take_segment_ahead(offset, bytes);
  if (segment == nullptr) segment = map_file_part(path.text, offset, bytes);
  if (segment == nullptr) {
    recording().give_up();
    return false;
  }
  t.segment = static_cast<greta_record*>(segment);
  t.segment_offset = offset;
  t.segment_bytes = bytes;
  t.next = t.segment;
  t.limit = t.segment + bytes / GRETA_RECORD_BYTES;
  return true;
}

uint64_t after_segment(uint64_t bytes) { return std::min(bytes * 2, kLargestSegment); }

void ask_for_next_segment() {
  const ThreadState& t = t_state;
  if (t_ahead == nullptr) t_ahead = new SegmentAheadRef;
  const LanePath path(t.lane_number);
  *t_ahead = std::make_shared<SegmentAhead>(path.text, t.segment_offset + t.segment_bytes,
                                            to_pages(after_segment(t.segment_bytes)));
  prepare_soon(*t_ahead);
}

bool open_lane(uint64_t least_bytes) {
  ThreadState& t = t_state;
  t.lane_number = recording().next_lane();
  const LanePath path(t.lane_number);
  auto* lane = static_cast<greta_lane*>(map_file_part(path.text, 0, GRETA_PAGE_BYTES));
  if (lane == nullptr) {
    recording().give_up();
    return false;
  }
  const uint64_t ring = recording().ring_records();
  describe_lane(lane, t.lane_number, ring);
  t.lane = lane;
  pthread_setspecific(thread_end_key(), lane);
  if (ring == 0) return map_segment(GRETA_PAGE_BYTES, std::max(kFirstSegment, least_bytes));
  if (!map_segment(GRETA_PAGE_BYTES, to_pages(ring * GRETA_RECORD_BYTES))) return false;
  t.limit = t.segment + ring;
  return true;
}

bool go_on(uint64_t least_bytes) {
  ThreadState& t = t_state;
  // What is left of the segment is too short for this one: there the records' end would be seen.
  while (t.next < t.limit) {
    auto* filler = reinterpret_cast<greta_more*>(t.next++);
    filler->call = GRETA_CALL_MORE;
    ++t.lane->written;
  }
  recording().note_time();
  const uint64_t offset = t.segment_offset + t.segment_bytes;
  const uint64_t bytes = std::max(to_pages(after_segment(t.segment_bytes)), least_bytes);
  unmap(t.segment, t.segment_bytes);
  t.segment = nullptr;
  t.next = t.limit = nullptr;
  if (!map_segment(offset, bytes)) return false;
  ask_for_next_segment();
  return true;
}

void begin_ring_anew() {
  ThreadState& t = t_state;
  while (t.next < t.limit) {
    auto* filler = reinterpret_cast<greta_more*>(t.next++);
    std::memset(static_cast<void*>(filler), 0, sizeof *filler);
    filler->call = GRETA_CALL_MORE;
    ++t.lane->written;
  }
  recording().note_time();
  t.next = t.segment;
}

}  // namespace

bool make_room(uint32_t records) {
  if (!recording().is_on()) return false;
  ThreadState& t = t_state;
  const uint64_t bytes = uint64_t{records} * GRETA_RECORD_BYTES;
  if (t.lane == nullptr) return open_lane(to_pages(bytes));
  if (t.lane->ring_records == 0) return t.segment != nullptr && go_on(to_pages(bytes));
  if (records > t.lane->ring_records) return false;
  begin_ring_anew();
  return true;
}

void forget_lane() {
  t_ahead = nullptr;  // what is there is the parent's; leaving it costs less than touching it
  const int32_t device = t_state.device;
  const uint32_t depth = t_state.depth;
  t_state = {};
  t_state.device = device;
  t_state.depth = depth;
}

}  // namespace greta::recorder
