#include "gfx/device_heap.h"

#include <sys/mman.h>

#include <iterator>

namespace greta::sim::gfx {
namespace {

constexpr uint64_t kPage = 4096, kPiece = 2 << 20, kMost = uint64_t{4} << 30;
constexpr uint64_t kStateBytes = 1 << 20;

uint64_t rounded_up(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

// Pieces are found by the upper bits of an address in them, so they must be aligned.
uintptr_t mapped(uint64_t bytes) {
  const uint64_t alignment = bytes >= kPiece ? kPiece : kPage;
  void* const memory = mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  const auto first = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t begin = rounded_up(first, alignment), end = first + bytes + alignment;
  if (begin > first) munmap(memory, begin - first);
  if (end > begin + bytes) munmap(reinterpret_cast<void*>(begin + bytes), end - begin - bytes);
  return begin;
}

}  // namespace

DeviceHeap& DeviceHeap::instance() {
  static auto* const heap = new DeviceHeap;
  return *heap;
}

uint64_t DeviceHeap::state() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ == 0) state_ = take(kStateBytes);
  return state_;
}

bool DeviceHeap::is_state(uintptr_t address) const {
  const uintptr_t begin = state_.load(std::memory_order_relaxed);
  return begin != 0 && address - begin < kStateBytes;
}

uint64_t DeviceHeap::request(uint64_t address, uint64_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (address == 0) ++requests_;
  if (address == 0) return take(bytes);
  give_back(address);
  return 0;
}

uint64_t DeviceHeap::take(uint64_t bytes) {
  if (bytes == 0 || bytes > kMost - taken_) return 0;
  const uint64_t size = rounded_up(bytes, kPage);
  const uintptr_t begin = mapped(size);
  if (begin == 0) return 0;
  pieces_[begin] = begin + bytes;
  taken_ += bytes;
  return begin;
}

// The addresses stay reserved: a kernel that still runs may remember that it could access them.
void DeviceHeap::give_back(uint64_t address) {
  const auto piece = pieces_.find(address);
  if (piece == pieces_.end() || address == state_) return;
  const uint64_t bytes = piece->second - piece->first;
  taken_ -= bytes;
  mmap(reinterpret_cast<void*>(address), rounded_up(bytes, kPage), PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  pieces_.erase(piece);
}

bool DeviceHeap::find(uintptr_t address, size_t bytes, uintptr_t* begin, uintptr_t* end) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto piece = pieces_.upper_bound(address);
  if (piece == pieces_.begin()) return false;
  piece = std::prev(piece);
  if (address >= piece->second || piece->second - address < bytes) return false;
  *begin = piece->first;
  *end = piece->second;
  return true;
}

}  // namespace greta::sim::gfx
