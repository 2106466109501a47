#include "gfx/kernel_printf.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

namespace greta::sim::gfx {
namespace {

constexpr size_t kMostColumns = 4096;  // of one conversion

class Words {
 public:
  Words(const uint64_t* words, size_t count) : at_(words), end_(words + count) {}

  bool done() const { return at_ == end_; }
  uint64_t number() { return done() ? 0 : *at_++; }

  std::string text() {
    const auto* const begin = reinterpret_cast<const char*>(at_);
    const size_t room = static_cast<size_t>(end_ - at_) * sizeof *at_;
    const size_t length = strnlen(begin, room);
    at_ += std::min<size_t>(end_ - at_, length / sizeof *at_ + 1);
    return std::string(begin, length);
  }

 private:
  const uint64_t* at_;
  const uint64_t* const end_;
};

template <class T>
std::string converted(const std::string& directive, T value) {
  const int length = std::snprintf(nullptr, 0, directive.c_str(), value);
  if (length < 0) return "";
  std::vector<char> text(static_cast<size_t>(length) + 1);
  std::snprintf(text.data(), text.size(), directive.c_str(), value);
  return text.data();
}

// "%-8.*lld" in parts: all but the length of the type, which the word has.
struct Directive {
  std::string flags;
  std::string length;
  char conversion = 0;

  // From behind the percent sign; how many characters it took.
  size_t read(const std::string& format, size_t at, Words* words) {
    const size_t begin = at;
    for (; at < format.size() && std::strchr("-+ #0123456789.*", format[at]) != nullptr; ++at) {
      if (format[at] == '*') {
        flags += std::to_string(static_cast<int>(words->number()));
      } else {
        flags += format[at];
      }
    }
    for (; at < format.size() && std::strchr("hljztL", format[at]) != nullptr; ++at) {
      length += format[at];
    }
    conversion = at < format.size() ? format[at++] : 0;
    return at - begin;
  }

  // No conversion may take a gigabyte of blanks.
  bool is_sound() const {
    size_t digits = 0;
    for (const char letter : flags) {
      digits = letter >= '0' && letter <= '9' ? digits * 10 + static_cast<size_t>(letter - '0') : 0;
      if (digits > kMostColumns) return false;
    }
    return std::count(flags.begin(), flags.end(), '.') <= 1;
  }
};

long long as_signed(uint64_t word, const std::string& length) {
  if (length == "hh") return static_cast<signed char>(word);
  if (length == "h") return static_cast<short>(word);
  return length.empty() ? static_cast<int>(word) : static_cast<long long>(word);
}

unsigned long long as_unsigned(uint64_t word, const std::string& length) {
  if (length == "hh") return static_cast<unsigned char>(word);
  if (length == "h") return static_cast<unsigned short>(word);
  return length.empty() ? static_cast<unsigned>(word) : word;
}

std::string shown(const Directive& directive, Words* words) {
  const std::string start = "%" + directive.flags;
  const char conversion = directive.conversion;
  if (conversion == '%') return "%";
  if (conversion == 0 || words->done() || !directive.is_sound()) return start + conversion;
  switch (conversion) {
    case 'd':
    case 'i':
      return converted(start + "ll" + conversion, as_signed(words->number(), directive.length));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return converted(start + "ll" + conversion, as_unsigned(words->number(), directive.length));
    case 'c':
      return converted(start + conversion, static_cast<int>(words->number()));
    case 'p':
      return converted(start + conversion, reinterpret_cast<const void*>(words->number()));
    case 's':
      return converted(start + conversion, words->text().c_str());
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      const uint64_t word = words->number();
      double value;
      std::memcpy(&value, &word, sizeof value);
      return converted(start + conversion, value);
    }
    default:
      return start + conversion;
  }
}

}  // namespace

std::string formatted(const uint64_t* words, size_t count) {
  Words rest(words, count);
  const std::string format = rest.text();
  std::string text;
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      text += format[at++];
      continue;
    }
    Directive directive;
    at += 1 + directive.read(format, at + 1, &rest);
    text += shown(directive, &rest);
  }
  return text;
}

}  // namespace greta::sim::gfx
