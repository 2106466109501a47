// Records out of a file, and what follows them.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "reading/exported.h"
#include "reading/reading.h"

namespace {

constexpr int64_t first_slot = GRETA_PAGE_BYTES;
constexpr int64_t gap = 32;         // slots that nobody wants: less than asking the system twice
constexpr int64_t capacity = 1024;  // 128 KiB, which stay in the cache

// Slots that were read together.
class Window {
 public:
  explicit Window(int file) : file_(file) {}

  bool has(int64_t number) const { return number >= first_ && number < first_ + count_; }
  const greta_record& at(int64_t number) const { return slots_[number - first_]; }

  // From `first` up to `end`, which is at most `capacity` away. 0, or an error's number.
  int read(int64_t first, int64_t end) {
    first_ = first;
    count_ = 0;
    size_t wanted = static_cast<size_t>(end - first) * sizeof(greta_record), got = 0;
    int64_t offset = first_slot + first * static_cast<int64_t>(sizeof(greta_record));
    while (got < wanted) {
      ssize_t step = pread(file_, reinterpret_cast<char*>(slots_) + got, wanted - got,
                           offset + static_cast<int64_t>(got));
      if (step < 0 && errno != EINTR) return errno;
      if (step == 0) break;
      got += static_cast<size_t>(std::max<ssize_t>(step, 0));
    }
    count_ = static_cast<int64_t>(got / sizeof(greta_record));
    return 0;
  }

 private:
  int file_;
  int64_t first_ = 0, count_ = 0;
  greta_record slots_[capacity];
};

// Up to where to read from a slot of a call on: others follow at once, or nearly.
int64_t end_of_reading(const greta_gathered& wanted, int64_t call, int64_t from) {
  int64_t end = std::min(wanted.numbers[call] + wanted.following[call] + 1, from + capacity);
  for (int64_t next = call + 1; next < wanted.count; ++next) {
    int64_t number = wanted.numbers[next], behind = number + wanted.following[next] + 1;
    if (number < end || number - end > gap || behind - from > capacity) break;
    end = behind;
  }
  return end;
}

}  // namespace

GRETA_EXPORTED int64_t greta_reading_gather(int file, const greta_gathered* wanted) {
  Window window(file);
  for (int64_t call = 0; call < wanted->count; ++call) {
    int64_t first = wanted->numbers[call];
    for (int64_t number = first; number <= first + wanted->following[call]; ++number) {
      if (!window.has(number)) {
        int error = window.read(number, end_of_reading(*wanted, call, number));
        if (error != 0) return -error;
        if (!window.has(number)) return call;
      }
      int64_t rank = number - first;
      int64_t place = rank == 0 ? wanted->places[call] : wanted->behind[call] + rank - 1;
      wanted->slots[place] = window.at(number);
    }
  }
  return wanted->count;
}
