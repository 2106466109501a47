#include "codeobject/readable_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace greta::codeobject {
namespace {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return text ? text.get() : "";
}

void replace_all(const std::string& what, const std::string& by, std::string* text) {
  for (size_t at = 0; (at = text->find(what, at)) != std::string::npos; at += by.size()) {
    text->replace(at, what.size(), by);
  }
}

// Types of halves that C++ libraries before GCC 13's do not know stand in for by types that nobody
// uses in a kernel, and that count like them where a name refers to its own parts.
struct StandIn {
  const char* code;
  const char* other_code;
  const char* other_name;
  const char* name;
};
constexpr StandIn kStandIns[] = {{"DF16_", "Dd", "decimal64", "_Float16"},
                                 {"DF16b", "De", "decimal128", "__bf16"}};

}  // namespace

std::string readable_name(const std::string& name) {
  std::string text = demangled(name);
  if (!text.empty()) return text;
  std::string known = name;
  for (const StandIn& one : kStandIns) replace_all(one.code, one.other_code, &known);
  if (known == name || (text = demangled(known)).empty()) return name;
  for (const StandIn& one : kStandIns) replace_all(one.other_name, one.name, &text);
  return text;
}

}  // namespace greta::codeobject
