// Finds the CPython of this process and how its frames are laid out, without its headers.
#pragma once

#include <string>

#include "recorder/sites/python_layouts.h"

namespace greta::recorder {

// dlsym(), or what stands for it.
using SymbolLookup = void* (*)(void* handle, const char* name);

struct PythonInterpreter {
  PythonLayout layout;
  char version[8] = "";  // "3.11"
  void* (*this_thread)() = nullptr;
  int (*is_finalizing)() = nullptr;  // may be missing
  const void* code_type = nullptr;
  const void* text_type = nullptr;
  const void* bytes_type = nullptr;
};

enum class PythonSearch {
  kAbsent,     // no Python in this process, so far
  kFound,      // `python` is filled in; whether it is right, the first frames will tell
  kUnreadable  // one whose frames we cannot read; `note` says why
};

PythonSearch find_python(SymbolLookup lookup, PythonInterpreter* python, std::string* note);

}  // namespace greta::recorder
