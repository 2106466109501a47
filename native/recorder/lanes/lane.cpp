#include "recorder/lanes/lane.h"

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

#include "recorder/lanes/budget.h"
#include "recorder/lanes/clock.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/mapped_file.h"
#include "recorder/lanes/process_recording.h"
#include "recorder/lanes/segment_ahead.h"
#include "recorder/lanes/thread_memory.h"

namespace greta::recorder {

__attribute__((tls_model("initial-exec"))) __thread ThreadState t_state{};

namespace {

// A thread that makes few calls should not cost megabytes, one that makes many not a system call
// every few thousand.
constexpr uint64_t kFirstSegment = 60 * 1024;
constexpr uint64_t kLargestSegment = 4 << 20;
// Of threads that begin when the disk budget is spent.
constexpr uint64_t kRingOfNewLanes = 8192;

// Heap memory, so that the state a hook looks at stays small and plain.
__attribute__((tls_model("initial-exec"))) thread_local SegmentAheadRef* t_ahead = nullptr;

// The number of a lane that could not be opened yet; its file may be there.
constexpr int64_t kNone = -1;
__attribute__((tls_model("initial-exec"))) thread_local int64_t t_awaited_lane = kNone;

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

// How many records the lane's file holds. By what is known here, not by what the file says: it may
// have been damaged. Only a ring that has been filled does not know whether it has begun anew.
uint64_t records_kept() {
  const ThreadState& t = t_state;
  const auto in_segment = static_cast<uint64_t>(t.next - t.segment);
  const uint64_t ring = t.ring_records;
  if (ring != 0) return std::clamp(t.lane->written, in_segment, std::max(ring, in_segment));
  const uint64_t whole = t.segment == nullptr ? t.segment_bytes : 0;
  return (t.segment_offset + whole - GRETA_PAGE_BYTES) / GRETA_RECORD_BYTES + in_segment;
}

// Gives the file its true length and the memory back. A destructor that runs later and calls HIP
// opens another lane.
void close_lane(void*) {
  ThreadState& t = t_state;
  if (t.lane == nullptr) return;
  const uint64_t kept = records_kept();
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

bool is_asked_for(uint64_t offset, uint64_t bytes) {
  const bool any = t_ahead != nullptr && *t_ahead != nullptr;
  return any && (*t_ahead)->offset() == offset && (*t_ahead)->bytes() == bytes;
}

void* take_segment_ahead(uint64_t offset, uint64_t bytes) {
  if (t_ahead == nullptr) return nullptr;
  const SegmentAheadRef ahead = std::move(*t_ahead);
  if (ahead == nullptr) return nullptr;
  void* segment = ahead->take();
  if (ahead->offset() == offset && ahead->bytes() == bytes) return segment;
  unmap(segment, ahead->bytes());  // a record that is longer than it
  return nullptr;
}

void* mapped_or_lost(uint64_t offset, uint64_t bytes) {
  void* segment = map_file_part(lane_path(t_state.lane_number).c_str(), offset, bytes);
  if (segment == nullptr) recording().lost_for(errno);
  return segment;
}

void enter_segment(void* segment, uint64_t offset, uint64_t bytes) {
  ThreadState& t = t_state;
  t.segment = static_cast<greta_record*>(segment);
  t.segment_offset = offset;
  t.segment_bytes = bytes;
  t.next = t.segment;
  t.limit = t.segment + bytes / GRETA_RECORD_BYTES;
  recording().got_room();
}

void leave_segment() {
  ThreadState& t = t_state;
  if (t.segment != nullptr) unmap_soon(t.segment, t.segment_bytes);
  t.segment = t.next = t.limit = nullptr;
}

uint64_t after_segment(uint64_t bytes) {
  return to_pages(std::clamp(bytes * 2, kFirstSegment, kLargestSegment));
}

// Space for it is taken at once, and so is its share of the budget.
void ask_for_next_segment() {
  const ThreadState& t = t_state;
  if (!take_from_budget(after_segment(t.segment_bytes))) return;
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
  lane->ring_records = t_state.ring_records;
  lane->start_ticks = ticks();
  prctl(PR_GET_NAME, lane->thread_name);
  lane->magic = GRETA_LANE_MAGIC;
}

bool open_lane() {
  ThreadState& t = t_state;
  if (t_awaited_lane == kNone) t_awaited_lane = recording().next_lane();
  const auto number = static_cast<uint32_t>(t_awaited_lane);
  void* page = map_file_part(lane_path(number).c_str(), 0, GRETA_PAGE_BYTES);
  if (page == nullptr) {
    recording().lost_for(errno);
    return false;
  }
  t_awaited_lane = kNone;
  t.lane_number = number;
  t.lane = static_cast<greta_lane*>(page);
  t.segment_offset = GRETA_PAGE_BYTES;
  t.segment_bytes = 0;
  t.ring_records = recording().ring_records();
  if (t.ring_records == 0 && budget_is_spent()) t.ring_records = kRingOfNewLanes;
  describe_lane(t.lane, number);
  close_lane_at_thread_end();
  return true;
}

// The budget is spent, and the lane is full to its last record: it begins anew as a ring of the
// length it has. A reader finds record i at i % length either way.
bool become_ring() {
  ThreadState& t = t_state;
  const uint64_t end = t.segment_offset + t.segment_bytes;
  drop_segment_ahead();
  void* segment = mapped_or_lost(GRETA_PAGE_BYTES, end - GRETA_PAGE_BYTES);
  if (segment == nullptr) return false;
  enter_segment(segment, GRETA_PAGE_BYTES, end - GRETA_PAGE_BYTES);
  t.ring_records = t.segment_bytes / GRETA_RECORD_BYTES;
  __atomic_store_n(&t.lane->ring_records, t.ring_records, __ATOMIC_RELEASE);
  recording().mark_spent();
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
  const uint64_t bytes = std::max(after_segment(t.segment_bytes), least_bytes);
  const bool paid = is_asked_for(offset, bytes) || take_from_budget(bytes);
  if (!paid && !first && t.segment_bytes >= least_bytes) return become_ring();
  void* segment = take_segment_ahead(offset, bytes);
  if (segment == nullptr) segment = mapped_or_lost(offset, bytes);
  if (segment == nullptr) return false;
  enter_segment(segment, offset, bytes);
  if (!first) ask_for_next_segment();
  return true;
}

// A ring grows, too, until it is as long as it may be: most threads make few calls. It is mapped as
// a whole, and the shorter one is left when the longer one is there.
bool lengthen_ring(uint64_t records) {
  ThreadState& t = t_state;
  const auto used = t.next - t.segment;
  const uint64_t bytes = to_pages(records * GRETA_RECORD_BYTES);
  void* segment = mapped_or_lost(GRETA_PAGE_BYTES, bytes);
  if (segment == nullptr) return false;
  leave_segment();
  enter_segment(segment, GRETA_PAGE_BYTES, bytes);
  t.next = t.segment + used;
  t.limit = t.segment + records;
  return true;
}

bool go_on_in_ring(uint32_t records) {
  ThreadState& t = t_state;
  const uint64_t ring = t.ring_records;
  if (records > ring) return false;
  const auto length = static_cast<uint64_t>(t.limit - t.segment);
  if (length < ring) {
    const uint64_t least =
        std::max(length * 2, static_cast<uint64_t>(t.next - t.segment) + records);
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
  if (!recording().is_on() || !recording().may_ask_for_room()) return false;
  if (t_state.lane == nullptr && !open_lane()) return false;
  if (t_state.ring_records != 0) return go_on_in_ring(records);
  return go_on(to_pages(uint64_t{records} * GRETA_RECORD_BYTES));
}

void forget_lane() {
  t_ahead = nullptr;  // what is there is the parent's; leaving it costs less than touching it
  t_awaited_lane = kNone;
  const ThreadState before = t_state;
  t_state = {};
  std::copy(std::begin(before.devices), std::end(before.devices), t_state.devices);
  t_state.phase = before.phase;
  t_state.outermost_frame = before.outermost_frame;
  t_state.route = before.route;
}

}  // namespace greta::recorder
