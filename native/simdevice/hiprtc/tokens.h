// C++ text cut into tokens: as much of the language as finding kernels in preprocessed text needs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace greta::hiprtc {

enum class TokenKind { kWord, kNumber, kText, kPunctuation };

struct Token {
  TokenKind kind;
  size_t offset;  // into the text
  std::string_view text;

  bool is(std::string_view what) const { return text == what && kind != TokenKind::kText; }
};

using Tokens = std::vector<Token>;

// Every token, except preprocessor lines and whatever comes from files under `skipped_directory`
// (hipRTC's own headers: large, and without kernels). ">>" is two tokens, so that template
// argument lists close one by one; "::" is one.
Tokens tokenize(std::string_view text, std::string_view skipped_directory);

// "file:line:column" of an offset into preprocessed text, as its line markers have it.
std::string position_of(std::string_view preprocessed, size_t offset);

// The files that the line markers of preprocessed text name, each once.
std::vector<std::string> included_files(std::string_view preprocessed);

}  // namespace greta::hiprtc
