#include "device/timeline.h"

#include "device/fault.h"
#include "device/futex.h"

namespace greta::sim {
namespace {

constexpr int kSpins = 2000;
// A sleeping waiter looks up this often for the process-wide error: a fault in one stream must end
// the wait for another one that will never come.
constexpr long kLookUpUs = 20000;

}  // namespace

void Timeline::complete(Ticket ticket) {
  completed_.store(ticket, std::memory_order_seq_cst);
  changed_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) != 0) futex_wake_all(changed_);
}

void Timeline::wait(Ticket ticket) const {
  for (int i = 0; i < kSpins; ++i) {
    if (completed() >= ticket) return;
    cpu_pause();
  }
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  while (true) {
    const uint32_t seen = changed_.load(std::memory_order_seq_cst);
    if (completed() >= ticket || device_lost()) break;
    futex_wait(changed_, seen, kLookUpUs);
  }
  sleepers_.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace greta::sim
