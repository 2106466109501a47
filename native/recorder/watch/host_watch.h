// Watches the host's side of copies that are in flight: its pages are protected until the program
// has waited for the copy, and the first touch by the program is recorded and let through.
//
//   what the device writes (D2H)   may be neither read nor written by the host
//   what the device reads (H2D)    may not be written
//
// Who touches is told by the thread: threads that were made inside a HIP call are the library's,
// and so is any thread while it is inside one. The library's copies go around the protection
// (library_copies.h); what else it touches, such as a kernel that works on host memory, is let
// through, and the page is not watched any more for that copy.
//
// A touch of something else that lies in the same page is let through for one instruction, and the
// page closed again behind it; after a few hundred of these the page is left open.
//
// libgreta_hostwatch.so, which is loaded only when this is asked for, brings the faults here.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <atomic>

#include "contract/recording.h"
#include "recorder/watch/added_work.h"
#include "recorder/watch/flights.h"
#include "recorder/watch/watchable_memory.h"

namespace greta::recorder {

class HostWatch {
 public:
  bool is_on() const { return on_.load(std::memory_order_relaxed); }
  void turn_on() { on_ = true; }

  void memory_made(uintptr_t address, size_t bytes, bool registered);
  void memory_ends(uintptr_t address);

  void copy_begins(const greta_record& copy, const HostCopy& sides, void* stream);
  void copy_was_enqueued(int result);

  // What the program's streams, events and waits say; see Flights.
  template <typename Change>
  void follow(Change change) {
    const LockedWithoutSignals locked(*this);
    open_landed(change(flights_));
  }
  Stream stream_of(const void* handle) const;

  // True if the fault was one of ours and the instruction can be tried again.
  bool on_fault(int signal, const siginfo_t& info, ucontext_t* context);
  // The program hands memory to the kernel, which would only say EFAULT.
  void on_system_call(uintptr_t address, size_t bytes, bool write, const void* site);
  // A copy by the library. False if none of it is watched, or it could not be done this way.
  bool copy_around(void* to, const void* from, size_t bytes);

  void forget();

 private:
  class Locked {
   public:
    explicit Locked(HostWatch& watch);
    ~Locked();
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    HostWatch& watch_;
  };
  // Outside of the handler: a signal handler of the program might touch watched memory.
  class LockedWithoutSignals {
   public:
    explicit LockedWithoutSignals(HostWatch& watch);
    ~LockedWithoutSignals();
    LockedWithoutSignals(const LockedWithoutSignals&) = delete;
    LockedWithoutSignals& operator=(const LockedWithoutSignals&) = delete;

   private:
    uint64_t before_ = 0;
    HostWatch& watch_;
  };

  struct Access {
    uintptr_t address;
    bool write;
    uintptr_t instruction;
  };
  enum class Answer { not_ours, try_again, touched, step };

  bool side_of(const HostCopy& copy, HostSide* side) const;
  int wanted_protection(uintptr_t address) const;
  bool any_closed(uintptr_t begin, uintptr_t end, bool for_writing) const;
  void protect(PageRange pages) const;
  void open(PageRange pages);
  void open_landed(const std::vector<Flight>& landed);
  Answer answer(const Access& access, Flight* touched);
  Answer open_for_touch(const Access& access, Flight& flight, Flight* touched);
  Flight* touched_flight(const Access& access);
  Answer step_over(const Access& access);
  bool may_retry(const Access& access, int wanted) const;
  void close_after_step(ucontext_t* context);

  std::atomic<bool> on_{false};
  std::atomic<bool> busy_{false};
  std::atomic<size_t> in_flight_{0};
  Flights flights_;
  WatchableMemory memory_;
};

HostWatch& host_watch();

// A device together with the library it is of.
int watched_device(int device);

// Of the calling thread.
void mark_library_thread();
bool is_inside_library();

}  // namespace greta::recorder
