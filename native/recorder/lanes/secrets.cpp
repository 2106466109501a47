#include "recorder/lanes/secrets.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace greta::recorder {
namespace {

constexpr const char* kMask = "***";
constexpr const char* kSecrets[] = {"token",  "password",   "passwd",      "passphrase",
                                    "secret", "credential", "credentials", "apikey"};
constexpr const char* kOrdinaryKeys[] = {"cache", "sort",  "public", "primary",
                                         "index", "group", "join"};

constexpr std::string_view kKnownKeys[] = {"hf_",   "ghp_",        "gho_",   "ghu_",  "ghs_",
                                           "ghr_",  "github_pat_", "glpat-", "sk-",   "xoxa-",
                                           "xoxb-", "xoxp-",       "xoxr-",  "xoxs-", "AKIA"};
constexpr size_t kLeastKey = 16;
constexpr const char* kKeyCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
constexpr const char* kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

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
  return without_secrets(word);
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// "https://user:PASSWORD@host", "https://TOKEN@host".
void mask_url_users(std::string& text) {
  for (size_t at = 0; (at = text.find("://", at)) != std::string::npos;) {
    at += 3;
    const size_t end = text.find_first_of("/?# \t\n@", at);
    if (end == std::string::npos || text[end] != '@') continue;
    const size_t colon = text.find(':', at);
    const size_t begin = colon < end ? colon + 1 : at;
    text.replace(begin, end - begin, kMask);
  }
}

// "?access_token=SECRET&page=2".
void mask_url_fields(std::string& text) {
  for (size_t at = 0; (at = text.find_first_of("?&;", at)) != std::string::npos;) {
    const size_t equals = text.find_first_not_of(kNameCharacters, ++at);
    if (equals == std::string::npos || text[equals] != '=' || equals == at) continue;
    if (!is_secret_name(std::string_view(text).substr(at, equals - at))) continue;
    const size_t end = std::min(text.find_first_of("&;# \t\n", equals + 1), text.size());
    if (end > equals + 1) text.replace(equals + 1, end - equals - 1, kMask);
  }
}

bool equals_ignoring_case(std::string_view one, std::string_view lower) {
  if (one.size() != lower.size()) return false;
  for (size_t i = 0; i < one.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(one[i])) != lower[i]) return false;
  }
  return true;
}

// "Bearer SECRET" and "Basic SECRET", as HTTP headers have them.
void mask_credentials(std::string& text) {
  for (const std::string_view scheme : {"bearer", "basic"}) {
    for (size_t at = 0; at + scheme.size() < text.size(); ++at) {
      const bool begins = at == 0 || !(is_word(text[at - 1]) || text[at - 1] == '_');
      if (!begins ||
          !equals_ignoring_case(std::string_view(text).substr(at, scheme.size()), scheme))
        continue;
      const size_t space = at + scheme.size();
      const size_t begin = text.find_first_not_of(' ', space);
      if (begin == space || begin == std::string::npos) continue;
      const size_t end = std::min(text.find_first_of(" \t\n'\"", begin), text.size());
      if (end > begin) text.replace(space, end - space, std::string(" ") + kMask);
    }
  }
}

// Keys that are known by their beginning, such as "hf_" and sixteen letters or more.
void mask_known_keys(std::string& text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && is_word(text[at - 1])) continue;
    for (const std::string_view known : kKnownKeys) {
      if (text.compare(at, known.size(), known) != 0) continue;
      const size_t begin = at + known.size();
      const size_t end = std::min(text.find_first_not_of(kKeyCharacters, begin), text.size());
      if (end - begin >= kLeastKey) text.replace(at, end - at, kMask);
      break;
    }
  }
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

std::string without_secrets(std::string text) {
  mask_url_users(text);
  mask_url_fields(text);
  mask_credentials(text);
  mask_known_keys(text);
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
