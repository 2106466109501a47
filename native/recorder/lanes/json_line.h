// One line of tables.jsonl, built field by field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace greta::recorder {

class JsonLine {
 public:
  explicit JsonLine(std::string_view kind) { field("t", kind); }

  JsonLine& field(std::string_view name, std::string_view text);
  JsonLine& field(std::string_view name, uint64_t number);
  JsonLine& address(std::string_view name, uint64_t address);
  // `json` is written as it is.
  JsonLine& raw(std::string_view name, std::string_view json);

  // With the brace and the newline.
  std::string finished() const { return text_ + "}\n"; }

 private:
  void begin(std::string_view name);
  std::string text_;
};

// With quotes. Bytes that are not UTF-8 become lone surrogates, as recording.h says.
std::string json_string(std::string_view bytes);
std::string json_address(uint64_t address);

}  // namespace greta::recorder
