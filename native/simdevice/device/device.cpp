#include "device/device.h"

#include <algorithm>
#include <map>

#include "device/memory.h"
#include "device/pool.h"
#include "device/settings.h"
#include "device/virtual_memory.h"

namespace greta::sim {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr size_t kLeastReserve = size_t{32} << 30;  // sanitizers leave little room
constexpr size_t kMostReserve = size_t{256} << 30;
#else
constexpr size_t kLeastReserve = size_t{1} << 40;
constexpr size_t kMostReserve = size_t{8} << 40;
#endif

// Room enough that freed addresses come back late.
size_t reserve_for(size_t capacity) {
  return std::clamp(capacity * 16, kLeastReserve, kMostReserve);
}

size_t to_pages(size_t bytes) { return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes; }

// Small, and asked for in every call: worth a place that needs no function call to find.
__attribute__((tls_model("initial-exec"))) thread_local int t_current = 0;
thread_local bool t_chosen = false;

using PerThreadStreams = std::map<int, StreamRef>;

// Destructors of a thread's and of the program's objects may run after that of OwnStreams, and call
// HIP.
__attribute__((tls_model("initial-exec"))) thread_local bool t_own_streams_are_gone = false;

// Closes a thread's own default streams when the thread ends.
struct OwnStreams {
  PerThreadStreams streams;
  ~OwnStreams() {
    t_own_streams_are_gone = true;
    for (auto& entry : streams) entry.second->close();
  }
};

thread_local OwnStreams t_own_streams;

std::vector<Device*>* make_devices() {
  set_access_checker(device_may_access);
  auto* devices = new std::vector<Device*>;
  int ordinal = 0;
  for (int physical : settings().visible_devices) {
    devices->push_back(new Device(ordinal++, physical));
  }
  return devices;
}

const std::vector<Device*>& devices() {
  static const std::vector<Device*>* const instance = make_devices();
  return *instance;
}

}  // namespace

Device::Device(int ordinal, int physical)
    : ordinal_(ordinal),
      physical_(physical),
      total_bytes_(settings().vram_bytes),
      space_(reserve_for(settings().vram_bytes), settings().placement),
      peers_(settings().visible_devices.size()) {
  default_pool = std::make_shared<MemoryPool>(*this);
  current_pool = default_pool;
}

bool Device::take_bytes(size_t bytes) {
  const size_t rounded = to_pages(bytes);
  if (rounded < bytes) return false;
  size_t used = used_bytes_.load();
  do {
    if (rounded > total_bytes_ - used) return false;
  } while (!used_bytes_.compare_exchange_weak(used, used + rounded));
  return true;
}

void Device::give_bytes(size_t bytes) { used_bytes_.fetch_sub(to_pages(bytes)); }

StreamRef Device::make_stream(Stream::Role role, unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(*this, role, flags, priority);
  std::lock_guard<std::mutex> lock(streams_mutex_);
  streams_.push_back(stream);
  return stream;
}

StreamRef Device::create_stream(unsigned flags, int priority) {
  return make_stream(Stream::Role::ordinary, flags, priority);
}

Stream& Device::default_stream() {
  if (Stream* seen = default_stream_seen_.load(std::memory_order_acquire)) return *seen;
  std::lock_guard<std::mutex> lock(streams_mutex_);
  if (!default_stream_) {
    default_stream_ = std::make_shared<Stream>(*this, Stream::Role::legacy_default, 0u, 0);
    default_stream_seen_.store(default_stream_.get());
  }
  return *default_stream_;
}

Stream& Device::per_thread_stream() {
  if (t_own_streams_are_gone) return default_stream();  // which comes after what they did
  StreamRef& own = t_own_streams.streams[ordinal_];
  if (!own) {
    own = make_stream(Stream::Role::per_thread_default, 0, 0);
    own->set_handle(hipStreamPerThread);
  }
  return *own;
}

void Device::forget(const Stream& stream) {
  std::lock_guard<std::mutex> lock(streams_mutex_);
  auto is_it = [&](const StreamRef& other) { return other.get() == &stream; };
  streams_.erase(std::remove_if(streams_.begin(), streams_.end(), is_it), streams_.end());
}

std::vector<Marker> Device::blocking_stream_markers() const {
  std::vector<Marker> markers;
  std::lock_guard<std::mutex> lock(streams_mutex_);
  for (const StreamRef& stream : streams_) {
    if (!stream->is_blocking()) continue;
    Marker last = stream->last();
    if (!last.done()) markers.push_back(std::move(last));
  }
  return markers;
}

// Work of the default stream comes after the last work of every blocking stream, and theirs after
// its own. Both are fixed now, at submission; the host does not wait.
void Device::add_default_stream_barriers(const Stream& submitting, std::vector<Marker>& waits) {
  if (submitting.role() == Stream::Role::legacy_default) {
    for (Marker& marker : blocking_stream_markers()) waits.push_back(std::move(marker));
    return;
  }
  if (!submitting.is_blocking()) return;
  if (const Stream* other = default_stream_seen_.load(std::memory_order_acquire)) {
    Marker last = other->last();
    if (!last.done()) waits.push_back(std::move(last));
  }
}

void Device::synchronize() {
  std::vector<Marker> markers;
  {
    std::lock_guard<std::mutex> lock(streams_mutex_);
    for (const StreamRef& stream : streams_) markers.push_back(stream->last());
    if (default_stream_) markers.push_back(default_stream_->last());
  }
  for (const Marker& marker : markers) marker.wait();
}

bool Device::set_peer(int other, bool enabled) {
  const bool changed = peers_[static_cast<size_t>(other)].exchange(enabled) != enabled;
  if (!enabled) forget_accessible_ranges();
  return changed;
}

int device_count() { return static_cast<int>(devices().size()); }

Device& device_at(int ordinal) { return *devices()[static_cast<size_t>(ordinal)]; }

int current_ordinal() { return t_current; }

void set_current_ordinal(int ordinal) {
  t_current = ordinal;
  t_chosen = true;
}

bool has_chosen_device() { return t_chosen; }

AddressSpace& host_space() {
  static AddressSpace* const instance =
      new AddressSpace(reserve_for(size_t{64} << 30), settings().placement);
  return *instance;
}

bool is_reserved(uintptr_t address) {
  if (host_space().contains(address) || in_virtual_space(address)) return true;
  for (const Device* device : devices()) {
    if (device->space().contains(address)) return true;
  }
  return false;
}

}  // namespace greta::sim
