// A fingerprint of pieces of text: 128-bit FNV-1a. Tells different builds apart by accident-proof
// margin; it is not meant to withstand anyone who wants two texts to collide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace greta::hiprtc {

class Fingerprint {
 public:
  // The length counts too, so that "ab","c" differs from "a","bc".
  Fingerprint& add(std::string_view piece) {
    mix(std::to_string(piece.size()) + ":");
    mix(piece);
    return *this;
  }

  std::string hex() const {
    static const char kDigits[] = "0123456789abcdef";
    std::string text;
    for (int shift = 124; shift >= 0; shift -= 4)
      text += kDigits[static_cast<unsigned>(state_ >> shift) & 15];
    return text;
  }

 private:
  using Word = unsigned __int128;

  void mix(std::string_view bytes) {
    for (unsigned char byte : bytes) state_ = (state_ ^ byte) * kPrime;
  }

  static constexpr Word kPrime = (Word{1} << 88) + 0x13b;
  Word state_ = (Word{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
};

}  // namespace greta::hiprtc
