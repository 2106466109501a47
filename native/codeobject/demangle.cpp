// greta-demangle: a mangled C++ name a line on standard input, the readable one on standard output.
// A process of its own: there are names, made on purpose, whose readable form fills the memory.
#include <iostream>
#include <string>

#include "codeobject/readable_name.h"

namespace {

std::string readable(const std::string& name) {
  const size_t version = name.find('@');  // of a symbol, which is no part of the name
  const std::string symbol = name.substr(0, version);
  return greta::codeobject::readable_name(symbol) + name.substr(symbol.size());
}

}  // namespace

int main() {
  for (std::string name; std::getline(std::cin, name);) std::cout << readable(name) << std::endl;
}
