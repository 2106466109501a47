// Answers checked kernels' questions about memory, on behalf of one worker thread: knows what is
// private to the thread, remembers the last answers of the device's memory map.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/access_check.h"

namespace greta::sim {

class CodeObject;

class AccessCache {
 public:
  void begin_launch(int device, const CodeObject* code) {
    if (device == device_ && code == code_) return;
    forget();
    device_ = device;
    code_ = code;
  }

  // True if the access is known to be allowed. Quick, takes no lock, needs little stack.
  bool remembers(uintptr_t address, size_t bytes, bool write) const {
    if (generation_ != current_generation()) return false;
    for (const AccessibleRange& range : remembered_) {
      if (covers(range, address, bytes, write)) return true;
    }
    return false;
  }

  // The full answer, which is then remembered. `own` are ranges of the worker that the launch's
  // kernel may read: arguments, block, waves.
  using OwnRanges = std::array<AccessibleRange, 2>;
  bool find_out(uintptr_t address, size_t bytes, bool write, const OwnRanges& own);

 private:
  static bool covers(const AccessibleRange& range, uintptr_t address, size_t bytes, bool write) {
    return address >= range.begin && address < range.end && bytes <= range.end - address &&
           (range.writable || !write);
  }
  static uint64_t current_generation();

  bool is_private(uintptr_t address, size_t bytes, bool write, AccessibleRange* around) const;
  bool is_in_code_object(uintptr_t address, size_t bytes, bool write,
                         AccessibleRange* around) const;
  void remember(const AccessibleRange& range);
  void forget() { remembered_ = {}; }

  std::array<AccessibleRange, 4> remembered_{};
  unsigned oldest_ = 0;
  uint64_t generation_ = 0;
  int device_ = -1;
  const CodeObject* code_ = nullptr;
};

}  // namespace greta::sim
