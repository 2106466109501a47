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
  if (ticket < wake_at_.load(std::memory_order_seq_cst)) return;
  wake_at_.store(kNobody, std::memory_order_seq_cst);
  // After the store: a sleeper whose wish was just lost sees the count change and asks again.
  wakes_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake_all(wakes_);
}

void Timeline::ask_to_be_woken_at(Ticket ticket) const {
  Ticket now = wake_at_.load(std::memory_order_seq_cst);
  while (ticket < now && !wake_at_.compare_exchange_weak(now, ticket)) {
  }
}

void Timeline::wait(Ticket ticket) const {
  if (completed() >= ticket) return;
  waiting_.fetch_add(1, std::memory_order_relaxed);
  wait_until_complete(ticket);
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void Timeline::wait_until_complete(Ticket ticket) const {
  for (int i = 0; i < kSpins; ++i) {
    if (completed() >= ticket) return;
    cpu_pause();
  }
  while (true) {
    const uint32_t seen = wakes_.load(std::memory_order_seq_cst);
    ask_to_be_woken_at(ticket);
    if (completed_.load(std::memory_order_seq_cst) >= ticket || device_lost()) return;
    futex_wait(wakes_, seen, kLookUpUs);
  }
}

}  // namespace greta::sim
