#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace greta::recorder {

// Whether the name of an option or variable says that its value is a secret.
bool is_secret_name(std::string_view name);

// The same of a variable, of which any part of the name counts.
bool is_secret_variable(std::string_view name);

// A text without what is a secret by its looks: credentials in URLs and headers, well-known keys.
std::string without_secrets(std::string text);

// A command line as it may be written down: secrets are ***. As src/greta/runs/masking.py does;
// tests/recorder/test_secrets.py compares both.
std::vector<std::string> masked_words(std::vector<std::string> words);

}  // namespace greta::recorder
