#include "recorder/watch/flights.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace greta::recorder {
namespace {

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
  flight.stream = as_made(flight.stream);
  ids_of(flight.stream).push_back(flight.id);
  flights_.push_back(flight);
  return flight.id;
}

void Flights::forget_oldest() {
  flights_.erase(flights_.begin(), flights_.begin() + kMostFlights / 4);
  for (auto& entry : by_stream_) join(&entry.second.ids, {});
  for (auto& entry : by_event_) join(&entry.second, {});
}

void Flights::stream_made(const Stream& stream) {
  stream_gone(stream);
  made_[stream.key] = stream;
}

void Flights::stream_gone(const Stream& stream) {
  by_stream_.erase(stream.key);
  made_.erase(stream.key);
}

// A stream that was made before anybody looked is taken for a blocking one, as most are.
Stream Flights::as_made(Stream stream) const {
  if (stream.kind != StreamKind::unknown) return stream;
  const auto made = made_.find(stream.key);
  if (made != made_.end()) return made->second;
  stream.kind = StreamKind::blocking;
  return stream;
}

Flights::Ids& Flights::ids_of(const Stream& stream) {
  Reach& reach = by_stream_[stream.key];
  reach.stream = stream;
  return reach.ids;
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

template <typename Rule>
void Flights::join_streams(const Stream& stream, Rule waits_for, Ids* into) const {
  for (const auto& [key, other] : by_stream_) {
    if (key == stream.key || other.stream.device != stream.device) continue;
    if (waits_for(stream.kind, other.stream.kind)) join(into, other.ids);
  }
}

void Flights::enqueued(const Stream& handle) {
  if (flights_.empty()) return;
  const Stream stream = as_made(handle);
  Ids known = ids_of(stream);
  join_streams(stream, order::work_waits_for, &known);
  ids_of(stream) = std::move(known);
}

void Flights::event_recorded(EventKey event, const Stream& stream) {
  enqueued(stream);
  by_event_.erase(event);
  if (!flights_.empty()) by_event_[event] = ids_of(as_made(stream));
}

void Flights::stream_waits(const Stream& stream, EventKey event) {
  const auto known = by_event_.find(event);
  if (known == by_event_.end()) return;
  enqueued(stream);
  join(&ids_of(as_made(stream)), known->second);
}

template <typename Landed>
std::vector<Flight> Flights::take(Landed landed) {
  const auto first_landed = std::stable_partition(flights_.begin(), flights_.end(),
                                                  [&](const Flight& f) { return !landed(f); });
  std::vector<Flight> taken(first_landed, flights_.end());
  flights_.erase(first_landed, flights_.end());
  if (flights_.empty()) {  // nothing is left that they could stand for
    by_stream_.clear();
    by_event_.clear();
  }
  return taken;
}

std::vector<Flight> Flights::take_ids(const Ids& ids) {
  return take([&](const Flight& f) { return std::binary_search(ids.begin(), ids.end(), f.id); });
}

std::vector<Flight> Flights::stream_waited(const Stream& handle) {
  if (flights_.empty()) return {};
  const Stream stream = as_made(handle);
  Ids ids = std::move(ids_of(stream));
  by_stream_.erase(stream.key);
  join_streams(stream, order::host_wait_covers, &ids);
  return take_ids(ids);
}

std::vector<Flight> Flights::event_waited(EventKey event) {
  const auto known = by_event_.find(event);
  if (known == by_event_.end()) return {};
  return take_ids(known->second);
}

std::vector<Flight> Flights::device_waited(int device) {
  return take([&](const Flight& f) { return f.stream.device == device; });
}

std::vector<Flight> Flights::memory_ended(PageRange memory) {
  return take(
      [&](const Flight& f) { return f.side.begin < memory.end && memory.begin < f.side.end; });
}

std::vector<Flight> Flights::dropped(FlightId id) {
  return take([&](const Flight& f) { return f.id == id; });
}

}  // namespace greta::recorder
