#include "codeobject/msgpack_reader.h"

namespace greta::codeobject {
namespace {

// MessagePack type bytes
constexpr uint8_t kFixMap = 0x80, kFixArray = 0x90, kFixString = 0xa0;
constexpr uint8_t kNil = 0xc0, kFalse = 0xc2, kTrue = 0xc3;
constexpr uint8_t kUnsigned8 = 0xcc, kUnsigned64 = 0xcf;
constexpr uint8_t kString8 = 0xd9, kString16 = 0xda, kString32 = 0xdb;
constexpr uint8_t kArray16 = 0xdc, kArray32 = 0xdd, kMap16 = 0xde, kMap32 = 0xdf;
constexpr uint8_t kNone = 0xc1;  // never used by the format

}  // namespace

bool MsgpackReader::peek_integer(size_t width, uint64_t* value) const {
  if (left() < 1 + width) return false;
  *value = 0;
  for (size_t i = 1; i <= width; ++i) *value = *value << 8 | next_[i];
  return true;
}

// Lengths are in the type byte (fixed_type, under fixed_mask) or follow it in 1, 2 or 4 bytes.
bool MsgpackReader::read_length(uint8_t fixed_type, uint8_t fixed_mask, const uint8_t (&types)[3],
                                uint64_t* length) {
  if (left() == 0) return false;
  const uint8_t type = *next_;
  if ((type & fixed_mask) == fixed_type) {
    *length = type & static_cast<uint8_t>(~fixed_mask);
    next_ += 1;
    return true;
  }
  for (size_t i = 0; i < 3; ++i) {
    const size_t width = size_t{1} << i;
    if (type != types[i]) continue;
    if (!peek_integer(width, length)) return false;
    next_ += 1 + width;
    return true;
  }
  return false;
}

bool MsgpackReader::read_map(uint32_t* pairs) {
  uint64_t length;
  if (!read_length(kFixMap, 0xf0, {kNone, kMap16, kMap32}, &length)) return false;
  *pairs = static_cast<uint32_t>(length);
  return true;
}

bool MsgpackReader::read_array(uint32_t* elements) {
  uint64_t length;
  if (!read_length(kFixArray, 0xf0, {kNone, kArray16, kArray32}, &length)) return false;
  *elements = static_cast<uint32_t>(length);
  return true;
}

bool MsgpackReader::read_string(std::string_view* text) {
  const unsigned char* before = next_;
  uint64_t length;
  if (!read_length(kFixString, 0xe0, {kString8, kString16, kString32}, &length)) return false;
  if (left() < length) {
    next_ = before;
    return false;
  }
  *text = {reinterpret_cast<const char*>(next_), static_cast<size_t>(length)};
  next_ += length;
  return true;
}

bool MsgpackReader::read_unsigned(uint64_t* value) {
  if (left() == 0) return false;
  const uint8_t type = *next_;
  if (type < 0x80) {
    *value = type;
    next_ += 1;
    return true;
  }
  if (type < kUnsigned8 || type > kUnsigned64) return false;
  const size_t width = size_t{1} << (type - kUnsigned8);
  if (!peek_integer(width, value)) return false;
  next_ += 1 + width;
  return true;
}

bool MsgpackReader::read_bool(bool* value) {
  if (left() == 0 || (*next_ != kFalse && *next_ != kTrue)) return false;
  *value = *next_ == kTrue;
  next_ += 1;
  return true;
}

bool MsgpackReader::measure(size_t* bytes, uint64_t* contained) const {
  if (left() == 0) return false;
  const uint8_t type = *next_;
  *contained = 0;
  *bytes = 1;
  uint64_t length = 0;
  const auto counted = [&](size_t width, size_t extra, uint64_t values_each) {
    if (!peek_integer(width, &length)) return false;
    *contained = length * values_each;
    *bytes = 1 + width + extra + (values_each == 0 ? static_cast<size_t>(length) : 0);
    return *bytes <= left();
  };
  const auto plain = [&](size_t width) { return *bytes = 1 + width, *bytes <= left(); };

  if (type < 0x80 || type >= 0xe0) return true;  // small integers
  if ((type & 0xf0) == kFixMap) return *contained = 2u * (type & 0x0f), true;
  if ((type & 0xf0) == kFixArray) return *contained = type & 0x0f, true;
  if ((type & 0xe0) == kFixString) return plain(type & 0x1f);
  switch (type) {
    case kNil:
    case kFalse:
    case kTrue:
      return true;
    case 0xc4:
    case kString8:
      return counted(1, 0, 0);  // also binary
    case 0xc5:
    case kString16:
      return counted(2, 0, 0);
    case 0xc6:
    case kString32:
      return counted(4, 0, 0);
    case 0xc7:
      return counted(1, 1, 0);  // extensions
    case 0xc8:
      return counted(2, 1, 0);
    case 0xc9:
      return counted(4, 1, 0);
    case kUnsigned8:
    case 0xd0:
      return plain(1);
    case 0xcd:
    case 0xd1:
    case 0xd4:
      return plain(2);
    case 0xca:
    case 0xce:
    case 0xd2:
      return plain(4);
    case 0xcb:
    case kUnsigned64:
    case 0xd3:
      return plain(8);
    case 0xd5:
      return plain(3);
    case 0xd6:
      return plain(5);
    case 0xd7:
      return plain(9);
    case 0xd8:
      return plain(17);
    case kArray16:
      return counted(2, 0, 1);
    case kArray32:
      return counted(4, 0, 1);
    case kMap16:
      return counted(2, 0, 2);
    case kMap32:
      return counted(4, 0, 2);
    default:
      return false;
  }
}

// Counts the values still to be taken instead of descending into them, so that nesting costs no
// stack. Every value takes a byte at least, so the bytes bound the work.
bool MsgpackReader::skip() {
  const unsigned char* before = next_;
  for (uint64_t open = 1; open > 0; --open) {
    size_t bytes;
    uint64_t contained;
    if (!measure(&bytes, &contained) || contained > left()) {
      next_ = before;
      return false;
    }
    next_ += bytes;
    open += contained;
  }
  return true;
}

}  // namespace greta::codeobject
