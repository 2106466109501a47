// Copies between the device and pinned host memory that the host does not yet know to have
// finished: which they are, and which of them a wait covers. Which stream waits for which is said
// in order/stream_rules.h; what is kept is only the copies. Plain bookkeeping; the pages are
// host_watch's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "order/stream_rules.h"

namespace greta::recorder {

using order::StreamKind;

// Streams and events by what stands for them.
using StreamKey = uint64_t;
using EventKey = uint64_t;
using FlightId = uint64_t;

struct Stream {
  StreamKey key = 0;
  StreamKind kind = StreamKind::unknown;  // unknown: as it was when it was made, if that was seen
  int device = 0;
};

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
  Stream stream;
  uint64_t stream_handle = 0;
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

  void stream_made(const Stream& stream);
  void stream_gone(const Stream& stream);

  // Work was put on the stream, and comes after what HIP's rules for streams say.
  void enqueued(const Stream& stream);
  void event_recorded(EventKey event, const Stream& stream);
  void stream_waits(const Stream& stream, EventKey event);

  // These give back what has landed, and forget it.
  std::vector<Flight> stream_waited(const Stream& stream);
  std::vector<Flight> event_waited(EventKey event);
  std::vector<Flight> device_waited(int device);
  std::vector<Flight> memory_ended(PageRange memory);
  std::vector<Flight> dropped(FlightId id);

 private:
  using Ids = std::vector<FlightId>;  // in rising order

  // What is known to have finished when the work that a stream has now is done.
  struct Reach {
    Stream stream;
    Ids ids;
  };

  Stream as_made(Stream stream) const;
  Ids& ids_of(const Stream& stream);
  template <typename Rule>
  void join_streams(const Stream& stream, Rule waits_for, Ids* into) const;
  void forget_oldest();
  bool is_outstanding(FlightId id) const;
  void join(Ids* into, const Ids& from) const;
  template <typename Landed>
  std::vector<Flight> take(Landed landed);
  std::vector<Flight> take_ids(const Ids& ids);

  std::vector<Flight> flights_;  // in the order of their ids
  FlightId last_id_ = 0;
  std::unordered_map<StreamKey, Reach> by_stream_;
  std::unordered_map<EventKey, Ids> by_event_;  // the same, when an event has happened
  std::unordered_map<StreamKey, Stream> made_;
};

}  // namespace greta::recorder
