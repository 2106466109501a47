#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace greta::recorder {

// What src/greta/runs/masking.py does to what Python writes, by the same words
// (contract/secrets.toml); tests/recorder/test_secrets.py compares both.

// Whether the name of an option or variable says that its value is a secret.
bool is_secret_name(std::string_view name);

// The same of a variable, of which any part of the name counts.
bool is_secret_variable(std::string_view name);

// A text without what is a secret by its looks: credentials in URLs and headers, well-known keys.
std::string without_secrets(std::string text);

// A command line as it may be written down: secrets are ***.
std::vector<std::string> masked_words(std::vector<std::string> words);

// A word of a command line, cut where it is too long, for where nothing may be allocated: between
// fork and exec.
class ShortWord {
 public:
  explicit ShortWord(std::string_view word);
  // `before` is the word before it.
  void mask(std::string_view before);
  const char* c_str() const { return bytes_; }
  std::string_view view() const { return {bytes_, size_}; }
  bool is_cut() const { return is_cut_; }
  void replace(size_t at, size_t count, std::string_view with);

 private:
  char bytes_[1024];
  size_t size_;
  bool is_cut_;
};

}  // namespace greta::recorder
