// What a code object says about its kernels, as AMD's metadata note holds it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace greta::hiprtc {

struct ArgumentMetadata {
  uint32_t offset;
  uint32_t size;
  bool is_pointer;
  bool is_const;     // a pointer to const
  bool is_restrict;  // a pointer declared __restrict__
  std::string name;
  std::string type_name;
};

struct KernelMetadata {
  std::string name;  // mangled, without ".kd"
  uint32_t kernarg_size;
  uint32_t kernarg_align;
  uint32_t max_threads;
  uint32_t static_shared_bytes;
  std::vector<ArgumentMetadata> arguments;
};

// The descriptor of the note: a MessagePack map (code object version 5).
std::string encode_metadata(const std::vector<KernelMetadata>& kernels);

}  // namespace greta::hiprtc
