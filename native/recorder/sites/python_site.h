// Which line of whose script is calling: the site of the calling thread's Python code.
//
// The thread is inside a call it made, so its own frames stand still, and they are read where they
// lie: no Python header, no GIL (AMD's bindings and ctypes call HIP without it), no Python object.
// A site that was seen before costs some loads and a look-up in a cache of the thread's own.
#pragma once

#include <cstdint>
#include <string>

#include "recorder/sites/loaded_code.h"
#include "recorder/sites/python_interpreter.h"

namespace greta::recorder {

// Where new sites go. Called rarely, by any thread; must not call back.
class ScriptSink {
 public:
  virtual ~ScriptSink() = default;
  // `body` is what follows {"t":"script","id":<id>, in the line, without the closing brace.
  // Returns the id, or 0 if it could not be written. Called by one thread at a time.
  virtual uint32_t add_script(const std::string& body) = 0;
  // Something to say once, for an entry "note".
  virtual void add_note(const std::string& text) = 0;
};

// To be called at the start and whenever libraries were loaded. Nothing is looked up until the next
// current_script_site(). Without this call there is no Python.
void python_may_be_loaded(SymbolLookup lookup);

// The id of the entry "script" that describes the calling thread's innermost frames, 0 if it runs
// no Python code or code that we cannot read. Keeps errno.
uint32_t current_script_site(ScriptSink& sink);

// The interpreter's own code; to be asked only where there was a site.
Code python_interpreter_code();

// All ids so far are void: in a forked child, which writes tables of its own.
void forget_script_sites();

}  // namespace greta::recorder
