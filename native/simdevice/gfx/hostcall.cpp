#include "gfx/hostcall.h"

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "device/worker_thread.h"
#include "gfx/device_heap.h"
#include "gfx/kernel_printf.h"

namespace greta::sim::gfx {
namespace {

struct Header {
  uint64_t next;
  uint64_t lanes;
  uint32_t service;
  uint32_t control;  // bit 0: ready
};
struct Payload {
  uint64_t words[64][8];
};
struct Signal {
  uint64_t kind, value, mailbox, event, rest[4];
};
// A packet is named by its index and, above that, a tag that changes each time.
struct Buffer {
  Header* headers;
  Payload* payloads;
  Signal* bell;
  uint64_t free_stack;
  uint64_t ready_stack;
  uint64_t index;
};

// More than there are waves at any time: a device library does not notice when all are taken.
// Older ones read `index` as a mask, newer ones shift by it, by as many bits as a shift looks at
// (here 63). Both find index 1 to 4095 in names that begin as these numbers.
constexpr uint64_t kPackets = 4096;
constexpr uint64_t kIndex = kPackets - 1;
constexpr uint32_t kReady = 1;
constexpr uint32_t kPrintf = 2, kMemory = 3;
constexpr size_t kMostMessages = 1 << 16;
constexpr size_t kMostWords = 1 << 16;  // of a message
constexpr auto kPause = std::chrono::microseconds(20);

constexpr size_t kPage = 4096;

// By the layout of the memory: what kernels may have written to it is not trusted.
Header* headers_of(uintptr_t begin) { return reinterpret_cast<Header*>(begin + kPage); }
Payload* payloads_of(uintptr_t begin) {
  return reinterpret_cast<Payload*>(headers_of(begin) + kPackets);
}

HostcallMemory make_memory() {
  const size_t bytes = kPage + kPackets * sizeof(Header) + kPackets * sizeof(Payload);
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  auto* const begin = static_cast<unsigned char*>(memory);
  auto* const buffer = reinterpret_cast<Buffer*>(begin);
  buffer->bell = reinterpret_cast<Signal*>(begin + 128);
  buffer->headers = headers_of(reinterpret_cast<uintptr_t>(memory));
  buffer->payloads = payloads_of(reinterpret_cast<uintptr_t>(memory));
  buffer->bell->kind = 1;
  buffer->index = kIndex;
  for (uint64_t i = 1; i < kPackets; ++i) buffer->headers[i].next = i - 1;
  buffer->free_stack = kPackets - 1;
  const auto at = reinterpret_cast<uintptr_t>(memory);
  return {at, at + bytes, at};
}

// Messages of printf: each comes in several calls of its lane.
class Messages {
 public:
  // Bits of the first word: 0 begins, 1 ends, 5 to 7 how many words follow, from 8 on its number.
  // Answers the first word of the next call.
  uint64_t take(const uint64_t* words) {
    uint64_t head = words[0];
    if (head & 1) {
      if (open_.size() >= kMostMessages) open_.clear();
      head = (head & 0xfe) | ++last_ << 8;
    }
    std::vector<uint64_t>& message = open_[head >> 8];
    const uint64_t count = head >> 5 & 7;
    if (message.size() < kMostWords) message.insert(message.end(), words + 1, words + 1 + count);
    if (head & 2) {
      print(message);
      open_.erase(head >> 8);
    }
    return head;
  }

  bool take_printed() { return printed_.exchange(false); }

 private:
  void print(const std::vector<uint64_t>& message) {
    if (message.empty()) return;
    const std::string text = formatted(message.data() + 1, message.size() - 1);
    std::FILE* const stream = (message[0] & 1) != 0 ? stderr : stdout;
    std::fwrite(text.data(), 1, text.size(), stream);
    printed_ = true;
  }

  std::unordered_map<uint64_t, std::vector<uint64_t>> open_;
  uint64_t last_ = 0;
  std::atomic<bool> printed_{false};
};

class Service {
 public:
  void enter() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto run_one = [](void* service) { static_cast<Service*>(service)->run(); };
    pthread_t thread;
    if (!started_) started_ = start_worker_thread("greta-hostcall", run_one, this, &thread);
    ++launches_;
    changed_.notify_one();
  }
  void leave() {
    answer();
    if (messages_.take_printed()) std::fflush(stdout);
    const std::lock_guard<std::mutex> lock(mutex_);
    --launches_;
  }

 private:
  void run() {
    for (;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return launches_ != 0; });
      }
      answer();
      std::this_thread::sleep_for(kPause);
    }
  }

  void answer() {
    const std::lock_guard<std::mutex> lock(answering_);
    const uintptr_t begin = hostcall_memory().begin;
    auto* const buffer = reinterpret_cast<Buffer*>(hostcall_memory().buffer);
    uint64_t name = __atomic_exchange_n(&buffer->ready_stack, 0, __ATOMIC_ACQUIRE);
    // No more than there are: the stack is in memory that kernels write to.
    for (uint64_t i = 0; i < kPackets && name != 0; ++i) {
      Header& header = headers_of(begin)[name & kIndex];
      const uint64_t next = header.next;
      serve(header.service, header.lanes, &payloads_of(begin)[name & kIndex]);
      __atomic_and_fetch(&header.control, ~kReady, __ATOMIC_RELEASE);
      name = next;
    }
  }

  void serve(uint32_t service, uint64_t lanes, Payload* payload) {
    for (; lanes != 0; lanes &= lanes - 1) {
      uint64_t* const words = payload->words[__builtin_ctzll(lanes)];
      if (service == kPrintf) words[0] = messages_.take(words);
      if (service == kMemory) words[0] = DeviceHeap::instance().request(words[0], words[1]);
    }
  }

  std::mutex mutex_, answering_;
  std::condition_variable changed_;
  bool started_ = false;
  uint64_t launches_ = 0;
  Messages messages_;
};

Service& service() {
  static auto* const one = new Service;  // its thread outlives what is destroyed at exit
  return *one;
}

}  // namespace

const HostcallMemory& hostcall_memory() {
  static const HostcallMemory memory = make_memory();
  return memory;
}

HostcallService::HostcallService(bool wanted) : wanted_(wanted && hostcall_memory().buffer != 0) {
  if (wanted_) service().enter();
}

HostcallService::~HostcallService() {
  if (wanted_) service().leave();
}

}  // namespace greta::sim::gfx
