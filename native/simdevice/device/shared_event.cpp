#include "device/shared_event.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "device/fault.h"

namespace greta::sim {
namespace {

constexpr char kName[] = "greta-shared-event";
constexpr auto kNap = std::chrono::microseconds(50);

bool is_gone(int32_t process) { return process != 0 && kill(process, 0) != 0; }

}  // namespace

std::shared_ptr<SharedEvent> SharedEvent::show(SharedFileRef file) {
  if (!file || file->bytes() < sizeof(State)) return nullptr;
  void* at = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->file(), 0);
  if (at == MAP_FAILED) return nullptr;
  return std::shared_ptr<SharedEvent>(new SharedEvent(std::move(file), static_cast<State*>(at)));
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
  return show(SharedFile::create(kName, kPageBytes));
}

std::shared_ptr<SharedEvent> SharedEvent::open(const FileTicket& ticket) {
  return show(SharedFile::open(kName, ticket));
}

SharedEvent::~SharedEvent() { munmap(state_, kPageBytes); }

uint64_t SharedEvent::record() {
  state_->recorder = getpid();
  return state_->recorded.fetch_add(1) + 1;
}

void SharedEvent::reached(uint64_t number) {
  uint64_t now = state_->reached.load();
  while (now < number && !state_->reached.compare_exchange_weak(now, number)) {
  }
}

uint64_t SharedEvent::latest() const { return state_->recorded.load(); }

bool SharedEvent::is_reached(uint64_t number) const { return state_->reached.load() >= number; }

void SharedEvent::wait(uint64_t number) const {
  while (!is_reached(number) && !device_lost() && !is_gone(state_->recorder.load())) {
    std::this_thread::sleep_for(kNap);
  }
}

}  // namespace greta::sim
