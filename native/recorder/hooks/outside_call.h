// A thread that is inside a hook whose record is complete, and writes another one.
#pragma once

#include "recorder/lanes/thread_state.h"

namespace greta::recorder {

class OutsideCall {
 public:
  OutsideCall() : phase_(t_state.phase) { t_state.phase = Phase::program; }
  ~OutsideCall() { t_state.phase = phase_; }
  OutsideCall(const OutsideCall&) = delete;
  OutsideCall& operator=(const OutsideCall&) = delete;

 private:
  Phase phase_;
};

}  // namespace greta::recorder
