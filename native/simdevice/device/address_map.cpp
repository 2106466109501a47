#include "device/address_map.h"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace greta::sim {

Span Allocation::reach() const {
  if (former.bytes == 0) return {base, bytes};
  const uintptr_t begin = std::min(base, former.begin);
  return {begin, std::max(base + bytes, former.end()) - begin};
}

bool AddressMap::insert(AllocationRef allocation) {
  std::unique_lock<std::shared_mutex> lock(mutex_);
  const uintptr_t base = allocation->base;
  auto next = by_base_.lower_bound(base);
  if (next != by_base_.end() && next->first < base + allocation->bytes) return false;
  if (next != by_base_.begin()) {
    const Allocation& previous = *std::prev(next)->second;
    if (previous.base + previous.bytes > base) return false;
  }
  by_base_.emplace_hint(next, base, std::move(allocation));
  return true;
}

bool AddressMap::remove(const Allocation& allocation) {
  std::unique_lock<std::shared_mutex> lock(mutex_);
  auto it = by_base_.find(allocation.base);
  if (it == by_base_.end() || it->second.get() != &allocation) return false;
  by_base_.erase(it);
  return true;
}

void AddressMap::replace(const Allocation& allocation, AllocationRef next) {
  std::unique_lock<std::shared_mutex> lock(mutex_);
  auto it = by_base_.find(allocation.base);
  if (it != by_base_.end() && it->second.get() == &allocation) by_base_.erase(it);
  const uintptr_t base = next->base;
  by_base_.emplace(base, std::move(next));
}

// The last allocation that begins at or before `address`.
AllocationRef AddressMap::find_around(uintptr_t address) const {
  std::shared_lock<std::shared_mutex> lock(mutex_);
  auto next = by_base_.upper_bound(address);
  return next == by_base_.begin() ? nullptr : std::prev(next)->second;
}

AllocationRef AddressMap::find(uintptr_t address) const {
  AllocationRef found = find_around(address);
  const bool inside = found && address - found->base < found->bytes && found->live.load();
  return inside ? found : nullptr;
}

AllocationRef AddressMap::find_reachable(uintptr_t address) const {
  std::shared_lock<std::shared_mutex> lock(mutex_);
  auto next = by_base_.upper_bound(address);
  // A former life may have begun before the present one.
  if (next != by_base_.end() && next->second->reach().contains(address)) return next->second;
  if (next == by_base_.begin()) return nullptr;
  const AllocationRef& found = std::prev(next)->second;
  return found->reach().contains(address) ? found : nullptr;
}

size_t AddressMap::bytes_from(const Allocation& allocation, uintptr_t address) const {
  if (!allocation.mapping) return allocation.bytes_from(address);
  std::shared_lock<std::shared_mutex> lock(mutex_);
  uintptr_t end = allocation.base + allocation.bytes;
  for (auto next = by_base_.find(end); next != by_base_.end() && next->second->mapping;
       next = by_base_.find(end)) {
    end += next->second->bytes;
  }
  return end - address;
}

std::vector<AllocationRef> AddressMap::all() const {
  std::shared_lock<std::shared_mutex> lock(mutex_);
  std::vector<AllocationRef> everything;
  for (const auto& entry : by_base_) everything.push_back(entry.second);
  return everything;
}

AddressMap& address_map() {
  static AddressMap* const instance = new AddressMap;
  return *instance;
}

}  // namespace greta::sim
