#include "gfx/heap_watch.h"

#include "gfx/device_heap.h"

namespace greta::sim::gfx {
namespace {

// Where a function of the ABI finds its return address.
constexpr int kReturn = 30;

// The first argument of a function, and its result.
uint64_t first_of(const isa::Wave& wave, int lane) {
  return wave.v[0][lane] | static_cast<uint64_t>(wave.v[1][lane]) << 32;
}

template <class F>
void each_lane(const isa::Wave& wave, F&& body) {
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) body(__builtin_ctzll(left));
}

}  // namespace

void HeapWatch::reached(const isa::Wave& wave, HeapPoint point) {
  if (caller_ == nullptr) return;
  if (point == HeapPoint::frees) {
    return each_lane(wave, [&](int lane) { caller_->freed(first_of(wave, lane)); });
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  Call& call = calls_[&wave];
  if (point != HeapPoint::has_allocated && call.returns_to == 0) {
    call.returns_to = wave.pair(kReturn);
  }
  if (point == HeapPoint::allocates) {
    each_lane(wave, [&](int lane) { call.bytes[lane] = first_of(wave, lane); });
  }
  if (point != HeapPoint::has_allocated) return;
  has_allocated(wave, call);
  calls_.erase(&wave);
}

void HeapWatch::has_allocated(const isa::Wave& wave, const Call& call) {
  // The call itself; what it returns to may be of another line.
  constexpr uint64_t kCallBytes = 4;
  const uint64_t at = call.returns_to < kCallBytes ? 0 : call.returns_to - kCallBytes;
  each_lane(wave, [&](int lane) {
    const uint64_t address = first_of(wave, lane);
    uintptr_t begin, end;
    if (!DeviceHeap::instance().find(address, 1, &begin, &end)) return;
    // A compiler that knows the size may leave the argument out: what no block can be is not told.
    const uint64_t bytes = call.bytes[lane];
    caller_->allocated(address, bytes <= end - address ? bytes : 0, at);
  });
}

}  // namespace greta::sim::gfx
