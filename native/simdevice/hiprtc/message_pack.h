// The part of the MessagePack format that AMD's metadata uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace greta::hiprtc {

class MessagePack {
 public:
  void map(uint32_t entries) { header(entries, 0x80, 0xde); }
  void array(uint32_t elements) { header(elements, 0x90, 0xdc); }
  void boolean(bool value) { byte(value ? 0xc3 : 0xc2); }

  void unsigned_number(uint32_t value) {
    if (value < 0x80) return byte(static_cast<uint8_t>(value));
    byte(0xce);
    big_endian(value, 4);
  }

  void text(std::string_view value) {
    uint32_t size = static_cast<uint32_t>(value.size());
    if (size < 32) {
      byte(static_cast<uint8_t>(0xa0 | size));
    } else {
      byte(0xdb);
      big_endian(size, 4);
    }
    bytes_ += value;
  }

  void entry(std::string_view key, uint32_t value) { text(key), unsigned_number(value); }
  void entry(std::string_view key, bool value) { text(key), boolean(value); }
  void entry(std::string_view key, const char* value) { text(key), text(value); }
  void entry(std::string_view key, const std::string& value) { text(key), text(value); }

  std::string take() { return std::move(bytes_); }

 private:
  void byte(uint8_t value) { bytes_ += static_cast<char>(value); }
  void big_endian(uint32_t value, int size) {
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
      byte(static_cast<uint8_t>(value >> shift));
  }
  // Up to 15 entries fit the first byte; beyond, a byte that says so and 16 or 32 bits of count.
  void header(uint32_t count, uint8_t small, uint8_t wide) {
    if (count < 16) return byte(static_cast<uint8_t>(small | count));
    bool fits = count < 0x10000;
    byte(static_cast<uint8_t>(fits ? wide : wide + 1));
    big_endian(count, fits ? 2 : 4);
  }

  std::string bytes_;
};

}  // namespace greta::hiprtc
