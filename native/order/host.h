// What the host knows to be done, as its calls begin and return.
#pragma once

#include <map>
#include <unordered_map>

#include "order/marks.h"

namespace greta::order {

// All threads of the host share what they know: a call that began after another one returned, in
// whatever thread, is after it. What a wait teaches counts from the first call that begins after
// the wait returned, or that the same thread makes.
class Host {
 public:
  explicit Host(const greta_tables& tables) : tables_(tables) {}

  // To be called for each row, in order, before anything else.
  void begin_call(Row row);

  // `lesson` is known when the call of that row returns.
  void learn_at_return(Row row, Marks lesson);
  void learn_now(const Mark& mark);

  bool has_returned(Row row) const;

  // How the host knows that this much of the queue is done, or null.
  const Mark* knows(Queue queue, uint32_t index) const {
    return queue < known_.size() && known_[queue].index >= index ? &known_[queue] : nullptr;
  }

 private:
  struct Lesson {
    int32_t thread;
    Marks marks;
  };
  using Pending = std::multimap<int64_t, Lesson>;  // by the time at which the call returned

  void learn(Pending::iterator lesson);

  const greta_tables& tables_;
  std::vector<Mark> known_;  // by queue
  Pending pending_;
  std::unordered_map<int32_t, Pending::iterator> pending_of_;
  std::unordered_map<int32_t, Row> last_call_;
  int64_t now_ = INT64_MIN;
};

}  // namespace greta::order
