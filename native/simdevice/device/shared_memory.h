// Memory that several processes show: files in memory, which others open by way of the process that
// made them (/proc/PID/fd). It must be there when they do, as with HIP's handles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/address_map.h"

namespace greta::sim {

class Device;

// How another process finds a file of this one.
struct FileTicket {
  uint64_t inode = 0;
  int32_t process = 0;
  int32_t file = -1;
};

class SharedFile {
 public:
  // Null if the system gives none.
  static std::shared_ptr<SharedFile> create(const char* name, size_t bytes);
  // What another process, or this one, has created under this name; null if it is not there.
  static std::shared_ptr<SharedFile> open(const char* name, const FileTicket& ticket);
  static std::shared_ptr<SharedFile> open(const char* name, int file);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;

  int file() const { return file_; }
  size_t bytes() const { return bytes_; }
  FileTicket ticket() const;

 private:
  SharedFile(int file, size_t bytes) : file_(file), bytes_(bytes) {}

  const int file_;
  const size_t bytes_;
};

using SharedFileRef = std::shared_ptr<SharedFile>;

// Where device memory of one process is, for another.
struct MemoryTicket {
  FileTicket file;
  uint64_t pages = 0;   // bytes
  uint64_t begin = 0;   // of the allocation in them
  uint64_t bytes = 0;   // of the allocation
  uint64_t offset = 0;  // of what was asked for in the allocation
};

// Makes device memory that of a file, if it is not so yet. The caller has waited for its device.
bool share(Allocation& allocation, uintptr_t address, MemoryTicket* ticket);
// An allocation of `device` that shows it; null if it is not there.
AllocationRef open_shared(Device& device, const MemoryTicket& ticket);

}  // namespace greta::sim
