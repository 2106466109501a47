// Reads MessagePack, as far as code object metadata uses it, from bytes that may be corrupt.
//
// Each read_* takes the next value if it has that type and lies inside the bytes; otherwise it
// returns false and the reader stays where it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace greta::codeobject {

class MsgpackReader {
 public:
  MsgpackReader(const unsigned char* bytes, size_t size) : next_(bytes), end_(bytes + size) {}

  bool read_map(uint32_t* pairs);
  bool read_array(uint32_t* elements);
  bool read_string(std::string_view* text);
  bool read_unsigned(uint64_t* value);
  bool read_bool(bool* value);

  // Takes the next value, whatever it is, with all it contains.
  bool skip();

 private:
  size_t left() const { return static_cast<size_t>(end_ - next_); }
  // The big-endian integer of `width` bytes that follows the type byte.
  bool peek_integer(size_t width, uint64_t* value) const;
  bool read_length(uint8_t fixed_type, uint8_t fixed_mask, const uint8_t (&types)[3],
                   uint64_t* length);
  // The size of the value at hand without what it contains, and the number of values inside it.
  bool measure(size_t* bytes, uint64_t* contained) const;

  const unsigned char* next_;
  const unsigned char* end_;
};

}  // namespace greta::codeobject
