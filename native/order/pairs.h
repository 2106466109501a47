// Is one operation ordered before another, and by what?
#pragma once

#include <unordered_map>

#include "order/timeline.h"

namespace greta::order {

class PairAnswers {
 public:
  PairAnswers(const greta_tables& tables, greta_pair* pairs, int64_t count);

  void answer();

 private:
  struct Place {
    Queue queue = none;
    uint32_t index = 0;
    bool ran = false;
  };

  void note_place(Row row, const Position& position);
  void answer_pair(greta_pair& pair);
  bool is_askable(const greta_pair& pair) const;

  const greta_tables& tables_;
  Timeline timeline_;
  std::vector<greta_pair*> pairs_;  // by second
  std::unordered_map<Row, Place> places_;
};

}  // namespace greta::order
