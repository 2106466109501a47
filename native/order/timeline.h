// HIP's rules of order, folded over the operations of a trace one after the other.
#pragma once

#include <deque>
#include <stdexcept>
#include <unordered_map>

#include "order/host.h"

namespace greta::order {

// The work would be out of all proportion: thousands of streams that all know of each other.
class TooMuchWork : public std::runtime_error {
 public:
  TooMuchWork() : std::runtime_error("too many streams wait for each other") {}
};

struct StreamState {
  Queue queue = none;
  uint32_t tail = 0;           // the number of its last work; 0: none yet
  SharedMarks past;            // what its last work waits for, beside what the host knew
  Queue default_queue = none;  // the default stream that it waits for,
  uint32_t default_seen = 0;   // and how much of it
  bool unfinished = false;     // is in its device's list of those
  bool news = false;  // is in its device's list of those that the default stream has not seen
};

// Where the operation at hand stands. `stream` is null for what the host does itself.
struct Position {
  const StreamState* stream = nullptr;
  uint32_t index = 0;
  Marks waited_for;  // of the host's own operation: what it waited for before it acted
  bool ran = false;
};

// What to make of what is not known: which of two calls that overlap in time came first, which
// stream or event is waited for, whether a stream is blocking.
enum class Doubt : uint8_t {
  ordered,  // to find missing order: who may be right is not accused
  open,     // to find what is done: only what is sure counts
};

class Timeline {
 public:
  explicit Timeline(const greta_tables& tables, Doubt doubt = Doubt::ordered);

  // The operation at hand; rows must come one after the other. `leave` it before the next.
  const Position& enter(Row row);
  void leave(Row row);

  // How work with that number is over before the operation at hand begins, or null.
  const Mark* before(Queue queue, uint32_t index);
  bool host_knows(Queue queue, uint32_t index) const { return host_.knows(queue, index); }
  bool has_returned(Row row) const { return host_.has_returned(row); }

  // From now on as if the operation at hand had waited for that work.
  void assume_waited(Queue queue, uint32_t index);

  bool callback_after(Queue queue, uint32_t index) const { return callbacks_[queue] > index; }
  bool polled_after(Queue queue, uint32_t index) const { return polls_[queue] > index; }
  void note_poll(const Position& at) { polls_[at.stream->queue] = at.index; }

  int64_t unknown_streams = 0;
  int64_t unknown_events = 0;

 protected:
  struct DeviceState {
    int32_t default_stream = -1;
    std::vector<int32_t> unfinished;  // streams with work that the host does not know to be done
    std::vector<int32_t> news;        // blocking streams that worked since the default stream did
  };
  struct Recorded {
    Queue queue = none;
    uint32_t index = 0;
    SharedMarks past;
  };

  bool needs_stream(const greta_operation& operation) const;
  StreamKind kind_of_stream(const greta_stream& stream) const;
  void join_what_comes_before(Row row, const greta_stream& facts, StreamState& stream);
  void put(Row row, const greta_stream& facts, StreamState& stream);
  void open_queue(StreamState& stream);
  void join_default_stream(Row row, StreamState& stream, DeviceState& device);
  void join_blocking_streams(Row row, StreamState& stream, const DeviceState& device);
  void forget_news(DeviceState& device);
  void join_event(Row row, StreamState& stream);
  void join_graph(Row row, StreamState& stream);
  void note_work(int32_t row, const greta_stream& facts, DeviceState& device);
  void join(StreamState& stream, const Marks& marks);
  void join_mark(StreamState& stream, const Mark& mark);

  Marks lesson_of_wait(Row row);
  Marks stream_lesson(Row row);
  Marks event_lesson(Row row);
  Marks device_lesson(Row row, int32_t device, bool only_blocking);
  Marks lesson_of_everything(Row row);
  void add_work(const StreamState& stream, Row row, Marks& lesson);
  void add_unfinished(DeviceState& device, Row row, bool only_blocking, Marks& lesson);
  Marks sorted_and_unique(Marks lesson);
  int32_t device_waited_for(const greta_operation& operation) const;

  void record(const greta_operation& operation, const Recorded& before, const Recorded& behind);
  bool is_known_to_host(const StreamState& stream) const;
  void count_work(size_t steps);

  const greta_tables& tables_;
  Doubt doubt_;
  Host host_;
  std::vector<StreamState> streams_;
  std::vector<uint32_t> queues_;     // the last number given, by queue
  std::vector<uint32_t> polls_;      // the same of kernels that wrote memory of the host
  std::vector<uint32_t> callbacks_;  // the number of the last host function, by queue
  std::deque<int32_t> retired_;      // destroyed streams that may leave their queue to others
  std::map<int32_t, DeviceState> devices_;
  std::unordered_map<int32_t, Recorded> events_;
  std::unordered_map<int32_t, Recorded> graphs_;
  uint64_t work_left_;

 private:
  void enqueue(Row row);
  void record(const greta_operation& operation);
  Marks lesson_of(Row row);
  void retire(int32_t stream);

  Position position_;
  StreamState* own_stream_ = nullptr;  // of the operation at hand, to be changed
  Mark same_stream_;                   // what `before` answers with for work of the same stream
};

}  // namespace greta::order
