#include "recorder/lanes/json_line.h"

#include <cinttypes>
#include <cstdio>

namespace greta::recorder {
namespace {

// The length of the UTF-8 character at the beginning of `text`, 0 if there is none.
size_t character_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  size_t length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) length = 3;
  if (first >= 0xf0 && first < 0xf5) length = 4;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies past the last character.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) >= 0xa0) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) >= 0x90) return 0;
  return length;
}

void append_escape(std::string& out, unsigned code) {
  char text[8];
  std::snprintf(text, sizeof text, "\\u%04x", code);
  out += text;
}

}  // namespace

std::string json_string(std::string_view bytes) {
  std::string out = "\"";
  while (!bytes.empty()) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    const size_t length = character_length(bytes);
    if (length == 0) {
      append_escape(out, 0xdc00u + first);
    } else if (first == '"' || first == '\\') {
      out += '\\';
      out += bytes[0];
    } else if (first < 0x20) {
      append_escape(out, first);
    } else {
      out += bytes.substr(0, length);
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return out + "\"";
}

std::string json_address(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "\"0x%" PRIx64 "\"", address);
  return text;
}

void JsonLine::begin(std::string_view name) {
  text_ += text_.empty() ? "{" : ",";
  text_ += json_string(name);
  text_ += ":";
}

JsonLine& JsonLine::field(std::string_view name, std::string_view text) {
  begin(name);
  text_ += json_string(text);
  return *this;
}

JsonLine& JsonLine::field(std::string_view name, uint64_t number) {
  begin(name);
  text_ += std::to_string(number);
  return *this;
}

JsonLine& JsonLine::address(std::string_view name, uint64_t address) {
  begin(name);
  text_ += json_address(address);
  return *this;
}

JsonLine& JsonLine::raw(std::string_view name, std::string_view json) {
  begin(name);
  text_ += json;
  return *this;
}

}  // namespace greta::recorder
