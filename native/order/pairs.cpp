#include "order/pairs.h"

namespace greta::order {

PairAnswers::PairAnswers(const greta_tables& tables, greta_pair* pairs, int64_t count)
    : tables_(tables), timeline_(tables) {
  for (greta_pair* pair = pairs; pair != pairs + count; ++pair) {
    pair->via = -1;
    pair->how = is_askable(*pair) ? GRETA_UNORDERED : GRETA_NOT_RUN;
    if (!is_askable(*pair) || pair->first >= pair->second) continue;
    pair->how = GRETA_NOT_ANSWERED;
    pairs_.push_back(pair);
    places_[static_cast<Row>(pair->first)];
  }
  std::stable_sort(
      pairs_.begin(), pairs_.end(),
      [](const greta_pair* left, const greta_pair* right) { return left->second < right->second; });
}

bool PairAnswers::is_askable(const greta_pair& pair) const {
  return std::min(pair.first, pair.second) >= 0 &&
         std::max(pair.first, pair.second) < tables_.operation_count;
}

void PairAnswers::answer() {
  auto next = pairs_.begin();
  for (Row row = 0; next != pairs_.end(); ++row) {
    pass_row(tables_, row);
    note_place(row, timeline_.enter(row));
    for (; next != pairs_.end() && (*next)->second == row; ++next) answer_pair(**next);
    timeline_.leave(row);
  }
}

void PairAnswers::note_place(Row row, const Position& position) {
  auto asked = places_.find(row);
  if (asked == places_.end()) return;
  asked->second.ran = position.ran;
  if (position.stream == nullptr) return;
  asked->second.queue = position.stream->queue;
  asked->second.index = position.index;
}

// The second may be a call that failed: what counts is what was known when it began.
void PairAnswers::answer_pair(greta_pair& pair) {
  const Place& first = places_[static_cast<Row>(pair.first)];
  pair.how = GRETA_UNORDERED;
  if (!first.ran) {
    pair.how = GRETA_NOT_RUN;
  } else if (first.queue == none) {
    bool is_over = timeline_.has_returned(static_cast<Row>(pair.first));
    pair.how = is_over ? GRETA_HOST_ORDER : GRETA_UNORDERED;
    if (is_over) pair.via = pair.first;
  } else if (const Mark* mark = timeline_.before(first.queue, first.index)) {
    pair.how = mark->how;
    pair.via = mark->via == none ? -1 : int64_t{mark->via};
  }
}

}  // namespace greta::order
