// Copies between the device and pinned host memory that the host does not yet know to have
// finished: which they are, and which of them a wait covers. Plain bookkeeping; the pages are
// host_watch's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace greta::recorder {

// Streams and events by what stands for them: 0 is the legacy default stream.
using StreamKey = uint64_t;
using EventKey = uint64_t;
using FlightId = uint64_t;

struct PageRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  bool empty() const { return begin >= end; }
  bool contains(uintptr_t address) const { return address >= begin && address < end; }
};

// Pages that were opened again because somebody touched them. Needs no memory of its own: it is
// written by a signal handler.
class OpenedPages {
 public:
  void add(PageRange range);
  bool contains(uintptr_t address) const;
  // The places at which the answer changes.
  void add_borders(std::vector<uintptr_t>* borders) const;

 private:
  static constexpr unsigned kMost = 24;
  std::array<PageRange, kMost> ranges_{};
  unsigned used_ = 0;
  bool all_ = false;  // there was no room left
};

// Host memory that a copy reads or writes: whole, or the rows of a rectangle.
struct HostSide {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  size_t pitch = 0;  // 0: no rows
  size_t width = 0;
  bool written = false;  // by the device

  bool contains(uintptr_t address) const;
};

struct Flight {
  FlightId id = 0;
  HostSide side;
  PageRange pages;  // that are watched for it
  StreamKey stream = 0;
  uint64_t stream_handle = 0;
  int device = 0;
  uint32_t lane = 0;        // where the copy is recorded, and
  uint64_t copy_begin = 0;  // when it began, which tells it from all others
  unsigned touches = 0;
  unsigned steps = 0;
  OpenedPages opened;

  bool closes(uintptr_t address) const {
    return pages.contains(address) && !opened.contains(address);
  }
};

class Flights {
 public:
  FlightId add(Flight flight);
  const std::vector<Flight>& all() const { return flights_; }
  std::vector<Flight>& all() { return flights_; }
  bool empty() const { return flights_.empty(); }

  void stream_made(StreamKey stream, bool non_blocking);
  void stream_gone(StreamKey stream);

  // What comes on `stream` comes after what HIP's rules for the default stream say.
  void enqueued(StreamKey stream);
  void event_recorded(EventKey event, StreamKey stream);
  void stream_waits(StreamKey stream, EventKey event);

  // These give back what has landed, and forget it.
  std::vector<Flight> stream_waited(StreamKey stream);
  std::vector<Flight> event_waited(EventKey event);
  std::vector<Flight> device_waited(int device);
  std::vector<Flight> memory_ended(PageRange memory);
  std::vector<Flight> dropped(FlightId id);

 private:
  using Ids = std::vector<FlightId>;  // in rising order

  void forget_oldest();
  bool is_outstanding(FlightId id) const;
  void join(Ids* into, const Ids& from) const;
  void join_blocking_streams(Ids* into) const;
  template <typename Landed>
  std::vector<Flight> take(Landed landed);
  std::vector<Flight> take_ids(const Ids& ids);

  std::vector<Flight> flights_;  // in the order of their ids
  FlightId last_id_ = 0;
  // What is known to have finished when a stream has come so far, or an event has happened.
  std::unordered_map<StreamKey, Ids> by_stream_;
  std::unordered_map<EventKey, Ids> by_event_;
  std::unordered_set<StreamKey> non_blocking_;
};

}  // namespace greta::recorder
