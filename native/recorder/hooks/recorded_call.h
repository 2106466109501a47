// One call of the program while it is under way: its record, filled before and after.
//
// Rules for editing. This runs in every call of the program, also in signal handlers, forked
// children and threads that are about to end.
// - No allocation, lock, system call or loader call on the way of an ordinary call; whatever needs
//   one goes where `make_room` and `note_site` do. `make bench-recorder`: at most 60 ns a call.
// - `call` is stored last in begin(), `flags` last in finish(): a process may be killed between any
//   two instructions, and a reader must see a whole record or none. So no store moves after them.
// - Every path that leaves early restores phase and frame, and counts the call as dropped.
// - After an edit: tests/recorder (first test_deaths, test_ring, test_threads, test_good_guest),
//   then `make tsan`. A field in reserved space needs no new version; any other change of the
//   layout is a new GRETA_RECORDING_VERSION (contract/recording.h).
#pragma once

#include <cstring>
#include <initializer_list>

#include "recorder/generated/calls.h"
#include "recorder/hooks/kernel_arguments.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/hooks/self_calls.h"
#include "recorder/lanes/clock.h"
#include "recorder/lanes/lane.h"
#include "recorder/lanes/process_recording.h"
#include "recorder/lanes/same_process.h"
#include "recorder/sites/call_stack.h"
#include "recorder/sites/libraries.h"
#include "recorder/sites/script_site.h"

namespace greta::recorder {

// Continuations that an array of `count` words takes.
constexpr uint64_t kMostArrayWords = 112;
inline uint32_t array_parts(const void* array, uint64_t count) {
  if (array == nullptr) return 0;
  const uint64_t kept = count < kMostArrayWords ? count : kMostArrayWords;
  return static_cast<uint32_t>((kept * 8 + GRETA_MORE_BYTES - 1) / GRETA_MORE_BYTES);
}

// What every call runs is part of its hook: left to itself in a unit of hundreds of hooks, the
// compiler makes functions of it, and a call takes a third more instructions. What is rare stays
// out, and is not given `this`, so that the fields stay in registers.
#define GRETA_IN_HOOK [[gnu::always_inline]]
#define GRETA_OUT_OF_HOOK [[gnu::noinline, gnu::cold]]

class RecordedCall {
 public:
  // `parts`: continuations to make room for. `hook`: where the frames of the caller begin.
  GRETA_IN_HOOK RecordedCall(Call call, const void* site, uint32_t parts, HookFrame hook = {})
      : hook_(hook), parts_(static_cast<uint16_t>(parts)), call_(call) {
    ThreadState& t = t_state;
    const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    if (!is_same_process()) recording().begin_anew();
    route_ = t.route;
    before_ = t.phase;
    frame_before_ = t.outermost_frame;
    if (before_ != Phase::program) {
      if (!is_of_program(call, site, before_)) return;
      // From where the other was made, or above: that one was left.
      if (frame >= frame_before_) before_ = Phase::program;
    }
    t.phase = Phase::recorder;
    t.outermost_frame = frame;
    if (t.next + parts >= t.limit && !has_made_room(1 + parts)) return;
    record_ = t.next;
    // In a ring: until the new record is complete there is none here.
    __atomic_store_n(&record_->call, 0u, __ATOMIC_RELAXED);
    record_->site = reinterpret_cast<uint64_t>(site);
  }
  ~RecordedCall() {
    t_state.phase = before_;
    t_state.outermost_frame = frame_before_;
  }
  RecordedCall(const RecordedCall&) = delete;
  RecordedCall& operator=(const RecordedCall&) = delete;

  explicit operator bool() const { return record_ != nullptr; }
  uint64_t& word(unsigned index) { return record_->words[index]; }
  const greta_record& record() const { return *record_; }

  void keep_words(std::initializer_list<uint64_t> words) {
    keep(GRETA_MORE_WORDS, 0, words.begin(), words.size() * sizeof(uint64_t), 1);
  }
  void keep_struct(unsigned word, const void* address, uint32_t bytes) {
    const uint32_t parts = (bytes + GRETA_MORE_BYTES - 1) / GRETA_MORE_BYTES;
    keep(GRETA_MORE_STRUCT, word, address, address != nullptr ? bytes : 0, parts);
  }
  void keep_array(unsigned word, const void* address, uint64_t count) {
    const uint32_t parts = array_parts(address, count);
    if (count > kMostArrayWords) flags_ |= GRETA_CUT;
    const uint64_t kept = count < kMostArrayWords ? count : kMostArrayWords;
    keep(GRETA_MORE_ARRAY, word, address, kept * sizeof(uint64_t), parts);
  }
  void keep_arguments(const KernelArguments& arguments) {
    kernel_ = arguments.kernel_id();
    if (arguments.cut()) flags_ |= GRETA_CUT;
    arguments.write(part(used_));
    used_ = static_cast<uint16_t>(used_ + arguments.parts());
  }

