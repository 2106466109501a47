#include "recorder/watch/host_watch.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "recorder/hooks/captures.h"
#include "recorder/hooks/export.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/thread_state.h"
#include "recorder/sites/touch_site.h"
#include "recorder/watch/forced_write.h"
#include "recorder/watch/host_touch.h"
#include "recorder/watch/library_copies.h"

namespace greta::recorder {
namespace {

constexpr int kOpen = PROT_READ | PROT_WRITE;
constexpr greg_t kTrapFlag = 0x100;
constexpr greg_t kWriteAccess = 1 << 1;  // in a page fault's error code
constexpr uint64_t kLegacyStream = 1;
constexpr uint64_t kPerThreadStream = 2;
constexpr unsigned kMostSteps = 512;
constexpr unsigned kMostDoublings = 20;

// What a thread is in the middle of. initial-exec: the handler may touch it at any time.
struct ThreadWatch {
  bool of_library = false;
  FlightId begun = 0;  // by the call that is under way
  uintptr_t stepped[4] = {};
  unsigned steps = 0;
};
__attribute__((tls_model("initial-exec"))) thread_local ThreadWatch t_watch;

bool set_protection(PageRange pages, int protection) {
  const ErrnoKeeper errno_keeper;
  return mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, protection) == 0;
}

PageRange meeting(PageRange a, PageRange b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

constexpr uint64_t bit(int signal) { return uint64_t{1} << (signal - 1); }
constexpr uint64_t kHeldBack =
    ~(bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) | bit(SIGTRAP) | bit(SIGABRT));

}  // namespace

HostWatch& host_watch() {
  static HostWatch* const instance = new HostWatch;
  return *instance;
}

int watched_device(int device) { return device + 0x100 * static_cast<int>(current_runtime()); }
void mark_library_thread() { t_watch.of_library = true; }
bool is_inside_library() { return t_watch.of_library || t_state.phase != Phase::program; }

// --- locks ---------------------------------------------------------------------------------------

HostWatch::Locked::Locked(HostWatch& watch) : watch_(watch) {
  while (watch_.busy_.exchange(true, std::memory_order_acquire)) sched_yield();
}
HostWatch::Locked::~Locked() {
  watch_.in_flight_.store(watch_.flights_.all().size(), std::memory_order_release);
  watch_.busy_.store(false, std::memory_order_release);
}

HostWatch::LockedWithoutSignals::LockedWithoutSignals(HostWatch& watch) : watch_(watch) {
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &kHeldBack, &before_, sizeof before_);
  while (watch_.busy_.exchange(true, std::memory_order_acquire)) sched_yield();
}
HostWatch::LockedWithoutSignals::~LockedWithoutSignals() {
  watch_.in_flight_.store(watch_.flights_.all().size(), std::memory_order_release);
  watch_.busy_.store(false, std::memory_order_release);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_);
}

// --- what comes and goes -------------------------------------------------------------------------

// Default streams are told apart by their device: no handle is so small, and no two threads' data
// so close together.
Stream HostWatch::stream_of(const void* stream) const {
  const auto handle = reinterpret_cast<uint64_t>(stream);
  const int device = watched_device(current_device());
  const auto number = static_cast<uint64_t>(device & 0xff);
  if (handle <= kLegacyStream) return {of_runtime(number), StreamKind::legacy, device};
  if (handle != kPerThreadStream) return {of_runtime(handle), StreamKind::unknown, device};
  const uint64_t own = reinterpret_cast<uint64_t>(&t_watch) + number;
  return {of_runtime(own), StreamKind::per_thread, device};
}

void HostWatch::memory_made(uintptr_t address, size_t bytes, bool registered) {
  const ErrnoKeeper errno_keeper;
  const LockedWithoutSignals locked(*this);
  registered ? memory_.registered(address, bytes) : memory_.made(address, bytes);
}

void HostWatch::memory_ends(uintptr_t address) {
  const LockedWithoutSignals locked(*this);
  if (const auto all = memory_.ended(address)) open_landed(flights_.memory_ended(*all));
}

// Only one side can be in flight: a copy within the host is over when the call returns.
bool HostWatch::side_of(const HostCopy& copy, HostSide* side) const {
  const auto extent = [&](size_t pitch) { return (copy.height - 1) * pitch + copy.width; };
  if (copy.width == 0 || copy.height == 0) return false;
  const auto to = reinterpret_cast<uintptr_t>(copy.to);
  const auto from = reinterpret_cast<uintptr_t>(copy.from);
  const bool to_host = copy.kind != kHostToDevice && memory_.contains(to);
  const bool from_host = copy.kind != kDeviceToHost && memory_.contains(from);
  if (to_host == from_host) return false;
  const uintptr_t begin = to_host ? to : from;
  const size_t pitch = to_host ? copy.to_pitch : copy.from_pitch;
  *side = {begin, begin + extent(pitch), copy.height > 1 ? pitch : 0, copy.width, to_host};
  return side->end > side->begin;
}

