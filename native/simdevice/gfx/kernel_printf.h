// What a kernel's printf says, from the words that its device library sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace greta::sim::gfx {

// The words: a format and then its arguments. A text takes whole words, up to a zero byte. They
// come from a kernel and may be anything.
std::string formatted(const uint64_t* words, size_t count);

}  // namespace greta::sim::gfx
