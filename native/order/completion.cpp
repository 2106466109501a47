#include "order/completion.h"

#include <utility>

namespace greta::order {

void OpenWork::put(Queue queue, int64_t* cell) {
  if (queue >= queues_.size()) queues_.resize(queue + 1);
  queues_[queue].cells.push_back(cell);
}

void OpenWork::complete(const Mark& mark) {
  if (mark.queue >= queues_.size()) return;
  Open& open = queues_[mark.queue];
  for (; open.done < mark.index && !open.cells.empty(); ++open.done) {
    if (*open.cells.front() < 0) *open.cells.front() = mark.via;
    open.cells.pop_front();
  }
}

Completion::Completion(const greta_tables& tables, int64_t* known_by, int64_t* streams)
    : Timeline(tables, Doubt::open), open_(known_by) {
  std::fill_n(known_by, tables.operation_count, int64_t{-1});
  if (streams != nullptr) open_streams(streams);
}

void Completion::open_streams(int64_t* streams) {
  std::fill_n(streams, tables_.stream_count, int64_t{-1});
  for (int32_t row = 0; row < tables_.stream_count; ++row) {
    const greta_stream& facts = tables_.streams[row];
    StreamState& stream = streams_[row];
    open_queue(stream);
    stream.tail = ++queues_[stream.queue];
    note_work(row, facts, devices_[facts.device]);
    open_.put(stream.queue, streams + row);
  }
}

void Completion::answer() {
  for (Row row = 0; row < tables_.operation_count; ++row) {
    pass_row(tables_, row);
    let_return(tables_.operations[row]);
    if (did_not_run(tables_, row)) continue;
    void_events(tables_.operations[row]);
    if (tables_.operations[row].finished) begin(row);
  }
  while (!under_way_.empty()) let_return(under_way_.begin());
}

// While an event is being recorded, nobody can tell which record a wait would find.
void Completion::void_events(const greta_operation& operation) {
  Kind kind = kind_of(operation);
  if (kind != Kind::event_record && kind != Kind::launch) return;
  if (operation.event >= 0) events_.erase(operation.event);
  if (kind == Kind::launch && operation.start_event >= 0) events_.erase(operation.start_event);
}

void Completion::begin(Row row) {
  const greta_operation& operation = tables_.operations[row];
  Begun call;
  call.row = row;
  call.lesson = lesson_of_wait(row);
  if (needs_stream(operation) && stream_at(tables_, operation.stream) != nullptr) begin_work(call);
  bool waits_for_it = static_cast<Waits>(operation.waits) == Waits::for_it;
  if (!call.puts_work && !waits_for_it && call.lesson.empty()) return;
  under_way_of_[operation.thread] = under_way_.emplace(operation.end, std::move(call));
}

void Completion::begin_work(Begun& call) {
  const greta_operation& operation = tables_.operations[call.row];
  const greta_stream& facts = tables_.streams[operation.stream];
  StreamState& stream = streams_[operation.stream];
  open_queue(stream);
  call.puts_work = true;
  call.queue = stream.queue;
  call.tail = stream.tail;
  call.past = stream.past;
  call.before.queue = stream.queue;
  call.before.default_queue = stream.default_queue;
  call.before.default_seen = stream.default_seen;
  join_what_comes_before(call.row, facts, call.before);
  if (!is_default(kind_of_stream(facts))) return;
  for (int32_t other : devices_[facts.device].news) {
    call.news.emplace_back(other, streams_[other].tail);
  }
}

// A call of the same thread has returned before the next one begins, whatever the clocks say.
void Completion::let_return(const greta_operation& next) {
  now_ = std::max(now_, next.begin);
  if (under_way_.empty()) return;
  auto own = under_way_of_.find(next.thread);
  if (own != under_way_of_.end() && own->second != under_way_.end()) let_return(own->second);
  while (!under_way_.empty() && under_way_.begin()->first <= now_) let_return(under_way_.begin());
}

void Completion::let_return(UnderWay::iterator returned) {
  Begun call = std::move(returned->second);
  const greta_operation& operation = tables_.operations[call.row];
  auto own = under_way_of_.find(operation.thread);
  if (own != under_way_of_.end() && own->second == returned) own->second = under_way_.end();
  under_way_.erase(returned);
  if (call.puts_work) put_work(call);
  if (static_cast<Waits>(operation.waits) == Waits::for_it) open_.complete(call.row);
  learn(call.lesson);
}

// If others put work on the stream meanwhile, theirs may come before or behind: then an event that
// was recorded with it, and a wait for it, stand for what was there when the call began.
void Completion::put_work(Begun& call) {
  const greta_operation& operation = tables_.operations[call.row];
  const greta_stream& facts = tables_.streams[operation.stream];
  StreamState& stream = streams_[operation.stream];
  bool is_alone = stream.tail == call.tail;
  Recorded seen{call.queue, call.tail, nullptr};
  if (!is_alone || operation.start_event >= 0) seen.past = past_with(call);
  if (call.before.past != nullptr) join(stream, *call.before.past);
  stream.default_queue = call.before.default_queue;
  stream.default_seen = call.before.default_seen;
  forget_news_seen(call, devices_[facts.device]);
  put(call.row, facts, stream);
  open_.put(stream.queue, call.row);
  if (stands_for_several(facts)) return;  // which of them an event or a wait is for is not known
  bool waits_for_it = static_cast<Waits>(operation.waits) == Waits::for_it;
  if (operation.event < 0 && operation.start_event < 0 && !waits_for_it) return;
  Recorded behind = is_alone ? Recorded{stream.queue, stream.tail, stream.past} : seen;
  record(operation, seen, behind);
  if (!waits_for_it) return;
  StreamState reached;
  reached.queue = behind.queue;
  reached.tail = behind.index;
  reached.past = behind.past;
  add_work(reached, call.row, call.lesson);
}

SharedMarks Completion::past_with(const Begun& call) {
  StreamState seen;
  seen.queue = call.queue;
  seen.past = call.past;
  if (call.before.past != nullptr) join(seen, *call.before.past);
  return seen.past;
}

void Completion::forget_news_seen(const Begun& call, DeviceState& device) {
  for (auto [row, tail] : call.news) {
    if (streams_[row].tail == tail) streams_[row].news = false;
  }
  auto is_seen = [&](int32_t row) { return !streams_[row].news; };
  if (!call.news.empty()) {
    device.news.erase(std::remove_if(device.news.begin(), device.news.end(), is_seen),
                      device.news.end());
  }
}

void Completion::learn(const Marks& lesson) {
  for (const Mark& mark : lesson) {
    host_.learn_now(mark);
    open_.complete(mark);
  }
}

}  // namespace greta::order
