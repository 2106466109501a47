// Where CPython keeps the frames of a thread: byte offsets, for each version we know.
//
// The numbers are offsetof() on x86-64, printed by a C program that includes the version's own
// internal headers with Py_BUILD_CORE; tests/native/recorder/python_site_layout.c is that program,
// and a test compares them with every interpreter that is installed. They do not change within a
// minor version. From 3.13 on the interpreter carries them itself, in _Py_DebugOffsets at the
// start of _PyRuntime; for those we only know where in that table to look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace greta::recorder {

constexpr int kNoField = -1;

enum class InstructionForm {
  kByteIndex,  // f_lasti counts bytes
  kUnitIndex,  // f_lasti counts code units of two bytes
  kPointer     // a pointer into the code units, which lie inside the code object
};

struct PythonLayout {
  // From PyThreadState to its innermost frame, in 3.11 and 3.12 by way of a _PyCFrame.
  int thread_frame = 0;
  int cframe_frame = kNoField;

  int frame_previous = 0;
  int frame_code = 0;
  int frame_instruction = 0;
  int frame_owner = kNoField;
  InstructionForm instruction_form = InstructionForm::kPointer;

  int code_first_line = 0;
  int code_filename = 0;
  int code_name = 0;        // the qualified one where there is one
  int code_line_table = 0;  // 3.9: co_lnotab
  int code_units = kNoField;
  int code_first_traceable = kNoField;
  int code_version = kNoField;  // a number that no other code object of the process ever had

  int text_length = 16;
  int text_state = 32;
  int text_ascii_data = 48;  // sizeof(PyASCIIObject)
  int text_other_data = 72;  // sizeof(PyCompactUnicodeObject)
};

// The same in all versions: object headers and bytes objects.
constexpr int kObjectType = 8;
constexpr int kObjectSize = 16;
constexpr int kBytesData = 32;

// Frames whose owner is this or more belong to the interpreter's C code and have no line.
constexpr int kFirstOwnerWithoutCode = 3;

// Low bits of a reference in a frame are tags from 3.14 on, and zero before.
constexpr uintptr_t kReferenceTags = 3;

constexpr PythonLayout python_3_9() {
  PythonLayout layout;
  layout.thread_frame = 24;
  layout.frame_previous = 24;
  layout.frame_code = 32;
  layout.frame_instruction = 104;
  layout.instruction_form = InstructionForm::kByteIndex;
  layout.code_first_line = 40;
  layout.code_filename = 104;
  layout.code_name = 112;
  layout.code_line_table = 120;
  return layout;
}

constexpr PythonLayout python_3_10() {
  PythonLayout layout = python_3_9();
  layout.frame_instruction = 96;
  layout.instruction_form = InstructionForm::kUnitIndex;
  return layout;
}

constexpr PythonLayout python_3_11() {
  PythonLayout layout;
  layout.thread_frame = 56;
  layout.cframe_frame = 8;
  layout.frame_previous = 48;
  layout.frame_code = 32;
  layout.frame_instruction = 56;
  layout.frame_owner = 69;
  layout.code_first_line = 72;
  layout.code_filename = 112;
  layout.code_name = 128;
  layout.code_line_table = 136;
  layout.code_first_traceable = 168;
  layout.code_units = 184;
  return layout;
}

constexpr PythonLayout python_3_12() {
  PythonLayout layout = python_3_11();
  layout.cframe_frame = 0;
  layout.frame_previous = 8;
  layout.frame_code = 0;
  layout.frame_owner = 70;
  layout.code_first_line = 68;
  layout.code_version = 92;
  layout.code_first_traceable = 176;
  layout.code_units = 192;
  layout.text_ascii_data = 40;
  layout.text_other_data = 56;
  return layout;
}

// Where in _Py_DebugOffsets a version keeps the offsets we need.
struct DebugOffsetPlaces {
  int thread_frame;
  int frame_previous;
  int frame_code;
  int frame_instruction;
  int frame_owner;
  int code_filename;
  int code_name;
  int code_line_table;
  int code_first_line;
  int code_units;
  int text_state;
  int text_length;
  int text_ascii_data;
};

constexpr DebugOffsetPlaces kDebugOffsets_3_13 = {184, 232, 240, 248, 264, 280, 296,
                                                  304, 312, 344, 544, 552, 560};
constexpr DebugOffsetPlaces kDebugOffsets_3_14 = {208, 256, 264, 272, 288, 320, 336,
                                                  344, 352, 384, 624, 632, 640};
constexpr int kDebugOffsetsVersion = 8;
constexpr int kDebugOffsetsFreeThreaded = 16;
constexpr size_t kDebugOffsetsBytes = 648;  // as much of it as we read

inline uint64_t debug_offset(const unsigned char* table, int place) {
  uint64_t value = 0;
  memcpy(&value, table + place, sizeof value);
  return value;
}

// False: this is not the table of that version, or of a free-threaded build.
inline bool layout_from_debug_offsets(const unsigned char* table, uint64_t version,
                                      PythonLayout* layout) {
  if (memcmp(table, "xdebugpy", 8) != 0) return false;
  if (debug_offset(table, kDebugOffsetsVersion) != version) return false;
  if (debug_offset(table, kDebugOffsetsFreeThreaded) != 0) return false;
  const DebugOffsetPlaces& places =
      (version >> 16) == 0x030d ? kDebugOffsets_3_13 : kDebugOffsets_3_14;
  bool plausible = true;
  auto read = [&](int place) {
    uint64_t value = debug_offset(table, place);
    if (value > 4096) plausible = false;
    return static_cast<int>(value & 0xffff);
  };
  layout->thread_frame = read(places.thread_frame);
  layout->cframe_frame = kNoField;
  layout->frame_previous = read(places.frame_previous);
  layout->frame_code = read(places.frame_code);
  layout->frame_instruction = read(places.frame_instruction);
  layout->frame_owner = read(places.frame_owner);
  layout->code_filename = read(places.code_filename);
  layout->code_name = read(places.code_name);
  layout->code_line_table = read(places.code_line_table);
  layout->code_first_line = read(places.code_first_line);
  layout->code_units = read(places.code_units);
  layout->text_state = read(places.text_state);
  layout->text_length = read(places.text_length);
  layout->text_ascii_data = read(places.text_ascii_data);
  // What the table leaves out: 92 and 16 before the code units in both versions' headers, and a
  // PyCompactUnicodeObject adds two words to a PyASCIIObject.
  layout->code_version = 92;
  layout->code_first_traceable = layout->code_units - 16;
  layout->text_other_data = layout->text_ascii_data + 16;
  return plausible;
}

}  // namespace greta::recorder
