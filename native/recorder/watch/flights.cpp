#include "recorder/watch/flights.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace greta::recorder {
namespace {

constexpr StreamKey kLegacy = 0;
// More copies than this without a wait: the oldest quarter is taken for landed.
constexpr size_t kMostFlights = 1024;

}  // namespace

void OpenedPages::add(PageRange range) {
  if (used_ == kMost) {
    all_ = true;
    return;
  }
  ranges_[used_++] = range;
}

bool OpenedPages::contains(uintptr_t address) const {
  if (all_) return true;
  return std::any_of(ranges_.begin(), ranges_.begin() + used_,
                     [&](const PageRange& range) { return range.contains(address); });
}

void OpenedPages::add_borders(std::vector<uintptr_t>* borders) const {
  for (unsigned i = 0; i < used_; ++i) {
    borders->push_back(ranges_[i].begin);
    borders->push_back(ranges_[i].end);
  }
}

bool HostSide::contains(uintptr_t address) const {
  if (address < begin || address >= end) return false;
  return pitch == 0 || (address - begin) % pitch < width;
}

FlightId Flights::add(Flight flight) {
  if (flights_.size() >= kMostFlights) forget_oldest();
  flight.id = ++last_id_;
  by_stream_[flight.stream].push_back(flight.id);
  flights_.push_back(flight);
  return flight.id;
}

void Flights::forget_oldest() {
  flights_.erase(flights_.begin(), flights_.begin() + kMostFlights / 4);
  for (auto& entry : by_stream_) join(&entry.second, {});
  for (auto& entry : by_event_) join(&entry.second, {});
}

void Flights::stream_made(StreamKey stream, bool non_blocking) {
  stream_gone(stream);
  if (non_blocking) non_blocking_.insert(stream);
}

void Flights::stream_gone(StreamKey stream) {
  by_stream_.erase(stream);
  non_blocking_.erase(stream);
}

bool Flights::is_outstanding(FlightId id) const {
  const auto at = std::lower_bound(flights_.begin(), flights_.end(), id,
                                   [](const Flight& f, FlightId wanted) { return f.id < wanted; });
  return at != flights_.end() && at->id == id;
}

// Both keep only what is still in flight, so that neither grows for ever.
void Flights::join(Ids* into, const Ids& from) const {
  Ids joined;
  std::set_union(into->begin(), into->end(), from.begin(), from.end(), std::back_inserter(joined));
  joined.erase(std::remove_if(joined.begin(), joined.end(),
                              [this](FlightId id) { return !is_outstanding(id); }),
               joined.end());
  *into = std::move(joined);
}

void Flights::join_blocking_streams(Ids* into) const {
  for (const auto& [stream, ids] : by_stream_) {
    if (non_blocking_.count(stream) == 0) join(into, ids);
  }
}

void Flights::enqueued(StreamKey stream) {
  if (flights_.empty() || non_blocking_.count(stream) != 0) return;
  Ids known = by_stream_[stream];
  if (stream == kLegacy) {
    join_blocking_streams(&known);
  } else {
    join(&known, by_stream_[kLegacy]);
  }
  by_stream_[stream] = std::move(known);
}

void Flights::event_recorded(EventKey event, StreamKey stream) {
  enqueued(stream);
  by_event_.erase(event);
  if (!flights_.empty()) by_event_[event] = by_stream_[stream];
}

void Flights::stream_waits(StreamKey stream, EventKey event) {
  const auto known = by_event_.find(event);
  if (known != by_event_.end()) join(&by_stream_[stream], known->second);
}

template <typename Landed>
std::vector<Flight> Flights::take(Landed landed) {
  const auto first_landed = std::stable_partition(flights_.begin(), flights_.end(),
                                                  [&](const Flight& f) { return !landed(f); });
  std::vector<Flight> taken(first_landed, flights_.end());
  flights_.erase(first_landed, flights_.end());
  return taken;
}

std::vector<Flight> Flights::take_ids(const Ids& ids) {
  return take([&](const Flight& f) { return std::binary_search(ids.begin(), ids.end(), f.id); });
}

std::vector<Flight> Flights::stream_waited(StreamKey stream) {
  enqueued(stream);
  const auto known = by_stream_.find(stream);
  if (known == by_stream_.end()) return {};
  const Ids ids = std::move(known->second);
  by_stream_.erase(known);
  return take_ids(ids);
}

std::vector<Flight> Flights::event_waited(EventKey event) {
  const auto known = by_event_.find(event);
  if (known == by_event_.end()) return {};
  return take_ids(known->second);
}

std::vector<Flight> Flights::device_waited(int device) {
  return take([&](const Flight& f) { return f.device == device; });
}

std::vector<Flight> Flights::memory_ended(PageRange memory) {
  return take(
      [&](const Flight& f) { return f.side.begin < memory.end && memory.begin < f.side.end; });
}

std::vector<Flight> Flights::dropped(FlightId id) {
  return take([&](const Flight& f) { return f.id == id; });
}

}  // namespace greta::recorder
