#include "hiprtc/declaration.h"

#include <array>

namespace greta::hiprtc {
namespace {

// Words whose parentheses are not a parameter list.
bool takes_parentheses(const Token& token) {
  static constexpr std::array<std::string_view, 12> kWords = {
      "__launch_bounds__", "__attribute__", "__attribute", "__declspec", "alignas", "decltype",
      "noexcept",          "__align__",     "explicit",    "__typeof__", "typeof",  "_Alignas"};
  for (std::string_view word : kWords)
    if (token.is(word)) return true;
  return false;
}

// A last word that is part of a type rather than the name of a parameter.
bool ends_type(const Token& token) {
  static constexpr std::array<std::string_view, 14> kWords = {
      "int",  "char",   "short", "long",     "float",        "double",     "bool",
      "void", "signed", "const", "volatile", "__restrict__", "__restrict", "unsigned"};
  for (std::string_view word : kWords)
    if (token.is(word)) return true;
  return false;
}

bool is_class_key(const Token& token) {
  return token.is("class") || token.is("struct") || token.is("union") || token.is("enum");
}

// The index after the template argument list that begins at `open` ('<').
size_t after_angles(const Tokens& tokens, size_t open, size_t end) {
  int depth = 0;
  for (size_t i = open; i < end;) {
    if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) {
      i = after_group(tokens, i);
      continue;
    }
    if (tokens[i].is("<")) ++depth;
    if (tokens[i].is(">") && --depth == 0) return i + 1;
    ++i;
  }
  return end;
}

// The index of the '<' that the '>' at `close` ends.
size_t angle_opening(const Tokens& tokens, size_t close, size_t begin) {
  int depth = 0;
  for (size_t i = close + 1; i-- > begin;) {
    if (tokens[i].is(">")) ++depth;
    if (tokens[i].is("<") && --depth == 0) return i;
  }
  return begin;
}

}  // namespace

size_t after_group(const Tokens& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("(") || token.is("[") || token.is("{")) ++depth;
    if (token.is(")") || token.is("]") || token.is("}")) --depth;
    if (depth == 0) return i + 1;
  }
  return tokens.size();
}

Declaration::Declaration(const Tokens& tokens, size_t begin, size_t end)
    : tokens_(tokens), begin_(begin), end_(end) {
  declarator_ = after_template_prefix();
  parameters_ = find_parameters();
}

bool Declaration::has(std::string_view word) const {
  for (size_t i = begin_; i < end_; ++i)
    if (tokens_[i].is(word)) return true;
  return false;
}

bool Declaration::opens_namespace() const {
  if (begin_ == end_) return false;
  size_t first = tokens_[begin_].is("inline") ? begin_ + 1 : begin_;
  return first < end_ && tokens_[first].is("namespace");
}

bool Declaration::opens_linkage() const {
  return end_ == begin_ + 2 && tokens_[begin_].is("extern") &&
         tokens_[begin_ + 1].kind == TokenKind::kText;
}

bool Declaration::opens_class() const {
  if (has_parameters() || has_initializer()) return false;
  for (size_t i = declarator_; i < end_; ++i)
    if (is_class_key(tokens_[i])) return true;
  return false;
}

std::string Declaration::namespace_name() const {
  std::string name;
  for (size_t i = begin_; i < end_; ++i) {
    if (tokens_[i].is("__attribute__") || tokens_[i].is("[")) break;
    if (!tokens_[i].is("inline") && !tokens_[i].is("namespace")) name += tokens_[i].text;
  }
  return name;
}

std::string Declaration::class_name() const {
  std::string name;
  for (size_t i = declarator_; i < end_ && !tokens_[i].is(":"); ++i)
    if (tokens_[i].kind == TokenKind::kWord && !tokens_[i].is("final")) name = tokens_[i].text;
  return name;
}

bool Declaration::has_initializer() const {
  for (size_t i = declarator_; i < end_;) {
    if (tokens_[i].is("operator")) return false;
    if (tokens_[i].is("=")) return true;
    bool opens = tokens_[i].is("(") || tokens_[i].is("[") || tokens_[i].is("{");
    i = opens ? after_group(tokens_, i) : i + 1;
  }
  return false;
}

bool Declaration::is_explicit_instantiation() const {
  return begin_ + 1 < end_ && tokens_[begin_].is("template") && !tokens_[begin_ + 1].is("<");
}

bool Declaration::is_explicit_specialization() const {
  return begin_ + 2 < end_ && tokens_[begin_].is("template") && tokens_[begin_ + 1].is("<") &&
         tokens_[begin_ + 2].is(">");
}

bool Declaration::is_template() const {
  for (size_t i = begin_; i + 2 < declarator_; ++i)
    if (tokens_[i].is("template") && tokens_[i + 1].is("<") && !tokens_[i + 2].is(">")) return true;
  return false;
}

size_t Declaration::after_template_prefix() const {
  size_t at = begin_;
  while (at + 1 < end_ && tokens_[at].is("template") && tokens_[at + 1].is("<"))
    at = after_angles(tokens_, at + 1, end_);
  return at;
}

size_t Declaration::find_parameters() const {
  for (size_t i = declarator_; i < end_;) {
    if (tokens_[i].is("[") || tokens_[i].is("{")) {
      i = after_group(tokens_, i);
    } else if (tokens_[i].is("=")) {
      return end_;
    } else if (!tokens_[i].is("(")) {
      ++i;
    } else if (i > declarator_ && takes_parentheses(tokens_[i - 1])) {
      i = after_group(tokens_, i);
    } else {
      return i;
    }
  }
  return end_;
}

