// Which bytes a launch accessed, and how. Knows nothing of what runs the kernel: a kernel compiled
// by hipRTC and an engine for machine code note their accesses in the same way.
//
// Each allocation that a launch reaches has a window while the launch runs: three planes, for
// reads, writes and atomic accesses, with one byte for each word of four bytes of memory; its low
// four bits stand for them. To note an access of whole words is to store 15 there, which loses
// nothing when two threads do it at once, so there is no lock and no atomic operation on that way.
// Parts of a word are added by an atomic or. When the launch has ended, the planes are read off
// into ranges and cleared.
//
// A launch may write what it has read: then the planes do not tell whether it read what nothing had
// written. So in memory that was not wholly written before, the upper four bits of the reads' plane
// stand for bytes that were read while they held the fresh byte and the launch had not written
// them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "contract/device_notes.h"
#include "device/sanitizers.h"

namespace greta::sim {

enum class AccessKind : uint8_t { read = GRETA_READ, write = GRETA_WRITE, atomic = GRETA_ATOMIC };
constexpr size_t kAccessKinds = GRETA_ACCESS_KINDS;

struct FaultReport;

// Plain memory for the planes of one window: reserved, zero, and backed only where it was written.
struct AccessSheet {
  unsigned char* memory = nullptr;
  size_t bytes = 0;
};

class AccessWindow {
 public:
  AccessWindow(uintptr_t begin, uintptr_t end, AccessSheet sheet, bool is_fresh);

  uintptr_t begin() const { return begin_; }
  uintptr_t end() const { return end_; }
  bool contains(uintptr_t address) const { return address - begin_ < end_ - begin_; }

  // The bytes lie in the window. From any thread.
  GRETA_NO_SANITIZE void note(AccessKind kind, uintptr_t address, size_t bytes) const {
    const size_t at = address - origin_;
    if (is_fresh_ && kind == AccessKind::read) return note_fresh_reads(at, bytes);
    if (((at | bytes) & 3) != 0) return note_parts(kind, at, bytes);
    unsigned char* const word = planes_[static_cast<size_t>(kind)] + at / 4;
    unsigned char* const pages = pages_[static_cast<size_t>(kind)];
    switch (bytes) {
      case 4:
        *word = kAll;
        break;
      case 8:
        std::memset(word, kAll, 2);
        break;
      case 16:
        std::memset(word, kAll, 4);
        break;
      case 256:  // a wave
        std::memset(word, kAll, 64);
        break;
      default:
        return note_words(kind, at, bytes);
    }
    pages[at >> kPageShift] = 1;
    pages[(at + bytes - 1) >> kPageShift] = 1;
  }

 private:
  friend class LaunchFootprint;
  static constexpr unsigned char kAll = 15;  // the bytes of a word
  static constexpr unsigned kPageShift = 12;
  static constexpr size_t kPageWords = size_t{1} << (kPageShift - 2);

  static uintptr_t origin_of(uintptr_t begin) { return begin & ~uintptr_t{3}; }
  static size_t page_count(uintptr_t begin, uintptr_t end) {
    return (end - origin_of(begin) + 4 * kPageWords - 1) >> kPageShift;
  }
  static size_t sheet_bytes(uintptr_t begin, uintptr_t end) {
    return kAccessKinds * page_count(begin, end) * (kPageWords + 1);
  }
  void note_words(AccessKind kind, size_t at, size_t bytes) const;
  void note_part(AccessKind kind, size_t at, size_t bytes) const;
  void note_parts(AccessKind kind, size_t at, size_t bytes) const;
  void note_fresh_reads(size_t at, size_t bytes) const;
  unsigned char noted(AccessKind kind, size_t word) const;

  uintptr_t begin_;
  uintptr_t end_;
  uintptr_t origin_;  // of the first word
  std::array<unsigned char*, kAccessKinds> planes_;
  std::array<unsigned char*, kAccessKinds> pages_;  // which pages of the plane have ones
  AccessSheet sheet_;
  bool is_fresh_;  // something in it may be unwritten
};

// Ranges of one kind, ascending. Equal ranges at equal distances are one entry.
struct AccessedRanges {
  std::vector<greta_ranges> ranges;
  bool cut = false;  // there are more than are kept

  void add(uintptr_t begin, uintptr_t end);
};

using Footprint = std::array<AccessedRanges, kAccessKinds>;

class LaunchFootprint {
 public:
  LaunchFootprint();
  ~LaunchFootprint();
  LaunchFootprint(const LaunchFootprint&) = delete;
  LaunchFootprint& operator=(const LaunchFootprint&) = delete;

  // Tells launches apart: for a thread that remembers windows.
  uint64_t id() const { return id_; }

  // The window of the allocation that holds the address; null if none does. The window is there
  // until the footprint is destroyed. From any thread; takes a lock, so remember what it says.
  const AccessWindow* window_at(uintptr_t address);
  // The same for memory that is no allocation: variables of a module.
  const AccessWindow* window_over(uintptr_t begin, uintptr_t end);
  // Any access, without a window at hand.
  void note(AccessKind kind, uintptr_t address, size_t bytes);

  // An access outside every allocation that hurt nobody. The first is kept.
  void keep_outside(FaultReport report);
  const FaultReport* outside() const { return outside_.get(); }

  // What was noted, once all threads of the launch are done. Once.
  Footprint take();
  // Then: what it read of fresh bytes that it had not written itself.
  const AccessedRanges& fresh_reads() const { return fresh_reads_; }

 private:
  const AccessWindow* find(uintptr_t address) const;
  const AccessWindow* add(uintptr_t begin, uintptr_t end);
  void read_off(const AccessWindow& window, size_t kind, AccessedRanges* ranges) const;
  void read_off_fresh(const AccessWindow& window);

  const uint64_t id_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<AccessWindow>> windows_;
  std::unique_ptr<FaultReport> outside_;
  AccessedRanges fresh_reads_;
  bool incomplete_ = false;  // there was no memory for a window
};

}  // namespace greta::sim
