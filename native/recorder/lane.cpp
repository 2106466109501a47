#include "recorder/lane.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "recorder/clock.h"
#include "recorder/errno_keeper.h"
#include "recorder/mapped_file.h"
#include "recorder/process_recording.h"
#include "recorder/segment_ahead.h"
#include "recorder/thread_memory.h"

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

std::string lane_path(uint32_t number) {
  return std::string(recording().folder()) + "/lane." + std::to_string(number);
}

// --- the end of a thread -------------------------------------------------------------------------

void drop_segment_ahead() {
  const std::unique_ptr<SegmentAheadRef> ahead(std::exchange(t_ahead, nullptr));
  if (ahead != nullptr && *ahead != nullptr) unmap((*ahead)->take(), (*ahead)->bytes());
}

// Gives the file its true length and the memory back. A destructor that runs later and calls HIP
// opens another lane.
void close_lane(void*) {
  ThreadState& t = t_state;
  if (t.lane == nullptr) return;
  const uint64_t ring = t.lane->ring_records;
  const uint64_t kept = ring != 0 ? std::min(ring, t.lane->written) : t.lane->written;
  unmap(t.segment, t.segment_bytes);
  unmap(t.lane, GRETA_PAGE_BYTES);
  drop_segment_ahead();
  cut_soon(lane_path(t.lane_number), GRETA_PAGE_BYTES + kept * GRETA_RECORD_BYTES);
  forget_lane();
  drop_thread_memory();
}

// Without a key lanes are not closed, which costs memory and nothing else.
void close_lane_at_thread_end() {
  static pthread_key_t key;
  static const bool made = pthread_key_create(&key, close_lane) == 0;
  if (made) pthread_setspecific(key, t_state.lane);
}

// --- segments ------------------------------------------------------------------------------------

void* take_segment_ahead(uint64_t offset, uint64_t bytes) {
  if (t_ahead == nullptr) return nullptr;
  const SegmentAheadRef ahead = std::move(*t_ahead);
  if (ahead == nullptr) return nullptr;
  void* segment = ahead->take();
  if (ahead->offset() == offset && ahead->bytes() == bytes) return segment;
  unmap(segment, ahead->bytes());  // a record that is longer than it
  return nullptr;
}

bool map_segment(uint64_t offset, uint64_t bytes) {
  ThreadState& t = t_state;
  void* segment = take_segment_ahead(offset, bytes);
  if (segment == nullptr) segment = map_file_part(lane_path(t.lane_number).c_str(), offset, bytes);
  if (segment == nullptr) {
    recording().lost_for(errno);
    return false;
  }
  t.segment = static_cast<greta_record*>(segment);
  t.segment_offset = offset;
  t.segment_bytes = bytes;
  t.next = t.segment;
  t.limit = t.segment + bytes / GRETA_RECORD_BYTES;
  return true;
}

void leave_segment() {
  ThreadState& t = t_state;
  if (t.segment != nullptr) unmap_soon(t.segment, t.segment_bytes);
  t.segment = t.next = t.limit = nullptr;
}

uint64_t after_segment(uint64_t bytes) {
  return to_pages(std::clamp(bytes * 2, kFirstSegment, kLargestSegment));
}

void ask_for_next_segment() {
  const ThreadState& t = t_state;
  if (t_ahead == nullptr) t_ahead = new SegmentAheadRef;
  *t_ahead = std::make_shared<SegmentAhead>(
      lane_path(t.lane_number), t.segment_offset + t.segment_bytes, after_segment(t.segment_bytes));
  prepare_soon(*t_ahead);
}

// What is left of the segment is too short for the record at hand. Where nothing is, a reader would
// take it for the end.
void fill_up() {
  ThreadState& t = t_state;
  while (t.next < t.limit) {
    auto* filler = reinterpret_cast<greta_more*>(t.next++);
    std::memset(static_cast<void*>(filler), 0, sizeof *filler);
    filler->call = GRETA_CALL_MORE;
    ++t.lane->written;
  }
}

// --- lanes ---------------------------------------------------------------------------------------

void describe_lane(greta_lane* lane, uint32_t number) {
  lane->version = GRETA_RECORDING_VERSION;
  lane->lane = number;
  lane->thread_id = static_cast<uint32_t>(syscall(SYS_gettid));
  lane->ring_records = recording().ring_records();
  lane->start_ticks = ticks();
  prctl(PR_GET_NAME, lane->thread_name);
  lane->magic = GRETA_LANE_MAGIC;
}

bool open_lane() {
  ThreadState& t = t_state;
  const uint32_t number = recording().next_lane();
  void* page = map_file_part(lane_path(number).c_str(), 0, GRETA_PAGE_BYTES);
  if (page == nullptr) {
    recording().lost_for(errno);
    return false;
  }
  t.lane_number = number;
  t.lane = static_cast<greta_lane*>(page);
  t.segment_offset = GRETA_PAGE_BYTES;
  t.segment_bytes = 0;
  describe_lane(t.lane, number);
  close_lane_at_thread_end();
  return true;
}

// A lane that grows: the next segment, behind the last one.
bool go_on(uint64_t least_bytes) {
  ThreadState& t = t_state;
  if (t.segment != nullptr) {
    fill_up();
    leave_segment();
  }
  const uint64_t offset = t.segment_offset + t.segment_bytes;
  const bool first = t.segment_bytes == 0;
  if (!map_segment(offset, std::max(after_segment(t.segment_bytes), least_bytes))) return false;
  if (!first) ask_for_next_segment();
  return true;
}

// A ring grows, too, until it is as long as it may be: most threads make few calls. It is mapped as
// a whole.
bool lengthen_ring(uint64_t records) {
  ThreadState& t = t_state;
  const uint64_t used = t.lane->written;
  leave_segment();
  if (!map_segment(GRETA_PAGE_BYTES, to_pages(records * GRETA_RECORD_BYTES))) return false;
  t.next = t.segment + used;
  t.limit = t.segment + records;
  return true;
}

bool go_on_in_ring(uint32_t records) {
  ThreadState& t = t_state;
  const uint64_t ring = t.lane->ring_records;
  if (records > ring) return false;
  const auto length = static_cast<uint64_t>(t.limit - t.segment);
  if (length < ring) {
    const uint64_t least = std::max(length * 2, t.lane->written + records);
    const uint64_t next = std::min(std::max(least, kFirstSegment / GRETA_RECORD_BYTES), ring);
    if (!lengthen_ring(next)) return false;
    if (t.next + records <= t.limit) return true;
  }
  fill_up();
  t.next = t.segment;
  return true;
}

}  // namespace

bool make_room(uint32_t records) {
  const ErrnoKeeper errno_keeper;
  if (!recording().is_on()) return false;
  if (t_state.lane == nullptr && !open_lane()) return false;
  if (t_state.lane->ring_records != 0) return go_on_in_ring(records);
  return go_on(to_pages(uint64_t{records} * GRETA_RECORD_BYTES));
}

void forget_lane() {
  t_ahead = nullptr;  // what is there is the parent's; leaving it costs less than touching it
  const int32_t device = t_state.device;
  const uint32_t depth = t_state.depth;
  const uintptr_t outermost_frame = t_state.outermost_frame;
  t_state = {};
  t_state.device = device;
  t_state.depth = depth;
  t_state.outermost_frame = outermost_frame;
}

}  // namespace greta::recorder
