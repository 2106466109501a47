// Virtual memory management: addresses, memory and access rights, each by calls of its own.
//
//   hipMemAddressReserve   addresses, with nothing there
//   hipMemCreate           memory, with no address: a file in memory, so that several addresses and
//                          other processes can show the same bytes
//   hipMemMap              puts memory at addresses; nobody may touch it yet
//   hipMemSetAccess        gives devices the right to read it, or to read and write it
//
// A mapping is an allocation like any other to copies, kernels and reports. Its pages allow what
// the most privileged device may do; what another may do less is known to checked kernels, to
// machine code, and to arguments of a launch (unreachable_alias).
#pragma once

#include <hip/hip_runtime_api.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "device/address_map.h"

namespace greta::sim {

constexpr size_t kGranularity = kPageBytes;
constexpr size_t kRecommendedGranularity = size_t{2} << 20;

class PhysicalMemory {
 public:
  // Null if the device has not so much left.
  static std::shared_ptr<PhysicalMemory> create(const hipMemAllocationProp& properties,
                                                size_t bytes);
  // What export_file gave, perhaps in another process; null if it is something else.
  static std::shared_ptr<PhysicalMemory> import(int file, const hipMemAllocationProp& properties);
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;

  size_t bytes() const { return bytes_; }
  int file() const { return file_; }
  const hipMemAllocationProp& properties() const { return properties_; }
  bool is_on_host() const { return properties_.location.type != hipMemLocationTypeDevice; }
  // A file descriptor of its own for whoever is to have it; -1 if there is none.
  int export_file() const;
  // True once: nothing has written it yet.
  bool take_fresh() { return fresh_.exchange(false); }

  // How the program names it, and how many times it must still release it.
  hipMemGenericAllocationHandle_t handle = nullptr;
  int releases_due = 0;

 private:
  PhysicalMemory(int file, size_t bytes, const hipMemAllocationProp& properties, bool counted)
      : file_(file), bytes_(bytes), properties_(properties), counted_(counted), fresh_(counted) {}

  const int file_;
  const size_t bytes_;
  const hipMemAllocationProp properties_;
  const bool counted_;  // in its device's memory
  std::atomic<bool> fresh_;
};

using PhysicalRef = std::shared_ptr<PhysicalMemory>;

// Of an allocation that hipMemMap made.
struct VirtualMapping {
  static constexpr size_t kMostDevices = 16;

  PhysicalRef memory;
  std::array<std::atomic<unsigned>, kMostDevices> rights{};  // hipMemAccessFlags of each device
  std::atomic<unsigned> host_rights{0};

  unsigned of(int device) const { return rights[static_cast<size_t>(device)].load(); }
  unsigned of_anyone() const;
};

hipError_t reserve_addresses(size_t bytes, size_t alignment, uintptr_t wanted, uintptr_t* begin);
hipError_t free_addresses(uintptr_t begin);
bool in_virtual_space(uintptr_t address);

hipError_t map_memory(uintptr_t address, size_t bytes, const PhysicalRef& memory);
// The bytes must be whole mappings, one behind the other. Waits for the devices that may use them.
hipError_t unmap_memory(uintptr_t address, size_t bytes);
hipError_t set_access(uintptr_t address, size_t bytes, const hipMemAccessDesc& wanted);

// Takes the pages of a mapping away; part of release().
void remove_view(const Allocation& allocation);
// May this device's kernels be given the address? Where nothing is mapped the access itself tells.
bool virtual_address_is_reachable(int device, uintptr_t address);
// Why an access of reserved addresses failed; empty for other addresses.
std::string why_not_accessible(int device, uintptr_t address, bool is_write);

}  // namespace greta::sim
