/* Prints what native/recorder/sites/python_layouts.h says about a version, from that version's
 * headers.
 */
#define Py_BUILD_CORE 1
#include <Python.h>
/* after Python.h */
#include <frameobject.h>
#include <stddef.h>
#include <stdio.h>
#if PY_VERSION_HEX >= 0x030b0000
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#endif
#if PY_VERSION_HEX >= 0x030d0000
#include <internal/pycore_runtime.h>
#endif

static void print_field(const char* name, long offset) { printf("%s %ld\n", name, offset); }

#define FIELD(name, type, member) print_field(#name, (long)offsetof(type, member))
#define NO_FIELD(name) print_field(#name, -1)

int main(void) {
#if PY_VERSION_HEX < 0x030b0000
  FIELD(thread_frame, PyThreadState, frame);
  NO_FIELD(cframe_frame);
  FIELD(frame_previous, PyFrameObject, f_back);
  FIELD(frame_code, PyFrameObject, f_code);
  FIELD(frame_instruction, PyFrameObject, f_lasti);
  NO_FIELD(frame_owner);
#elif PY_VERSION_HEX < 0x030d0000
  FIELD(thread_frame, PyThreadState, cframe);
  FIELD(cframe_frame, _PyCFrame, current_frame);
  FIELD(frame_previous, _PyInterpreterFrame, previous);
  FIELD(frame_code, _PyInterpreterFrame, f_code);
  FIELD(frame_instruction, _PyInterpreterFrame, prev_instr);
  FIELD(frame_owner, _PyInterpreterFrame, owner);
#else
  FIELD(thread_frame, PyThreadState, current_frame);
  NO_FIELD(cframe_frame);
  FIELD(frame_previous, _PyInterpreterFrame, previous);
  FIELD(frame_code, _PyInterpreterFrame, f_executable);
  FIELD(frame_instruction, _PyInterpreterFrame, instr_ptr);
  FIELD(frame_owner, _PyInterpreterFrame, owner);
#endif

  FIELD(code_first_line, PyCodeObject, co_firstlineno);
  FIELD(code_filename, PyCodeObject, co_filename);
#if PY_VERSION_HEX < 0x030b0000
  FIELD(code_name, PyCodeObject, co_name);
#else
  FIELD(code_name, PyCodeObject, co_qualname);
#endif
#if PY_VERSION_HEX < 0x030a0000
  FIELD(code_line_table, PyCodeObject, co_lnotab);
#else
  FIELD(code_line_table, PyCodeObject, co_linetable);
#endif
#if PY_VERSION_HEX < 0x030b0000
  NO_FIELD(code_units);
  NO_FIELD(code_first_traceable);
#else
  FIELD(code_units, PyCodeObject, co_code_adaptive);
  FIELD(code_first_traceable, PyCodeObject, _co_firsttraceable);
#endif
#if PY_VERSION_HEX < 0x030c0000
  NO_FIELD(code_version);
#else
  FIELD(code_version, PyCodeObject, co_version);
#endif

  FIELD(text_length, PyASCIIObject, length);
  FIELD(text_state, PyASCIIObject, state);
  print_field("text_ascii_data", (long)sizeof(PyASCIIObject));
  print_field("text_other_data", (long)sizeof(PyCompactUnicodeObject));
  return 0;
}
