// greta-demangle: a mangled C++ name a line on standard input, the readable one on standard output.
// A process of its own: there are names, made on purpose, whose readable form fills the memory.
#include <cxxabi.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

namespace {

std::string readable(const std::string& name) {
  const size_t version = name.find('@');  // of a symbol, which is no part of the name
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.substr(0, version).c_str(), nullptr, nullptr, &status), std::free);
  if (!text) return name;
  return version == std::string::npos ? text.get() : text.get() + name.substr(version);
}

}  // namespace

int main() {
  for (std::string name; std::getline(std::cin, name);) std::cout << readable(name) << std::endl;
}
