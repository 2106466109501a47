#include "recorder/sites/python_interpreter.h"

#include <dlfcn.h>

#include <cstdio>

namespace greta::recorder {
namespace {

// PY_VERSION_HEX: 0x030b07f0 is 3.11.7.
uint64_t version_of(SymbolLookup lookup) {
  if (auto* version = static_cast<const unsigned long*>(lookup(RTLD_DEFAULT, "Py_Version"))) {
    return *version;  // 3.11 and newer
  }
  auto get_version = reinterpret_cast<const char* (*)()>(lookup(RTLD_DEFAULT, "Py_GetVersion"));
  unsigned major = 0;
  unsigned minor = 0;
  if (!get_version || sscanf(get_version(), "%u.%u", &major, &minor) != 2) return 0;
  return (major & 0xff) << 24 | (minor & 0xff) << 16 | 0xf0;
}

// Layouts are fixed from the first release candidate on.
bool is_release(uint64_t version) { return (version >> 4 & 0xf) >= 0xc; }

bool known_layout(uint64_t version, PythonLayout* layout) {
  switch (version >> 16) {
    case 0x0309:
      *layout = python_3_9();
      return true;
    case 0x030a:
      *layout = python_3_10();
      return true;
    case 0x030b:
      *layout = python_3_11();
      return true;
    case 0x030c:
      *layout = python_3_12();
      return true;
    default:
      return false;
  }
}

bool find_layout(SymbolLookup lookup, uint64_t version, PythonLayout* layout) {
  if (!is_release(version)) return false;
  if (known_layout(version, layout)) return true;
  if ((version >> 16) != 0x030d && (version >> 16) != 0x030e) return false;
  auto* runtime = static_cast<const unsigned char*>(lookup(RTLD_DEFAULT, "_PyRuntime"));
  return runtime && layout_from_debug_offsets(runtime, version, layout);
}

bool find_symbols(SymbolLookup lookup, PythonInterpreter* python) {
  python->code_type = lookup(RTLD_DEFAULT, "PyCode_Type");
  python->text_type = lookup(RTLD_DEFAULT, "PyUnicode_Type");
  python->bytes_type = lookup(RTLD_DEFAULT, "PyBytes_Type");
  void* finalizing = lookup(RTLD_DEFAULT, "Py_IsFinalizing");
  if (!finalizing) finalizing = lookup(RTLD_DEFAULT, "_Py_IsFinalizing");
  python->is_finalizing = reinterpret_cast<int (*)()>(finalizing);
  return python->code_type && python->text_type && python->bytes_type;
}

}  // namespace

PythonSearch find_python(SymbolLookup lookup, PythonInterpreter* python, std::string* note) {
  void* this_thread = lookup(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
  if (!this_thread) return PythonSearch::kAbsent;
  python->this_thread = reinterpret_cast<void* (*)()>(this_thread);

  uint64_t version = version_of(lookup);
  snprintf(python->version, sizeof python->version, "%u.%u",
           static_cast<unsigned>(version >> 24 & 0xff),
           static_cast<unsigned>(version >> 16 & 0xff));
  if (find_symbols(lookup, python) && find_layout(lookup, version, &python->layout)) {
    return PythonSearch::kFound;
  }
  *note = std::string("the frames of this build of Python ") + python->version +
          " are not known to the recorder; calls are recorded without their script lines";
  return PythonSearch::kUnreadable;
}

}  // namespace greta::recorder
