#include "order/timeline.h"

namespace greta::order {
namespace {

// Steps of joining for each operation. Programs with a few hundred streams stay far below it.
constexpr uint64_t work_of_an_operation = 512;
constexpr uint64_t least_work = uint64_t{1} << 26;

bool is_known_kind(const greta_stream& stream) {
  return stream.kind < static_cast<uint8_t>(StreamKind::unknown);
}

}  // namespace

Timeline::Timeline(const greta_tables& tables, Doubt doubt)
    : tables_(tables),
      doubt_(doubt),
      host_(tables),
      streams_(tables.stream_count),
      work_left_(least_work + work_of_an_operation * tables.operation_count) {
  same_stream_.how = GRETA_SAME_STREAM;
}

const Position& Timeline::enter(Row row) {
  host_.begin_call(row);
  const greta_operation& operation = tables_.operations[row];
  position_.stream = nullptr;
  position_.waited_for.clear();
  own_stream_ = nullptr;
  position_.ran = !did_not_run(tables_, row);
  if (!position_.ran) return position_;
  if (needs_stream(operation)) {
    enqueue(row);
  } else if (static_cast<Waits>(operation.waits) == Waits::for_device) {
    position_.waited_for = device_lesson(row, device_waited_for(operation), false);
  }
  return position_;
}

void Timeline::leave(Row row) {
  const greta_operation& operation = tables_.operations[row];
  if (!position_.ran) return;
  if (own_stream_ != nullptr) record(operation);
  if (operation.finished) host_.learn_at_return(row, lesson_of(row));
  if (kind_of(operation) == Kind::stream_destroy) retire(operation.stream);
}

void Timeline::record(const greta_operation& operation) {
  if (operation.event < 0 && operation.start_event < 0) return;  // as of most: copies cost
  const StreamState& stream = *own_stream_;
  Recorded before{stream.queue, stream.tail - 1, stream.past};
  record(operation, before, Recorded{stream.queue, stream.tail, stream.past});
}

// A launch may bring events that are recorded right before it and right behind it.
void Timeline::record(const greta_operation& operation, const Recorded& before,
                      const Recorded& behind) {
  Kind kind = kind_of(operation);
  if (kind == Kind::launch && operation.start_event >= 0) events_[operation.start_event] = before;
  if (operation.event < 0) return;
  if (kind == Kind::event_record || kind == Kind::launch) events_[operation.event] = behind;
  if (kind == Kind::graph_launch) graphs_[operation.event] = behind;
}

const Mark* Timeline::before(Queue queue, uint32_t index) {
  if (const Mark* known = host_.knows(queue, index)) return known;
  const Marks* marks = &position_.waited_for;
  if (own_stream_ != nullptr) {
    if (own_stream_->queue == queue) return &same_stream_;
    marks = own_stream_->past.get();
  }
  const Mark* mark = marks != nullptr ? find_mark(*marks, queue) : nullptr;
  return mark != nullptr && mark->index >= index ? mark : nullptr;
}

void Timeline::assume_waited(Queue queue, uint32_t index) {
  Mark mark{queue, index, none, GRETA_EVENT};
  if (own_stream_ != nullptr) {
    join_mark(*own_stream_, mark);
  } else {
    host_.learn_now(mark);
  }
}

// ---- work on streams

bool Timeline::needs_stream(const greta_operation& operation) const {
  const greta_allocation* allocation = allocation_at(tables_, operation.allocation);
  switch (kind_of(operation)) {
    case Kind::copy:
    case Kind::fill:
    case Kind::launch:
    case Kind::graph_launch:
    case Kind::host_function:
    case Kind::event_record:
    case Kind::prefetch:
      return true;
    case Kind::stream_wait_event:  // for an event that was never recorded it does nothing
      return operation.event < 0 || events_.count(operation.event) != 0;
    case Kind::allocate:
      return allocation != nullptr && allocation->memory == memory_pool && operation.stream >= 0;
    case Kind::free:
      return allocation != nullptr && allocation->free_stream >= 0 && operation.stream >= 0;
    default:
      return false;
  }
}

void Timeline::enqueue(Row row) {
  const greta_operation& operation = tables_.operations[row];
  const greta_stream* facts = stream_at(tables_, operation.stream);
  position_.ran = facts != nullptr;
  unknown_streams += facts == nullptr || !is_known_kind(*facts);
  if (facts == nullptr) return;
  StreamState& stream = streams_[operation.stream];
  open_queue(stream);
  join_what_comes_before(row, *facts, stream);
  if (is_default(kind_of_stream(*facts))) forget_news(devices_[facts->device]);
  put(row, *facts, stream);
  own_stream_ = &stream;
  position_.stream = &stream;
  position_.index = stream.tail;
}

StreamKind Timeline::kind_of_stream(const greta_stream& stream) const {
  if (is_known_kind(stream)) return static_cast<StreamKind>(stream.kind);
  return doubt_ == Doubt::ordered ? StreamKind::blocking : StreamKind::non_blocking;
}

void Timeline::join_what_comes_before(Row row, const greta_stream& facts, StreamState& stream) {
  const greta_operation& operation = tables_.operations[row];
  DeviceState& device = devices_[facts.device];
  StreamKind kind = kind_of_stream(facts);
  if (is_default(kind)) join_blocking_streams(row, stream, device);
  if (work_waits_for(kind, StreamKind::legacy)) join_default_stream(row, stream, device);
  if (kind_of(operation) == Kind::stream_wait_event) join_event(row, stream);
  if (kind_of(operation) == Kind::graph_launch) join_graph(row, stream);
  if (static_cast<Waits>(operation.waits) == Waits::for_device) {
    join(stream, device_lesson(row, device_waited_for(operation), false));
  }
}

void Timeline::put(Row row, const greta_stream& facts, StreamState& stream) {
  stream.tail = ++queues_[stream.queue];
  const greta_operation& operation = tables_.operations[row];
  if (kind_of(operation) == Kind::host_function) callbacks_[stream.queue] = stream.tail;
  note_work(operation.stream, facts, devices_[facts.device]);
}

void Timeline::open_queue(StreamState& stream) {
  if (stream.queue != none) return;
  // A few of the oldest are looked at: those that still have work to do stay where they are.
  for (size_t tries = std::min<size_t>(retired_.size(), 4); tries > 0; --tries) {
    StreamState& old = streams_[retired_.front()];
    retired_.pop_front();
    if (old.queue == none) continue;  // it was destroyed twice
    if (is_known_to_host(old)) {
      stream.queue = old.queue;
      old.queue = none;
      old.tail = 0;
      old.past = nullptr;
      return;
    }
    retired_.push_back(static_cast<int32_t>(&old - streams_.data()));
  }
  stream.queue = static_cast<Queue>(queues_.size());
  queues_.push_back(0);
  callbacks_.push_back(0);
  polls_.push_back(0);
}

// Its work, and what that waited for: where a wait was only assumed, one may be without the other.
bool Timeline::is_known_to_host(const StreamState& stream) const {
  if (host_.knows(stream.queue, queues_[stream.queue]) == nullptr) return false;
  if (stream.past == nullptr) return true;
  return std::all_of(stream.past->begin(), stream.past->end(), [&](const Mark& mark) {
    return host_.knows(mark.queue, mark.index) != nullptr;
  });
}

void Timeline::retire(int32_t row) {
  if (stream_at(tables_, row) != nullptr && streams_[row].queue != none) retired_.push_back(row);
}

void Timeline::join_default_stream(Row row, StreamState& stream, DeviceState& device) {
  if (device.default_stream < 0) return;
  const StreamState& other = streams_[device.default_stream];
  if (other.queue == none) return;
  if (other.queue == stream.default_queue && other.tail <= stream.default_seen) return;
  stream.default_queue = other.queue;
  stream.default_seen = other.tail;
  if (other.past != nullptr) join(stream, *other.past);
  join_mark(stream, Mark{other.queue, other.tail, row, GRETA_DEFAULT_STREAM});
}

void Timeline::join_blocking_streams(Row row, StreamState& stream, const DeviceState& device) {
  for (int32_t other_row : device.news) {
    const StreamState& other = streams_[other_row];
    if (other.queue == none) continue;
    if (other.past != nullptr) join(stream, *other.past);
    join_mark(stream, Mark{other.queue, other.tail, row, GRETA_DEFAULT_STREAM});
  }
}

void Timeline::forget_news(DeviceState& device) {
  for (int32_t row : device.news) streams_[row].news = false;
  device.news.clear();
}

void Timeline::join_event(Row row, StreamState& stream) {
  auto found = events_.find(tables_.operations[row].event);
  if (found == events_.end()) {  // of an unknown event nothing is sure
    ++unknown_events;
    join(stream, lesson_of_everything(row));
    return;
  }
  const Recorded& event = found->second;
  if (event.queue == stream.queue) return;
  if (event.past != nullptr) join(stream, *event.past);
  join_mark(stream, Mark{event.queue, event.index, row, GRETA_EVENT});
}

void Timeline::join_graph(Row row, StreamState& stream) {
  const greta_operation& operation = tables_.operations[row];
  auto found = operation.event < 0 ? graphs_.end() : graphs_.find(operation.event);
  if (found == graphs_.end()) return;
  const Recorded& last = found->second;
  if (last.queue == stream.queue) return;
  if (last.past != nullptr) join(stream, *last.past);
  join_mark(stream, Mark{last.queue, last.index, row, GRETA_SAME_GRAPH});
}

void Timeline::note_work(int32_t row, const greta_stream& facts, DeviceState& device) {
  StreamState& stream = streams_[row];
  if (is_default(kind_of_stream(facts))) device.default_stream = row;
  if (!stream.unfinished) device.unfinished.push_back(row);
  stream.unfinished = true;
  if (!work_waits_for(StreamKind::legacy, kind_of_stream(facts)) || stream.news) return;
  device.news.push_back(row);
  stream.news = true;
}

void Timeline::join(StreamState& stream, const Marks& marks) {
  if (marks.empty()) return;
  if (stream.past != nullptr && stream.past.get() == &marks) return;
  static const Marks nothing;
  const Marks& own = stream.past != nullptr ? *stream.past : nothing;
  count_work(own.size() + marks.size());
  stream.past = std::make_shared<Marks>(joined(own, marks, [&](const Mark& mark) {
    return mark.queue == stream.queue || host_.knows(mark.queue, mark.index) != nullptr;
  }));
}

void Timeline::join_mark(StreamState& stream, const Mark& mark) {
  if (mark.queue == stream.queue || host_.knows(mark.queue, mark.index) != nullptr) return;
  if (stream.past == nullptr) stream.past = std::make_shared<Marks>();
  const Mark* present = find_mark(*stream.past, mark.queue);
  if (present != nullptr && present->index >= mark.index) return;
  if (present == nullptr || stream.past.use_count() > 1) {
    join(stream, Marks{mark});
  } else {
    const_cast<Mark&>(*present) = mark;
  }
}

void Timeline::count_work(size_t steps) {
  if (steps > work_left_) throw TooMuchWork();
  work_left_ -= steps;
}

// ---- what the host learns

Marks Timeline::lesson_of(Row row) {
  const greta_operation& operation = tables_.operations[row];
  if (static_cast<Waits>(operation.waits) != Waits::for_it || own_stream_ == nullptr) {
    return lesson_of_wait(row);
  }
  Marks lesson;
  add_work(*own_stream_, row, lesson);
  return sorted_and_unique(std::move(lesson));
}

Marks Timeline::lesson_of_wait(Row row) {
  const greta_operation& operation = tables_.operations[row];
  switch (kind_of(operation)) {
    case Kind::wait_stream:
    case Kind::query_stream:
      return stream_lesson(row);
    case Kind::wait_event:
    case Kind::query_event:
      return event_lesson(row);
    case Kind::wait_device:
    case Kind::reset:
      return device_lesson(row, operation.device, false);
    default:
      break;
  }
  if (static_cast<Waits>(operation.waits) != Waits::for_device) return {};
  return device_lesson(row, device_waited_for(operation), false);
}

// hipErrorNotReady is not a failure of the call, but no answer that orders anything either.
Marks Timeline::stream_lesson(Row row) {
  const greta_operation& operation = tables_.operations[row];
  if (operation.result != 0) return {};
  const greta_stream* facts = stream_at(tables_, operation.stream);
  if (facts == nullptr || (doubt_ == Doubt::open && stands_for_several(*facts))) {
    ++unknown_streams;
    return lesson_of_everything(row);
  }
  Marks lesson;
  if (is_default(kind_of_stream(*facts))) {
    add_unfinished(devices_[facts->device], row, true, lesson);
  }
  add_work(streams_[operation.stream], row, lesson);
  return sorted_and_unique(std::move(lesson));
}

Marks Timeline::event_lesson(Row row) {
  const greta_operation& operation = tables_.operations[row];
  if (operation.result != 0) return {};
  if (operation.event < 0) {
    ++unknown_events;
    return lesson_of_everything(row);
  }
  auto found = events_.find(operation.event);
  if (found == events_.end()) return {};
  const Recorded& event = found->second;
  StreamState marker;
  marker.queue = event.queue;
  marker.tail = event.index;
  marker.past = event.past;
  Marks lesson;
  add_work(marker, row, lesson);
  return sorted_and_unique(std::move(lesson));
}

Marks Timeline::device_lesson(Row row, int32_t device, bool only_blocking) {
  if (tables_.operations[row].result != 0) return {};
  if (device < 0) return lesson_of_everything(row);
  Marks lesson;
  auto found = devices_.find(device);
  if (found != devices_.end()) add_unfinished(found->second, row, only_blocking, lesson);
  return sorted_and_unique(std::move(lesson));
}

// What was waited for is not known: taken for all work, or for none.
Marks Timeline::lesson_of_everything(Row row) {
  Marks lesson;
  if (doubt_ == Doubt::open) return lesson;
  for (auto& [number, device] : devices_) add_unfinished(device, row, false, lesson);
  return sorted_and_unique(std::move(lesson));
}

void Timeline::add_unfinished(DeviceState& device, Row row, bool only_blocking, Marks& lesson) {
  auto is_done = [&](int32_t stream_row) {
    StreamState& stream = streams_[stream_row];
    if (stream.queue != none && !is_known_to_host(stream)) return false;
    stream.unfinished = false;
    return true;
  };
  auto& streams = device.unfinished;
  count_work(streams.size());
  streams.erase(std::remove_if(streams.begin(), streams.end(), is_done), streams.end());
  for (int32_t stream_row : streams) {
    StreamKind kind = kind_of_stream(tables_.streams[stream_row]);
    if (only_blocking && !host_wait_covers(StreamKind::legacy, kind)) continue;
    add_work(streams_[stream_row], row, lesson);
  }
}

void Timeline::add_work(const StreamState& stream, Row row, Marks& lesson) {
  if (stream.queue == none) return;
  // Behind nothing of its own, a start event may still stand for work of other streams.
  if (stream.tail > 0) lesson.push_back({stream.queue, stream.tail, row, GRETA_HOST_WAITED});
  if (stream.past == nullptr) return;
  count_work(stream.past->size());
  for (Mark mark : *stream.past) {
    mark.via = row;
    mark.how = GRETA_HOST_WAITED;
    lesson.push_back(mark);
  }
}

Marks Timeline::sorted_and_unique(Marks lesson) {
  if (lesson.size() < 2) return lesson;
  std::sort(lesson.begin(), lesson.end(), [](const Mark& left, const Mark& right) {
    return left.queue != right.queue ? left.queue < right.queue : left.index > right.index;
  });
  auto same = [](const Mark& left, const Mark& right) { return left.queue == right.queue; };
  lesson.erase(std::unique(lesson.begin(), lesson.end(), same), lesson.end());
  return lesson;
}

// A free waits for the device that owns the memory, whichever is the current one.
int32_t Timeline::device_waited_for(const greta_operation& operation) const {
  const greta_allocation* allocation = allocation_at(tables_, operation.allocation);
  if (kind_of(operation) == Kind::free && allocation != nullptr && allocation->device >= 0) {
    return allocation->device;
  }
  return operation.device;
}

}  // namespace greta::order
