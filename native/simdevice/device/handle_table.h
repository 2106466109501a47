// Handles a program holds for streams, events, modules, graphs ...
//
// A handle looks like an address but is an index: it can be checked without being followed, and an
// index is not used twice, so a handle that outlived its object is told from a live one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace greta::sim {

enum class HandleState { live, stale, unknown };

template <typename T>
class HandleTable {
 public:
  // `family` keeps handles of different kinds apart.
  explicit HandleTable(unsigned family) : first_(kBase + family * kFamilyBytes) {}

  void* add(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> lock(mutex_);
    objects_.push_back(std::move(object));
    return reinterpret_cast<void*>(first_ + (objects_.size() - 1) * kStep);
  }

  std::shared_ptr<T> find(const void* handle) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const size_t index = index_of(handle);
    return index < objects_.size() ? objects_[index] : nullptr;
  }

  // The same without a lock when this thread asked for the same handle last, which is what loops of
  // launches do, and without counting a reference, which would take the object's line away from
  // whoever works with it. The thread holds on to the object until it asks for another.
  T* borrow(const void* handle) const {
    static thread_local Recent recent;
    if (t_recent_is_gone) return find(handle).get();
    const uint64_t removals = removals_.load(std::memory_order_acquire);
    if (recent.table != this || recent.handle != handle || recent.removals != removals) {
      recent.object = find(handle);
      recent.table = this;
      recent.handle = handle;
      recent.removals = removals;
    }
    return recent.object.get();
  }

  std::shared_ptr<T> remove(const void* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    removals_.fetch_add(1, std::memory_order_release);
    const size_t index = index_of(handle);
    return index < objects_.size() ? std::move(objects_[index]) : nullptr;
  }

  HandleState state(const void* handle) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const size_t index = index_of(handle);
    if (index >= objects_.size()) return HandleState::unknown;
    return objects_[index] ? HandleState::live : HandleState::stale;
  }

  std::vector<std::shared_ptr<T>> all() const {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::shared_ptr<T>> live;
    for (const auto& object : objects_) {
      if (object) live.push_back(object);
    }
    return live;
  }

 private:
  static constexpr uintptr_t kBase = uintptr_t{0x5e} << 40;
  static constexpr uintptr_t kFamilyBytes = uintptr_t{1} << 36;
  static constexpr uintptr_t kStep = 64;

  size_t index_of(const void* handle) const {
    const uintptr_t offset = reinterpret_cast<uintptr_t>(handle) - first_;
    return offset % kStep == 0 ? offset / kStep : SIZE_MAX;
  }

  struct Recent {
    const HandleTable* table = nullptr;
    const void* handle = nullptr;
    uint64_t removals = 0;
    std::shared_ptr<T> object;
    ~Recent() { t_recent_is_gone = true; }
  };
  // Destructors of a thread's and of the program's objects may run after Recent's, and call HIP.
  __attribute__((tls_model("initial-exec"))) static inline thread_local bool t_recent_is_gone =
      false;

  const uintptr_t first_;
  std::atomic<uint64_t> removals_{0};
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<T>> objects_;
};

}  // namespace greta::sim