void HostWatch::copy_begins(const greta_record& copy, const HostCopy& sides, void* stream) {
  t_watch.begun = 0;
  if (is_captured(stream)) return;
  redirect_copies_of_library(reinterpret_cast<const void*>(real_function(Call::hipMemcpyAsync)));
  const LockedWithoutSignals locked(*this);
  Flight flight;
  if (!side_of(sides, &flight.side)) return;
  const HostSide& side = flight.side;
  flight.pages = meeting({page_of(side.begin), page_after(side.end)},
                         memory_.pages_around(side.begin, side.end));
  if (flight.pages.empty()) return;
  flight.stream = stream_of(stream);
  flight.stream_handle = reinterpret_cast<uint64_t>(stream);
  flight.lane = t_state.lane_number;
  flight.copy_begin = copy.begin;
  flights_.enqueued(flight.stream);
  t_watch.begun = flights_.add(flight);
  protect(flight.pages);
}

void HostWatch::copy_was_enqueued(int result) {
  if (t_watch.begun == 0 || result == 0) return;
  const LockedWithoutSignals locked(*this);
  open_landed(flights_.dropped(t_watch.begun));
}

void HostWatch::forget() {
  if (!busy_) {  // else another thread of the parent was at the list
    for (const Flight& flight : flights_.all()) set_protection(flight.pages, kOpen);
  }
  const bool on = is_on();
  new (this) HostWatch;  // the old content is left: another thread may have been at it
  on_ = on;
}

// --- pages ---------------------------------------------------------------------------------------

int HostWatch::wanted_protection(uintptr_t address) const {
  int wanted = kOpen;
  for (const Flight& flight : flights_.all()) {
    if (flight.closes(address)) wanted &= flight.side.written ? PROT_NONE : PROT_READ;
  }
  return wanted;
}

// Gives the pages what the copies that are in flight ask for, a run of equal pages at a time.
void HostWatch::protect(PageRange pages) const {
  std::vector<uintptr_t> borders{pages.begin, pages.end};
  for (const Flight& flight : flights_.all()) {
    if (meeting(flight.pages, pages).empty()) continue;
    borders.push_back(flight.pages.begin);
    borders.push_back(flight.pages.end);
    flight.opened.add_borders(&borders);
  }
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  for (size_t i = 0; i + 1 < borders.size(); ++i) {
    const PageRange run = meeting({borders[i], borders[i + 1]}, pages);
    if (!run.empty()) set_protection(run, wanted_protection(run.begin));
  }
}

void HostWatch::open(PageRange pages) {
  for (Flight& flight : flights_.all()) {
    const PageRange part = meeting(flight.pages, pages);
    if (!part.empty()) flight.opened.add(part);
  }
  set_protection(pages, kOpen);
}

void HostWatch::open_landed(const std::vector<Flight>& landed) {
  for (const Flight& flight : landed) protect(flight.pages);
}

bool HostWatch::any_closed(uintptr_t begin, uintptr_t end, bool for_writing) const {
  return std::any_of(flights_.all().begin(), flights_.all().end(), [&](const Flight& flight) {
    const bool closed = flight.side.written || for_writing;
    return closed && !meeting(flight.pages, {begin, end}).empty();
  });
}

// --- touches -------------------------------------------------------------------------------------

Flight* HostWatch::touched_flight(const Access& access) {
  auto& all = flights_.all();
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Flight& flight) {
    return flight.closes(access.address) && flight.side.contains(access.address) &&
           (access.write || flight.side.written);
  });
  return found != all.rend() ? &*found : nullptr;
}

// The more often a copy is touched, the more is opened at once: a buffer that is read from end to
// end costs a few faults, not one a page.
HostWatch::Answer HostWatch::open_for_touch(const Access& access, Flight& flight, Flight* touched) {
  const unsigned doublings = std::min(flight.touches++, kMostDoublings);
  const uintptr_t page = page_of(access.address);
  const PageRange pages = meeting({page, page + (kPageBytes << doublings)}, flight.pages);
  *touched = flight;
  open(pages);
  return Answer::touched;
}

HostWatch::Answer HostWatch::step_over(const Access& access) {
  const uintptr_t page = page_of(access.address);
  auto& all = flights_.all();
  const auto owner = std::find_if(all.begin(), all.end(),
                                  [&](const Flight& flight) { return flight.closes(page); });
  ThreadWatch& t = t_watch;
  if (owner->steps++ >= kMostSteps || t.steps == std::size(t.stepped)) {
    open({page, page + kPageBytes});
    return Answer::try_again;
  }
  t.stepped[t.steps++] = page;
  set_protection({page, page + kPageBytes}, kOpen);
  return Answer::step;
}

