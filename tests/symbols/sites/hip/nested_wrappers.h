// Wrappers as HIP's headers may have them, in a folder like theirs: one within another, with a
// function between them that is not called hip anything.
#pragma once

namespace header_detail {

template <class T>
__attribute__((always_inline)) inline hipError_t allocate(T** pointer, size_t count) {
  return hipMalloc(pointer, count * sizeof(T));
}

}  // namespace header_detail

template <class T>
__attribute__((always_inline)) inline hipError_t hipMallocCount(T** pointer, size_t count) {
  return header_detail::allocate(pointer, count);
}
