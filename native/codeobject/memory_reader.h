// Memory, and files, that may not be there: read by copying, with an answer instead of a fault.
#pragma once

#include <cstddef>
#include <cstdint>

namespace greta::codeobject {

class MemoryReader {
 public:
  virtual ~MemoryReader() = default;

  // False if not all of the bytes can be read; `to` then holds anything.
  virtual bool read(uintptr_t from, void* to, size_t bytes) const = 0;
};

// The memory of this process. The system does the copying, so that an address may be anything and
// no fault handler is needed.
class OwnMemory final : public MemoryReader {
 public:
  bool read(uintptr_t from, void* to, size_t bytes) const override;
};

// The same by way of a pipe, which OwnMemory takes where process_vm_readv is forbidden, as in some
// containers. (Another way, /proc/self/mem, also reads what is protected from reading.)
class PipedMemory final : public MemoryReader {
 public:
  bool read(uintptr_t from, void* to, size_t bytes) const override;
};

// Bytes in hand; addresses count from their beginning.
class BufferReader final : public MemoryReader {
 public:
  BufferReader(const unsigned char* bytes, size_t size) : bytes_(bytes), size_(size) {}
  bool read(uintptr_t from, void* to, size_t bytes) const override;

 private:
  const unsigned char* bytes_;
  size_t size_;
};

// An open file; addresses are offsets in it.
class FileReader final : public MemoryReader {
 public:
  explicit FileReader(int file) : file_(file) {}
  bool read(uintptr_t from, void* to, size_t bytes) const override;

 private:
  int file_;
};

}  // namespace greta::codeobject
