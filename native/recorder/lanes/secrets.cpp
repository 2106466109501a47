#include "recorder/lanes/secrets.h"

#include <cctype>

namespace greta::recorder {
namespace {

constexpr const char* kMask = "***";
constexpr const char* kSecrets[] = {"token",  "password",   "passwd",      "passphrase",
                                    "secret", "credential", "credentials", "apikey"};
constexpr const char* kOrdinaryKeys[] = {"cache", "sort",  "public", "primary",
                                         "index", "group", "join"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// "--apiKey" and "API_KEY" are both {"api", "key"}.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  char before = '-';
  for (const char c : name) {
    if (is_letter(c)) {
      if (!is_letter(before) || (is_upper(c) && !is_upper(before))) parts.emplace_back();
      parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    before = c;
  }
  return parts;
}

template <size_t N>
bool is_one_of(const std::string& part, const char* const (&known)[N]) {
  for (const char* one : known) {
    if (part == one) return true;
  }
  return false;
}

bool is_option(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return false;
  const size_t begin = word[1] == '-' ? 2 : 1;
  if (word.size() <= begin || !is_letter(word[begin])) return false;
  return word.find_first_of("= :/") == std::string_view::npos;
}

std::string masked(const std::string& word, const std::string& before) {
  if (is_option(before) && is_secret_name(before) && !is_option(word)) return kMask;
  const size_t end = word.find_first_of("=:");
  if (end != std::string::npos && end > 0 && end + 1 < word.size() &&
      word.find_first_of("/ ?") > end && is_secret_name(word.substr(0, end))) {
    return word.substr(0, end + 1) + kMask;
  }
  return without_passwords(word);
}

}  // namespace

bool is_secret_name(std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  if (parts.empty()) return false;
  if (parts.back() != "key") return is_one_of(parts.back(), kSecrets);
  for (const std::string& part : parts) {
    if (is_one_of(part, kOrdinaryKeys)) return false;
  }
  return true;
}

bool is_secret_variable(std::string_view name) {
  for (const std::string& part : parts_of(name)) {
    if (is_one_of(part, kSecrets)) return true;
  }
  return is_secret_name(name);
}

std::string without_passwords(std::string text) {
  for (size_t at = 0; (at = text.find("://", at)) != std::string::npos;) {
    at += 3;
    const size_t end = text.find_first_of("/?# @", at);
    if (end == std::string::npos || text[end] != '@') continue;
    const size_t colon = text.find(':', at);
    const size_t begin = colon < end ? colon + 1 : at;
    text.replace(begin, end - begin, kMask);
  }
  return text;
}

std::vector<std::string> masked_words(std::vector<std::string> words) {
  std::vector<std::string> shown;
  for (size_t i = 0; i < words.size(); ++i) {
    shown.push_back(i == 0 ? words[0] : masked(words[i], i > 1 ? words[i - 1] : ""));
  }
  return shown;
}

}  // namespace greta::recorder
