// The queue of one stream: several threads put work in (one at a time), one thread takes it out,
// and neither waits for the other.
//
// Entries lie in chunks that are handed back and forth. The queue has no count of its own: the
// stream publishes how much was put in (its `submitted` ticket), and the one who takes must not
// take more.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace greta::sim {

template <typename Entry>
class WorkQueue {
 public:
  WorkQueue() : first_(new Chunk), last_(first_) {}
  // Whoever destroys it has taken everything, or nobody will.
  ~WorkQueue() {
    for (Chunk* list : {first_, unused_, emptied_.load()}) {
      while (list != nullptr) delete std::exchange(list, list->next);
    }
  }
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  template <typename... Arguments>
  void put(Arguments&&... arguments) {
    if (put_ == kEntries) {
      last_ = last_->next = new_chunk();
      put_ = 0;
    }
    new (last_->room + put_++) Entry(std::forward<Arguments>(arguments)...);
  }

  // The oldest entry; it stays there until `drop`.
  Entry& front() {
    if (taken_ == kEntries) {
      give_back(std::exchange(first_, first_->next));
      taken_ = 0;
    }
    return *std::launder(reinterpret_cast<Entry*>(first_->room + taken_));
  }
  void drop() {
    front().~Entry();
    ++taken_;
  }

 private:
  static constexpr size_t kEntries = 512;

  struct Chunk {
    std::aligned_storage_t<sizeof(Entry), alignof(Entry)> room[kEntries];
    Chunk* next = nullptr;
  };

  // Memory that was used is kept: getting it from the system again costs more than all the rest.
  // What was emptied last comes first, while it is in a cache.
  Chunk* new_chunk() {
    if (Chunk* emptied = emptied_.exchange(nullptr, std::memory_order_acquire)) {
      Chunk* oldest = emptied;
      while (oldest->next != nullptr) oldest = oldest->next;
      oldest->next = unused_;
      unused_ = emptied;
    }
    if (unused_ == nullptr) return new Chunk;
    Chunk* chunk = std::exchange(unused_, unused_->next);
    chunk->next = nullptr;
    return chunk;
  }

  void give_back(Chunk* chunk) {
    chunk->next = emptied_.load(std::memory_order_relaxed);
    while (!emptied_.compare_exchange_weak(chunk->next, chunk, std::memory_order_release)) {
    }
  }

  // The taker's.
  Chunk* first_;
  size_t taken_ = 0;
  // The putters', who hold the stream's lock.
  alignas(64) Chunk* last_;
  size_t put_ = 0;
  Chunk* unused_ = nullptr;
  // From the taker to the putters.
  alignas(64) std::atomic<Chunk*> emptied_{nullptr};
};

}  // namespace greta::sim