// The copy may have landed between the fault and us. All that is watched was readable and writable.
bool HostWatch::may_retry(const Access& access, int wanted) const {
  const uintptr_t page = page_of(access.address);
  return memory_.contains(access.address) && set_protection({page, page + kPageBytes}, wanted);
}

HostWatch::Answer HostWatch::answer(const Access& access, Flight* touched) {
  const Locked locked(*this);
  const int wanted = wanted_protection(page_of(access.address));
  if ((wanted & (access.write ? PROT_WRITE : PROT_READ)) != 0) {
    return may_retry(access, wanted) ? Answer::try_again : Answer::not_ours;
  }
  if (is_inside_library()) {
    const uintptr_t page = page_of(access.address);
    open({page, page + kPageBytes});
    return Answer::try_again;
  }
  Flight* flight = touched_flight(access);
  return flight != nullptr ? open_for_touch(access, *flight, touched) : step_over(access);
}

void HostWatch::close_after_step(ucontext_t* context) {
  context->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
  const Locked locked(*this);
  ThreadWatch& t = t_watch;
  for (; t.steps != 0; --t.steps) {
    const uintptr_t page = t.stepped[t.steps - 1];
    const int wanted = wanted_protection(page);
    if (wanted != kOpen) set_protection({page, page + kPageBytes}, wanted);
  }
}

bool HostWatch::on_fault(int signal, const siginfo_t& info, ucontext_t* context) {
  if (signal == SIGTRAP) {
    if (info.si_code != TRAP_TRACE || t_watch.steps == 0) return false;
    close_after_step(context);
    return true;
  }
  if (signal != SIGSEGV || info.si_code != SEGV_ACCERR || !is_on()) return false;
  greg_t* registers = context->uc_mcontext.gregs;
  const Access access{reinterpret_cast<uintptr_t>(info.si_addr),
                      (registers[REG_ERR] & kWriteAccess) != 0,
                      static_cast<uintptr_t>(registers[REG_RIP])};
  FaultingTouch touch{{},
                      access.address,
                      access.write,
                      access.instruction,
                      static_cast<uintptr_t>(registers[REG_RSP])};
  switch (answer(access, &touch.flight)) {
    case Answer::not_ours:
      return false;
    case Answer::try_again:
      return true;
    case Answer::step:
      registers[REG_EFL] |= kTrapFlag;
      return true;
    case Answer::touched:
      record_from_handler(touch);
      return true;
  }
  return false;
}

void HostWatch::on_system_call(uintptr_t address, size_t bytes, bool write, const void* site) {
  if (in_flight_.load(std::memory_order_acquire) == 0 || is_inside_library()) return;
  const uintptr_t end = address + bytes;
  for (;;) {
    Flight touched;
    uintptr_t at = 0;
    {
      const LockedWithoutSignals locked(*this);
      auto& all = flights_.all();
      const auto found = std::find_if(all.begin(), all.end(), [&](const Flight& flight) {
        const PageRange part = meeting({page_of(address), page_after(end)}, flight.pages);
        at = std::max(address, part.begin);
        const bool closed = flight.side.written || write;
        return !part.empty() && closed && flight.closes(at);
      });
      if (found == all.end()) return;
      touched = *found;
      open(meeting({page_of(address), page_after(end)}, found->pages));
    }
    const uintptr_t first = std::max(address, touched.side.begin);
    if (first < std::min(end, touched.side.end)) {
      record_touch(touched, first, write, reinterpret_cast<uintptr_t>(site));
    }
  }
}

bool HostWatch::copy_around(void* to, const void* from, size_t bytes) {
  if (in_flight_.load(std::memory_order_acquire) == 0 || bytes == 0) return false;
  const auto target = reinterpret_cast<uintptr_t>(to);
  const auto source = reinterpret_cast<uintptr_t>(from);
  {
    const LockedWithoutSignals locked(*this);
    if (!any_closed(target, target + bytes, true)) return false;
    if (any_closed(source, source + bytes, false)) return false;
  }
  return write_by_force(target, static_cast<const char*>(from), bytes);
}

}  // namespace greta::recorder

// --- for libgreta_hostwatch.so -------------------------------------------------------------------

extern "C" {

using namespace greta::recorder;

GRETA_EXPORT int greta_watch_fault(int signal, siginfo_t* info, void* context) {
  return host_watch().on_fault(signal, *info, static_cast<ucontext_t*>(context)) ? 1 : 0;
}
GRETA_EXPORT void greta_watch_system_call(uintptr_t memory, size_t bytes, int write,
                                          const void* site) {
  host_watch().on_system_call(memory, bytes, write != 0, site);
}
GRETA_EXPORT void greta_watch_mark_library_thread() { mark_library_thread(); }
GRETA_EXPORT int greta_watch_is_inside_library() { return is_inside_library() ? 1 : 0; }
// Says that faults will be brought here.
GRETA_EXPORT void greta_watch_is_possible() {
  find_c_library();
  host_watch().turn_on();
}
}
