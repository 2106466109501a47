// Answers checked kernels' questions about memory, on behalf of one worker thread: knows what is
// private to the thread, remembers the last answers of the device's memory map.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/access_check.h"
#include "device/footprint.h"

namespace greta::sim {

class CodeObject;

class AccessCache {
 public:
  // `footprint` is null if the launch's accesses are not noted.
  void begin_launch(int device, const CodeObject* code, LaunchFootprint* footprint) {
    const uint64_t noted_by = footprint != nullptr ? footprint->id() : 0;
    if (device == device_ && code == code_ && noted_by == noted_by_) return;
    forget();
    device_ = device;
    code_ = code;
    footprint_ = footprint;
    noted_by_ = noted_by;
  }

  // True if the access is known to be allowed; then it is noted. Quick, takes no lock, needs little
  // stack.
  bool remembers(uintptr_t address, size_t bytes, AccessKind kind) {
    if (generation_ != current_generation()) return false;
    const bool write = kind != AccessKind::read;
    if (covers(remembered_[latest_], address, bytes, write)) {
      note(remembered_[latest_], address, bytes, kind);
      return true;
    }
    for (unsigned i = 0; i < remembered_.size(); ++i) {
      if (!covers(remembered_[i], address, bytes, write)) continue;
      latest_ = i;
      note(remembered_[i], address, bytes, kind);
      return true;
    }
    return false;
  }

  // The full answer, which is then remembered. `own` are ranges of the worker that the launch's
  // kernel may read: arguments, block, waves.
  using OwnRanges = std::array<AccessibleRange, 2>;
  bool find_out(uintptr_t address, size_t bytes, AccessKind kind, const OwnRanges& own);

 private:
  static bool covers(const AccessibleRange& range, uintptr_t address, size_t bytes, bool write) {
    return address >= range.begin && address < range.end && bytes <= range.end - address &&
           (range.writable || !write);
  }
  static void note(const AccessibleRange& range, uintptr_t address, size_t bytes, AccessKind kind) {
    if (range.window != nullptr) range.window->note(kind, address, bytes);
  }
  static uint64_t current_generation();

  bool is_private(uintptr_t address, size_t bytes, bool write, AccessibleRange* around) const;
  bool is_in_code_object(uintptr_t address, size_t bytes, bool write,
                         AccessibleRange* around) const;
  void remember(const AccessibleRange& range);
  void forget() { remembered_ = {}; }

  std::array<AccessibleRange, 8> remembered_{};
  unsigned oldest_ = 0;
  unsigned latest_ = 0;  // the one that was used last
  uint64_t generation_ = 0;
  int device_ = -1;
  const CodeObject* code_ = nullptr;
  LaunchFootprint* footprint_ = nullptr;
  uint64_t noted_by_ = 0;
};

}  // namespace greta::sim
