#include "hiprtc/tokens.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace greta::hiprtc {
namespace {

bool is_word_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// The file name of a line marker: # 12 "name" flags
std::string_view marker_file(std::string_view line) {
  size_t begin = line.find('"');
  size_t end = line.rfind('"');
  if (begin == std::string_view::npos || end <= begin) return {};
  return line.substr(begin + 1, end - begin - 1);
}

bool is_marker(std::string_view line) {
  return line.size() > 2 && line[0] == '#' && line[1] == ' ' && is_digit(line[2]);
}

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view skipped) : text_(text), skipped_(skipped) {}

  Tokens run() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    char c = peek();
    if (c == '\n') {
      at_line_start_ = true;
      ++at_;
    } else if (c == '#' && at_line_start_) {
      directive();
    } else if (skipping_) {
      skip_line();
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else {
      at_line_start_ = false;
      token();
    }
  }

  size_t line_end() const { return std::min(text_.find('\n', at_), text_.size()); }
  void skip_line() { at_ = line_end(); }

  void directive() {
    std::string_view line = text_.substr(at_, line_end() - at_);
    if (is_marker(line) && !skipped_.empty())
      skipping_ = marker_file(line).substr(0, skipped_.size()) == skipped_;
    skip_line();
  }

  void token() {
    if (is_raw_string()) return raw_string();
    if (is_word_start(peek())) return word();
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (peek() == '"' || peek() == '\'') return quoted(peek());
    emit(TokenKind::kPunctuation, peek() == ':' && peek(1) == ':' ? 2 : 1);
  }

  void emit(TokenKind kind, size_t length) {
    length = std::min(length, text_.size() - at_);
    tokens_.push_back({kind, at_, text_.substr(at_, length)});
    at_ += length;
  }

  void word() {
    size_t length = 1;
    while (is_word(peek(length))) ++length;
    emit(TokenKind::kWord, length);
  }

  void number() {
    size_t length = 1;
    while (is_word(peek(length)) || peek(length) == '.' ||
           (peek(length) == '\'' && is_word(peek(length + 1))) ||
           ((peek(length) == '+' || peek(length) == '-') && is_exponent(peek(length - 1))))
      ++length;
    emit(TokenKind::kNumber, length);
  }
  static bool is_exponent(char c) { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; }

  void quoted(char quote) {
    size_t length = 1;
    while (at_ + length < text_.size() && peek(length) != quote && peek(length) != '\n')
      length += peek(length) == '\\' ? 2 : 1;
    emit(TokenKind::kText, length + 1);
  }

  size_t raw_prefix() const {
    size_t prefix = 0;
    while (prefix < 3 && is_word(peek(prefix)) && peek(prefix) != 'R') ++prefix;
    return prefix;
  }
  bool is_raw_string() const { return peek(raw_prefix()) == 'R' && peek(raw_prefix() + 1) == '"'; }
  void raw_string() {
    size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return emit(TokenKind::kText, text_.size());
    size_t delimiter = at_ + raw_prefix() + 2;
    std::string end = ")" + std::string(text_.substr(delimiter, open - delimiter)) + "\"";
    size_t close = text_.find(end, open);
    if (close == std::string_view::npos) return emit(TokenKind::kText, text_.size());
    emit(TokenKind::kText, close + end.size() - at_);
  }

  std::string_view text_;
  std::string_view skipped_;
  size_t at_ = 0;
  bool at_line_start_ = true;
  bool skipping_ = false;
  Tokens tokens_;
};

}  // namespace

Tokens tokenize(std::string_view text, std::string_view skipped_directory) {
  return Lexer(text, skipped_directory).run();
}

std::string position_of(std::string_view preprocessed, size_t offset) {
  std::string file;
  size_t line_number = 1;
  size_t at = 0;
  for (;;) {
    size_t end = std::min(preprocessed.find('\n', at), preprocessed.size());
    if (offset <= end) break;
    std::string_view line = preprocessed.substr(at, end - at);
    if (is_marker(line)) {
      file = marker_file(line);
      line_number = std::stoul(std::string(line.substr(2)));
    } else {
      ++line_number;
    }
    at = end + 1;
  }
  return file + ":" + std::to_string(line_number) + ":" + std::to_string(offset - at + 1);
}

std::vector<std::string> included_files(std::string_view preprocessed) {
  std::set<std::string, std::less<>> files;
  for (size_t at = 0; at < preprocessed.size();) {
    size_t end = std::min(preprocessed.find('\n', at), preprocessed.size());
    std::string_view line = preprocessed.substr(at, end - at);
    std::string_view file = is_marker(line) ? marker_file(line) : std::string_view{};
    if (!file.empty()) files.emplace(file);
    at = end + 1;
  }
  return {files.begin(), files.end()};
}

}  // namespace greta::hiprtc