// The declared name ends before the parameter list: word, word<...>, or either behind "scope::".
size_t Declaration::name_begin() const {
  size_t at = parameters_;
  while (at > declarator_) {
    if (tokens_[at - 1].is(">")) at = angle_opening(tokens_, at - 1, declarator_);
    if (at > declarator_) --at;
    if (at <= declarator_ || !tokens_[at - 1].is("::")) break;
    --at;
  }
  return at;
}

std::string Declaration::declared_name() const { return text(name_begin(), parameters_); }

size_t Declaration::name_offset() const { return tokens_[name_begin()].offset; }

bool Declaration::returns_void() const {
  for (size_t i = declarator_; i < name_begin(); ++i)
    if (tokens_[i].is("void") && !tokens_[i + 1].is("*")) return true;
  return false;
}

std::string Declaration::text(size_t begin, size_t end) const {
  std::string joined;
  for (size_t i = begin; i < end; ++i) {
    bool words = !joined.empty() && tokens_[i].kind != TokenKind::kPunctuation &&
                 tokens_[i - 1].kind != TokenKind::kPunctuation;
    bool after_star = !joined.empty() && tokens_[i].kind == TokenKind::kWord &&
                      (tokens_[i - 1].is("*") || tokens_[i - 1].is("&") || tokens_[i - 1].is(">"));
    if (words || after_star) joined += ' ';
    joined += tokens_[i].text;
  }
  return joined;
}

// Each parameter without its default argument.
std::vector<std::pair<size_t, size_t>> Declaration::parameter_ranges() const {
  std::vector<std::pair<size_t, size_t>> ranges;
  size_t close = after_group(tokens_, parameters_) - 1;
  size_t begin = parameters_ + 1;
  size_t default_at = 0;
  for (size_t i = begin; i <= close;) {
    const Token& token = tokens_[i];
    if (i == close || token.is(",")) {
      size_t end = default_at ? default_at : i;
      if (end > begin) ranges.emplace_back(begin, end);
      begin = i + 1;
      default_at = 0;
      ++i;
    } else if (token.is("(") || token.is("[") || token.is("{")) {
      i = after_group(tokens_, i);
    } else if (token.is("<")) {
      size_t after = after_angles(tokens_, i, close);
      i = after < close || tokens_[close - 1].is(">") ? after : i + 1;
    } else {
      if (token.is("=") && !default_at) default_at = i;
      ++i;
    }
  }
  return ranges;
}

std::vector<KernelParameter> Declaration::parameters() const {
  std::vector<KernelParameter> found;
  for (auto [begin, end] : parameter_ranges()) {
    size_t name = end - 1;
    while (name > begin && tokens_[name].is("]")) {
      while (name > begin && !tokens_[name].is("[")) --name;
      --name;
    }
    bool named = name > begin && tokens_[name].kind == TokenKind::kWord &&
                 !tokens_[name - 1].is("::") && !ends_type(tokens_[name]);
    if (text(begin, end) == "void") continue;
    if (named)
      found.push_back({text(begin, name) + text(name + 1, end), text(name, name + 1)});
    else
      found.push_back({text(begin, end), ""});
  }
  return found;
}

std::string Declaration::parameter_types() const {
  std::string list;
  for (auto [begin, end] : parameter_ranges())
    list += (list.empty() ? "" : ", ") + text(begin, end);
  return list;
}

// The arguments of the first `word(...)`.
std::vector<std::string> Declaration::arguments_of(std::string_view word) const {
  std::vector<std::string> arguments;
  for (size_t i = begin_; i + 1 < end_; ++i) {
    if (!tokens_[i].is(word) || !tokens_[i + 1].is("(")) continue;
    size_t close = after_group(tokens_, i + 1) - 1;
    for (size_t begin = i + 2; begin < close;) {
      size_t end = begin;
      while (end < close && !tokens_[end].is(","))
        end = tokens_[end].is("(") ? after_group(tokens_, end) : end + 1;
      arguments.push_back(text(begin, end));
      begin = end + 1;
    }
    break;
  }
  return arguments;
}

std::string Declaration::launch_bound() const {
  std::vector<std::string> bounds = arguments_of("__launch_bounds__");
  if (!bounds.empty()) return bounds[0];
  // The attribute that AMD's __launch_bounds__ is made of: the least, the most.
  std::vector<std::string> sizes = arguments_of("amdgpu_flat_work_group_size");
  return sizes.size() == 2 ? sizes[1] : "";
}

Tokens Declaration::all() const {
  return Tokens(tokens_.begin() + static_cast<std::ptrdiff_t>(begin_),
                tokens_.begin() + static_cast<std::ptrdiff_t>(end_) + 1);
}

Tokens Declaration::before_parameters() const {
  return Tokens(tokens_.begin() + static_cast<std::ptrdiff_t>(begin_),
                tokens_.begin() + static_cast<std::ptrdiff_t>(parameters_));
}

Tokens Declaration::attributes() const {
  Tokens found;
  for (size_t i = begin_; i + 1 < parameters_;) {
    bool is_attribute = tokens_[i].is("__attribute__") || tokens_[i].is("__attribute") ||
                        (tokens_[i].is("[") && tokens_[i + 1].is("["));
    size_t group = tokens_[i].is("[") ? i : i + 1;
    size_t end = is_attribute ? after_group(tokens_, group) : i + 1;
    if (is_attribute)
      for (size_t at = i; at < end; ++at) found.push_back(tokens_[at]);
    i = end;
  }
  return found;
}

}  // namespace greta::hiprtc
