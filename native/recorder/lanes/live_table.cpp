#include "recorder/lanes/live_table.h"

#include <cstdio>
#include <new>

#include "recorder/hooks/recorded_call.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/mapped_file.h"

namespace greta::recorder {
namespace {

constexpr uint64_t kSegment = 64 * 1024;

// Without the number of the library.
uint32_t plain(uint32_t kind) { return kind & ((1u << GRETA_RUNTIME_SHIFT) - 1); }
uint32_t runtime_in(uint32_t kind) { return kind >> GRETA_RUNTIME_SHIFT; }

bool is_device_memory(uint32_t kind_of_runtime) {
  const uint32_t kind = plain(kind_of_runtime);
  return kind == GRETA_LIVE_DEVICE_MEMORY || kind == GRETA_LIVE_POOL_MEMORY ||
         kind == GRETA_LIVE_MANAGED_MEMORY;
}

}  // namespace

LiveTable& live() {
  static LiveTable* const instance = new LiveTable;
  return *instance;
}

bool LiveTable::open(const char* folder) {
  if (header_ != nullptr) return true;  // at an earlier try
  std::snprintf(path_, sizeof path_, "%s/live", folder);
  header_ = static_cast<greta_live_header*>(map_file_part(path_, 0, GRETA_PAGE_BYTES));
  if (header_ == nullptr) return false;
  header_->version = GRETA_RECORDING_VERSION;
  header_->slot_bytes = sizeof(greta_live);
  header_->magic = GRETA_LIVE_MAGIC;
  file_bytes_ = GRETA_PAGE_BYTES;
  return true;
}

// Segments stay mapped: their slots are referred to.
bool LiveTable::grow() {
  const ErrnoKeeper errno_keeper;
  void* segment = map_file_part(path_, file_bytes_, kSegment);
  if (segment == nullptr) {
    recording().mark_incomplete();
    return false;
  }
  next_ = static_cast<greta_live*>(segment);
  limit_ = next_ + kSegment / sizeof(greta_live);
  file_bytes_ += kSegment;
  return true;
}

greta_live* LiveTable::free_slot() {
  if (!free_.empty()) {
    greta_live* slot = free_.back();
    free_.pop_back();
    return slot;
  }
  if (header_ == nullptr || (next_ == limit_ && !grow())) return nullptr;
  ++header_->slots;
  return next_++;
}

void LiveTable::count_memory(const Life& life, bool made) {
  if (!is_device_memory(life.kind)) return;
  header_->device_bytes += made ? life.bytes : -life.bytes;
  if (header_->device_bytes > header_->peak_device_bytes) {
    header_->peak_device_bytes = header_->device_bytes;
  }
}

void LiveTable::take_in(const Life& life) {
  __atomic_store_n(&life.slot->kind, life.kind, __ATOMIC_RELEASE);
  by_handle_[life.handle] = life;
  count_memory(life, true);
}

void LiveTable::made(const RecordedCall& call, greta_live_kind kind, uint64_t handle,
                     uint64_t bytes, uint64_t flags) {
  if (handle == 0) return;
  std::lock_guard<std::mutex> lock(mutex_);
  greta_live* slot = free_slot();
  if (slot == nullptr) return;
  const greta_record& record = call.record();
  slot->flags = static_cast<uint32_t>(flags);
  slot->handle = handle;
  slot->bytes = bytes;
  slot->number = ++made_;
  slot->since = record.end;
  slot->site = record.site;
  slot->stack = record.stack;
  slot->annotation = record.annotation;
  slot->call = record.call;
  slot->device = current_device();
  const uint32_t kind_of_runtime = kind | current_runtime() << GRETA_RUNTIME_SHIFT;
  take_in({slot, of_runtime(handle), bytes, kind_of_runtime, slot->device});
}

LiveTable::Ended LiveTable::end(const void* handle) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_handle_.find(of_runtime(reinterpret_cast<uint64_t>(handle)));
  if (found == by_handle_.end()) return {};
  const Ended ended = found->second;
  by_handle_.erase(found);
  count_memory(ended, false);
  __atomic_store_n(&ended.slot->kind, static_cast<uint32_t>(GRETA_LIVE_FREE), __ATOMIC_RELEASE);
  return ended;
}

void LiveTable::settle(const Ended& ended, bool for_good) {
  if (ended.slot == nullptr) return;
  std::lock_guard<std::mutex> lock(mutex_);
  if (for_good) return free_.push_back(ended.slot);
  take_in(ended);
}

template <typename IsGone>
void LiveTable::end_all(IsGone is_gone) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto entry = by_handle_.begin(); entry != by_handle_.end();) {
    const Life& life = entry->second;
    if (runtime_in(life.kind) != current_runtime() || !is_gone(life)) {
      ++entry;
      continue;
    }
    count_memory(life, false);
    __atomic_store_n(&life.slot->kind, static_cast<uint32_t>(GRETA_LIVE_FREE), __ATOMIC_RELEASE);
    free_.push_back(life.slot);
    entry = by_handle_.erase(entry);
  }
}

void LiveTable::end_within(const void* begin, uint64_t bytes) {
  const uint64_t first = of_runtime(reinterpret_cast<uint64_t>(begin));
  end_all([&](const Life& life) {
    return plain(life.kind) < GRETA_LIVE_STREAM && life.handle - first < bytes;
  });
}

void LiveTable::reset(int device) {
  end_all([&](const Life& life) {
    return life.device == device && plain(life.kind) != GRETA_LIVE_REGISTERED_MEMORY &&
           plain(life.kind) <= GRETA_LIVE_STREAM;
  });
}

void LiveTable::forget() { new (this) LiveTable; }

}  // namespace greta::recorder
