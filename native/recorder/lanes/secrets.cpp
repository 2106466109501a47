#include "recorder/lanes/secrets.h"

#include <algorithm>
#include <cstring>

#include "recorder/generated/secret_words.h"

namespace greta::recorder {
namespace {

constexpr std::string_view kMask = "***";
constexpr const char* kKeyCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
constexpr const char* kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
constexpr size_t kLongestName = 128;
constexpr size_t kNowhere = std::string_view::npos;

// Of ASCII, whatever locale the program sets.
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

bool equals_ignoring_case(std::string_view one, std::string_view lower) {
  if (one.size() != lower.size()) return false;
  return std::equal(one.begin(), one.end(), lower.begin(),
                    [](char a, char b) { return greta::recorder::lower(a) == b; });
}

template <size_t N>
bool is_one_of(std::string_view part, const std::string_view (&known)[N]) {
  return std::any_of(std::begin(known), std::end(known),
                     [part](std::string_view one) { return equals_ignoring_case(part, one); });
}

bool begins_part(std::string_view name, size_t i) {
  if (i == 0 || !is_letter(name[i - 1])) return true;
  if (!is_upper(name[i])) return false;
  const bool ends_capitals =
      i + 1 < name.size() && is_letter(name[i + 1]) && !is_upper(name[i + 1]);
  return !is_upper(name[i - 1]) || ends_capitals;
}

// "--apiKey" and "API_KEY" are both "api" and "key", "HFToken" is "HF" and "Token".
template <typename Visit>
void for_each_part(std::string_view name, Visit visit) {
  for (size_t at = 0; at < name.size();) {
    size_t end = at + 1;
    if (is_letter(name[at])) {
      while (end < name.size() && is_letter(name[end]) && !begins_part(name, end)) ++end;
      visit(name.substr(at, end - at));
    }
    at = end;
  }
}

// How long the name of an option or variable is that a word begins with: "--token" of "--token=x".
size_t name_length(std::string_view word) {
  const size_t begin = std::min(word.find_first_not_of('-'), size_t{3});
  if (begin > 2 || begin >= word.size() || !is_letter(word[begin])) return 0;
  const size_t end = std::min(word.find_first_not_of(kNameCharacters, begin), word.size());
  return end - begin <= kLongestName ? end : 0;
}

bool is_option(std::string_view word) {
  return !word.empty() && word[0] == '-' && name_length(word) == word.size();
}

// A text is a std::string, or a ShortWord where nothing may be allocated.
std::string_view view_of(const std::string& text) { return text; }
std::string_view view_of(const ShortWord& word) { return word.view(); }
bool is_cut(const std::string&) { return false; }
bool is_cut(const ShortWord& word) { return word.is_cut(); }

template <typename Text>
void put_mask(Text& text, size_t begin, size_t end, std::string_view mask = kMask) {
  text.replace(begin, end - begin, mask);
}

// "https://user:PASSWORD@host", "https://TOKEN@host".
template <typename Text>
void mask_url_users(Text& text) {
  for (size_t at = 0; (at = view_of(text).find("://", at)) != kNowhere;) {
    at += 3;
    size_t end = view_of(text).find_first_of("/?#@ \t\n\r\f\v", at);
    if (end == kNowhere && is_cut(text)) {
      end = view_of(text).size();  // what tells a password from a host may be behind the cut
    } else if (end == kNowhere || view_of(text)[end] != '@') {
      continue;
    }
    if (end == at) continue;
    const size_t colon = view_of(text).find(':', at);
    put_mask(text, colon < end ? colon + 1 : at, end);
  }
}

// "?access_token=SECRET&page=2".
template <typename Text>
void mask_url_fields(Text& text) {
  for (size_t at = 0; (at = view_of(text).find_first_of("?&;", at)) != kNowhere;) {
    const size_t equals = view_of(text).find_first_not_of(kNameCharacters, ++at);
    if (equals == kNowhere || view_of(text)[equals] != '=') continue;
    if (!is_secret_name(view_of(text).substr(at, equals - at))) continue;
    const size_t size = view_of(text).size();
    const size_t end = std::min(view_of(text).find_first_of("&;# \t\n\r\f\v", equals + 1), size);
    if (end > equals + 1) put_mask(text, equals + 1, end);
  }
}

bool is_quote(char c) { return c == '"' || c == '\''; }

// Behind the string that ends with this quote, or where the text ends.
size_t end_of_string(std::string_view text, size_t at, char quote) {
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

// Where the string begins that is the value of a quoted name, which ends at `at`: "name": "value".
size_t quoted_value(std::string_view text, size_t at, char quote) {
  if (at >= text.size() || text[at] != quote) return kNowhere;
  at = text.find_first_not_of(' ', at + 1);
  if (at == kNowhere || text[at] != ':') return kNowhere;
  at = text.find_first_not_of(' ', at + 1);
  return at != kNowhere && is_quote(text[at]) ? at + 1 : kNowhere;
}

// {"password": "SECRET"}, as JSON and Python have it.
template <typename Text>
void mask_quoted_fields(Text& text) {
  for (size_t at = 0; (at = view_of(text).find_first_of("\"'", at)) != kNowhere;) {
    const std::string_view all = view_of(text);
    const size_t begin = at + 1;
    const size_t end = std::min(all.find_first_not_of(kNameCharacters, begin), all.size());
    const size_t value = end > begin ? quoted_value(all, end, all[at]) : kNowhere;
    at = begin;
    if (value == kNowhere) continue;
    const size_t close = end_of_string(all, value, all[value - 1]);
    if (close == value) continue;
    at = close;
    if (!is_secret_name(all.substr(begin, end - begin))) continue;
    put_mask(text, value, close);
    at = std::min(value + kMask.size(), view_of(text).size());
  }
}

// "Bearer SECRET" and "Basic SECRET", as HTTP headers have them.
template <typename Text>
void mask_credentials(Text& text, std::string_view scheme) {
  for (size_t at = 0; at + scheme.size() < view_of(text).size(); ++at) {
    const std::string_view all = view_of(text);
    const bool begins = at == 0 || !(is_word(all[at - 1]) || all[at - 1] == '_');
    if (!begins || !equals_ignoring_case(all.substr(at, scheme.size()), scheme)) continue;
    const size_t space = at + scheme.size();
    const size_t begin = all.find_first_not_of(' ', space);
    if (begin == space || begin == kNowhere) continue;
    const size_t end = std::min(all.find_first_of("'\" \t\n\r\f\v", begin), all.size());
    if (end > begin) put_mask(text, space, end, " ***");
  }
}

// Keys that are known by their beginning, such as "hf_" and sixteen letters or more.
template <typename Text>
void mask_known_keys(Text& text) {
  for (size_t at = 0; at < view_of(text).size(); ++at) {
    const std::string_view all = view_of(text);
    if (at > 0 && is_word(all[at - 1])) continue;
    for (const std::string_view known : kKnownKeys) {
      if (all.substr(at, known.size()) != known) continue;
      const size_t begin = at + known.size();
      const size_t end = std::min(all.find_first_not_of(kKeyCharacters, begin), all.size());
      if (end - begin >= kLeastKey) put_mask(text, at, end);
      break;
    }
  }
}

template <typename Text>
void mask_text(Text& text) {
  mask_url_users(text);
  mask_url_fields(text);
  mask_quoted_fields(text);
  for (const std::string_view scheme : kSchemes) mask_credentials(text, scheme);
  mask_known_keys(text);
}

template <typename Text>
void mask_word(Text& text, std::string_view before) {
  const std::string_view word = view_of(text);
  if (is_option(before) && is_secret_name(before) && !is_option(word)) {
    put_mask(text, 0, word.size());
    return;
  }
  const size_t end = name_length(word);
  if (end > 0 && end + 1 < word.size() && (word[end] == '=' || word[end] == ':') &&
      is_secret_name(word.substr(0, end))) {
    const bool has_space = word[end] == ':' && word[end + 1] == ' ' && end + 2 < word.size();
    put_mask(text, end + (has_space ? 2 : 1), word.size());
    return;
  }
  mask_text(text);
}

}  // namespace

bool is_secret_name(std::string_view name) {
  std::string_view last;
  bool ordinary = false;
  for_each_part(name, [&](std::string_view part) {
    last = part;
    ordinary = ordinary || is_one_of(part, kOrdinaryKeys);
  });
  return equals_ignoring_case(last, "key") ? !ordinary : is_one_of(last, kSecrets);
}

bool is_secret_variable(std::string_view name) {
  bool found = is_secret_name(name);
  for_each_part(name, [&](std::string_view part) { found = found || is_one_of(part, kSecrets); });
  return found;
}

std::string without_secrets(std::string text) {
  mask_text(text);
  return text;
}

std::vector<std::string> masked_words(std::vector<std::string> words) {
  std::vector<std::string> shown = words;
  for (size_t i = 1; i < words.size(); ++i) mask_word(shown[i], i > 1 ? words[i - 1] : "");
  return shown;
}

ShortWord::ShortWord(std::string_view word)
    : size_(std::min(word.size(), sizeof bytes_ - 1)), is_cut_(word.size() > size_) {
  std::memcpy(bytes_, word.data(), size_);
  bytes_[size_] = '\0';
}

void ShortWord::mask(std::string_view before) { mask_word(*this, before); }

void ShortWord::replace(size_t at, size_t count, std::string_view with) {
  const size_t rest = size_ - at - count;
  const size_t put = std::min(with.size(), sizeof bytes_ - 1 - at);
  const size_t kept = std::min(rest, sizeof bytes_ - 1 - at - put);
  std::memmove(bytes_ + at + put, bytes_ + at + count, kept);
  std::memcpy(bytes_ + at, with.data(), put);
  size_ = at + put + kept;
  bytes_[size_] = '\0';
}

}  // namespace greta::recorder