  // With the stack if it is a call that people ask about; of the others, if it fails.
  GRETA_IN_HOOK void begin(bool keeps_stack = false) {
    ThreadState& t = t_state;
    greta_record& r = *record_;
    if (used_ < parts_) fill_unused(part(used_), part(parts_));
    r.more = parts_;
    flags_ = static_cast<uint16_t>(flags_ | current_runtime() << GRETA_RUNTIME_SHIFT);
    r.flags = flags_;
    r.end = 0;
    r.result = 0;
    r.stack = keeps_stack ? current_stack(hook_, static_cast<uint32_t>(call_)) : current_script();
    if (keeps_stack) hook_ = {};
    r.annotation = t.annotation;
    r.kernel = kernel_;
    note_site(r.site);
    r.begin = ticks_after_all_before();
    note_time_if_due(r.begin);
    // Last: from now on it is a record.
    __atomic_store_n(&r.call, static_cast<uint32_t>(call_), __ATOMIC_RELEASE);
    t.call_begin = r.begin;
    t.next += 1 + parts_;
    t.lane->written += 1u + parts_;
    t.phase = Phase::library;
  }

  GRETA_IN_HOOK void finish(int result) {
    t_state.phase = Phase::recorder;
    t_state.route = route_;  // a callback may have called another library
    record_->result = result;
    if (__builtin_expect(is_failure(result) && hook_.stack != nullptr, false)) {
      keep_late_stack(record_, hook_, call_);
    }
    record_->end = ticks();
    const auto flags = static_cast<uint16_t>(flags_ | GRETA_FINISHED);
    __atomic_store_n(&record_->flags, flags, __ATOMIC_RELEASE);
  }

 private:
  // hipErrorNotReady is an answer.
  static bool is_failure(int result) { return result != 0 && result != 600; }

  GRETA_OUT_OF_HOOK static void keep_late_stack(greta_record* record, HookFrame hook, Call call) {
    record->stack = current_stack(hook, static_cast<uint32_t>(call));
  }

  GRETA_OUT_OF_HOOK static bool has_made_room(uint32_t records) {
    if (make_room(records)) return true;
    recording().count_dropped();
    t_state.call_begin = 0;
    t_state.phase = Phase::library;
    return false;
  }

  // Whether a call that comes while another is under way on the thread is the program's: made by a
  // signal handler, or after the other was left by longjmp. Nobody can tell which; to the library's
  // calls to itself both are different by where they come from.
  GRETA_OUT_OF_HOOK static bool is_of_program(Call call, const void* site, Phase before) {
    if (is_from_library(site, call)) return false;
    if (before != Phase::recorder) return true;
    recording().count_dropped();  // a handler that interrupted us: our locks may be held
    return false;
  }

  GRETA_OUT_OF_HOOK static void fill_unused(greta_more* more, const greta_more* end) {
    for (; more != end; ++more) fill(more, GRETA_MORE_FILLER, 0, nullptr, 0, 0, 0);
  }

  greta_more* part(unsigned index) const {
    return reinterpret_cast<greta_more*>(record_ + 1 + index);
  }

  static void fill(greta_more* more, greta_more_kind kind, unsigned word, const void* from,
                   uint32_t offset, uint32_t used, uint32_t total) {
    more->call = GRETA_CALL_MORE;
    more->kind = static_cast<uint8_t>(kind);
    more->word = static_cast<uint8_t>(word);
    more->used = static_cast<uint16_t>(used);
    more->offset = offset;
    more->total = total;
    if (used != 0) std::memcpy(more->bytes, from, used);
  }

  // The parts were counted when the call was opened.
  void keep(greta_more_kind kind, unsigned word, const void* address, uint64_t bytes,
            uint32_t parts) {
    const auto total = static_cast<uint32_t>(bytes);
    for (uint32_t i = 0, offset = 0; i < parts; ++i, offset += GRETA_MORE_BYTES) {
      const uint32_t left = total > offset ? total - offset : 0;
      const uint32_t used = left < GRETA_MORE_BYTES ? left : GRETA_MORE_BYTES;
      fill(part(used_++), kind, word, static_cast<const char*>(address) + offset, offset, used,
           total);
    }
  }

  greta_record* record_ = nullptr;
  Route* route_ = nullptr;
  uintptr_t frame_before_;
  HookFrame hook_;  // until its stack is kept
  Phase before_;
  uint16_t parts_;
  uint16_t used_ = 0;
  uint16_t flags_ = 0;
  uint32_t kernel_ = 0;
  Call call_;
};

}  // namespace greta::recorder
