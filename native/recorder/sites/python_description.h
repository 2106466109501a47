// Puts into words where a thread's Python code is: the slow part, done once for each site.
#pragma once

#include <cstdint>
#include <string>

#include "recorder/sites/python_interpreter.h"

namespace greta::recorder {

constexpr int kScriptFrames = 16;
// Frames looked at to find that many: some belong to the interpreter itself.
constexpr int kFramesWalked = 64;

enum class Description {
  kComplete,
  kEmpty,    // the thread runs no Python code now
  kMismatch  // what lies there is not what the layout says
};

// `body` becomes what follows "id" in an entry "script" of tables.jsonl: "python" and "frames".
// Reads nothing it has not checked. Changes errno.
Description describe_frames(const PythonInterpreter& python, uintptr_t thread, std::string* body);

}  // namespace greta::recorder
