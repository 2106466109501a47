#include "order/host.h"

namespace greta::order {

void Host::begin_call(Row row) {
  const greta_operation& call = tables_.operations[row];
  now_ = std::max(now_, call.begin);
  last_call_[call.thread] = row;
  if (pending_.empty()) return;
  if (auto own = pending_of_.find(call.thread); own != pending_of_.end()) learn(own->second);
  while (!pending_.empty() && pending_.begin()->first <= now_) learn(pending_.begin());
}

void Host::learn_at_return(Row row, Marks lesson) {
  const greta_operation& call = tables_.operations[row];
  if (!call.finished || lesson.empty()) return;
  auto place = pending_.emplace(call.end, Lesson{call.thread, std::move(lesson)});
  pending_of_[call.thread] = place;
}

void Host::learn(Pending::iterator lesson) {
  for (const Mark& mark : lesson->second.marks) learn_now(mark);
  pending_of_.erase(lesson->second.thread);
  pending_.erase(lesson);
}

void Host::learn_now(const Mark& mark) {
  if (mark.queue >= known_.size()) known_.resize(mark.queue + 1);
  raise_mark(known_[mark.queue], mark);
}

bool Host::has_returned(Row row) const {
  const greta_operation& call = tables_.operations[row];
  if (!call.finished) return false;
  auto last = last_call_.find(call.thread);
  return call.end <= now_ || (last != last_call_.end() && last->second > row);
}

}  // namespace greta::order
