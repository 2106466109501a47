// The argument values of one launch, and what was changed in them.
//
// One pointer, so that a queued launch fits a cache line: the queue's entries travel from the core
// that submits to the core that runs, and each line costs as much as the rest of the launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace greta::sim {

// A pointer argument that names memory the device cannot reach (pageable host memory, a peer
// without access) is replaced by an unmapped address, so that using it faults as on hardware. The
// pair lets the fault be told with the address the program gave.
struct Unreachable {
  uintptr_t given;
  uintptr_t replacement;
};

class KernelArguments {
 public:
  KernelArguments() = default;
  explicit KernelArguments(size_t bytes)
      : block_(bytes ? new(::operator new(sizeof(Block) + bytes)) Block(bytes) : nullptr) {
    if (block_) std::memset(data(), 0, bytes);
  }
  KernelArguments(const KernelArguments& other) : KernelArguments(other.size()) {
    if (!block_) return;
    block_->unreachable = other.unreachable();
    std::memcpy(data(), other.data(), size());
  }
  KernelArguments(KernelArguments&&) = default;
  KernelArguments& operator=(KernelArguments other) noexcept {
    block_ = std::move(other.block_);
    return *this;
  }

  size_t size() const { return block_ ? block_->bytes : 0; }
  unsigned char* data() { return block_ ? bytes_of(block_.get()) : nullptr; }
  const unsigned char* data() const { return block_ ? bytes_of(block_.get()) : nullptr; }

  std::vector<Unreachable> unreachable() const {
    return block_ ? block_->unreachable : std::vector<Unreachable>{};
  }
  // Only for arguments that have bytes.
  void note_unreachable(Unreachable pair) { block_->unreachable.push_back(pair); }

 private:
  // Followed by the bytes.
  struct alignas(16) Block {
    explicit Block(size_t count) : bytes(count) {}
    size_t bytes;
    std::vector<Unreachable> unreachable;
  };
  struct Release {
    void operator()(Block* block) const {
      block->~Block();
      ::operator delete(block);
    }
  };

  static unsigned char* bytes_of(Block* block) {
    return reinterpret_cast<unsigned char*>(block + 1);
  }

  std::unique_ptr<Block, Release> block_;
};

}  // namespace greta::sim
