// Which work the host knows to be done, and by which call.
//
// The rules are the timeline's; what is in doubt is left open. Calls of several threads overlap,
// and which came first is not known: what a call sees is taken when it begins, and what it does
// counts from when it has returned. So a wait covers the work whose calls had returned before the
// wait began.
#pragma once

#include "order/timeline.h"

namespace greta::order {

// The work of each queue that is not known to be done, and where to write it when it is.
class OpenWork {
 public:
  explicit OpenWork(int64_t* known_by) : known_by_(known_by) {}

  // The next number of that queue; `cell` is where it is answered.
  void put(Queue queue, int64_t* cell);
  void put(Queue queue, Row row) { put(queue, known_by_ + row); }
  void complete(const Mark& mark);
  void complete(Row row) { known_by_[row] = row; }

 private:
  struct Open {
    uint32_t done = 0;  // numbers that are known
    std::deque<int64_t*> cells;
  };
  int64_t* known_by_;
  std::vector<Open> queues_;
};

class Completion : private Timeline {
 public:
  // `streams` may be null: the work before the first operation is not asked for.
  Completion(const greta_tables& tables, int64_t* known_by, int64_t* streams);

  void answer();

 private:
  // A call that has begun: what it saw then, to be used when it has returned.
  struct Begun {
    Row row = none;
    bool puts_work = false;
    Queue queue = none;
    uint32_t tail = 0;   // of its stream
    SharedMarks past;    // of its stream
    StreamState before;  // what its work comes after, beside that of its stream
    std::vector<std::pair<int32_t, uint32_t>> news;  // streams that it has seen, and how far
    Marks lesson;
  };
  using UnderWay = std::multimap<int64_t, Begun>;  // by the time at which the call returned

  void open_streams(int64_t* streams);
  void void_events(const greta_operation& operation);
  void begin(Row row);
  void begin_work(Begun& call);
  void let_return(const greta_operation& next);
  void let_return(UnderWay::iterator call);
  void put_work(Begun& call);
  void forget_news_seen(const Begun& call, DeviceState& device);
  SharedMarks past_with(const Begun& call);
  void learn(const Marks& lesson);

  OpenWork open_;
  UnderWay under_way_;
  std::unordered_map<int32_t, UnderWay::iterator> under_way_of_;  // by thread; the end: none
  int64_t now_ = INT64_MIN;
};

}  // namespace greta::order
