#include "recorder/sites/python_description.h"

#include <algorithm>
#include <vector>

#include "recorder/sites/safe_read.h"

namespace greta::recorder {
namespace {

constexpr uint64_t kTextLimit = 4096;           // characters
constexpr uint64_t kLineTableLimit = 64 << 10;  // bytes; python_lines.py knows this number

void append_hex(uint32_t value, int digits, std::string* out) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
    out->push_back("0123456789abcdef"[value >> shift & 0xf]);
  }
}

void append_utf8(uint32_t point, std::string* out) {
  auto continuation = [&](int shift) {
    out->push_back(static_cast<char>(0x80 | (point >> shift & 0x3f)));
  };
  if (point < 0x80) {
    out->push_back(static_cast<char>(point));
  } else if (point < 0x800) {
    out->push_back(static_cast<char>(0xc0 | point >> 6));
    continuation(0);
  } else if (point < 0x10000) {
    out->push_back(static_cast<char>(0xe0 | point >> 12));
    continuation(6);
    continuation(0);
  } else {
    out->push_back(static_cast<char>(0xf0 | (point >> 18 & 7)));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

// Lone surrogates, which is what Python makes of bytes that are not UTF-8, stay what they are.
void append_json_character(uint32_t point, std::string* out) {
  bool surrogate = point >= 0xd800 && point < 0xe000;
  if (point == '"' || point == '\\') {
    out->push_back('\\');
    out->push_back(static_cast<char>(point));
  } else if (point < 0x20 || point == 0x7f || surrogate) {
    out->append("\\u");
    append_hex(point, 4, out);
  } else {
    append_utf8(point, out);
  }
}

struct Frame {
  uintptr_t previous = 0;
  uintptr_t code = 0;
  uint64_t instruction = 0;  // as it lies there, see InstructionForm
  uint8_t owner = 0;
};

class Describer {
 public:
  Describer(const PythonInterpreter& python, std::string* body)
      : python_(python), layout_(python.layout), body_(*body) {}

  Description describe(uintptr_t thread) {
    uintptr_t frame = 0;
    if (!first_frame(thread, &frame)) return Description::kMismatch;
    body_.append("\"python\":\"").append(python_.version).append("\",\"frames\":[");
    for (int walked = 0; frame && walked < kFramesWalked && written_ < kScriptFrames; ++walked) {
      if (!append_frame(&frame)) return Description::kMismatch;
    }
    body_.push_back(']');
    return written_ ? Description::kComplete : Description::kEmpty;
  }

 private:
  template <typename T>
  bool read(uintptr_t object, int field, T* value) const {
    return read_safely(object + static_cast<uintptr_t>(field), value);
  }

  bool has_type(uintptr_t object, const void* type) const {
    uintptr_t found = 0;
    return object && read(object, kObjectType, &found) &&
           found == reinterpret_cast<uintptr_t>(type);
  }

  bool first_frame(uintptr_t thread, uintptr_t* frame) const {
    if (!read(thread, layout_.thread_frame, frame)) return false;
    if (layout_.cframe_frame == kNoField) return true;
    return *frame && read(*frame, layout_.cframe_frame, frame);
  }

  bool read_frame(uintptr_t address, Frame* frame) const {
    bool whole = read(address, layout_.frame_previous, &frame->previous) &&
                 read(address, layout_.frame_code, &frame->code);
    frame->code &= ~kReferenceTags;
    if (layout_.frame_owner != kNoField) {
      whole = whole && read(address, layout_.frame_owner, &frame->owner);
    }
    if (layout_.instruction_form == InstructionForm::kPointer) {
      return whole && read(address, layout_.frame_instruction, &frame->instruction);
    }
    int32_t index = 0;
    whole = whole && read(address, layout_.frame_instruction, &index);
    frame->instruction = static_cast<uint64_t>(static_cast<int64_t>(index));
    return whole;
  }

  // The byte offset of the instruction; negative if the frame has not begun.
  int64_t instruction_offset(const Frame& frame) const {
    switch (layout_.instruction_form) {
      case InstructionForm::kByteIndex:
        return static_cast<int64_t>(frame.instruction);
      case InstructionForm::kUnitIndex:
        return static_cast<int64_t>(frame.instruction) * 2;
      case InstructionForm::kPointer:
        break;
    }
    uint64_t first = frame.code + static_cast<uintptr_t>(layout_.code_units);
    return static_cast<int64_t>(frame.instruction - first);
  }

  // Frames are incomplete while their arguments are still being put in place; Python hides them
  // from tracebacks as well. A generator that was resumed is never incomplete.
  bool is_incomplete(const Frame& frame, int64_t offset) const {
    if (offset < 0) return true;
    if (layout_.code_first_traceable == kNoField || frame.owner == 1) return false;
    int32_t first = 0;
    return read(frame.code, layout_.code_first_traceable, &first) && offset / 2 < first;
  }

  // Only where the code units lie inside the code object is their number at hand.
  bool is_inside(const Frame& frame, int64_t offset) const {
    if (layout_.instruction_form != InstructionForm::kPointer) return offset < (1 << 30);
    int64_t units = 0;
    return read(frame.code, kObjectSize, &units) && offset / 2 <= units;
  }

  // Appends the frame at `*address`, if it is one of Python code, and goes on to the next.
  bool append_frame(uintptr_t* address) {
    Frame frame;
    if (!read_frame(*address, &frame)) return false;
    *address = frame.previous;
    if (frame.owner >= kFirstOwnerWithoutCode) return true;
    if (!has_type(frame.code, python_.code_type)) return false;
    int64_t offset = instruction_offset(frame);
    if (is_incomplete(frame, offset)) return true;
    if (!is_inside(frame, offset)) return false;
    return append_code(frame.code, offset);
  }

  bool append_code(uintptr_t code, int64_t offset) {
    uintptr_t file = 0;
    uintptr_t name = 0;
    uintptr_t table = 0;
    int32_t first_line = 0;
    if (!read(code, layout_.code_filename, &file) || !read(code, layout_.code_name, &name) ||
        !read(code, layout_.code_line_table, &table) ||
        !read(code, layout_.code_first_line, &first_line)) {
      return false;
    }
    if (!file) return true;  // a trampoline of the interpreter's own
    body_.append(written_++ ? ",{\"file\":\"" : "{\"file\":\"");
    bool whole = append_text(file);
    body_.append("\",\"function\":\"");
    whole = append_text(name) && whole;
    body_.append("\",\"first_line\":").append(std::to_string(first_line));
    body_.append(",\"instruction\":").append(std::to_string(offset));
    body_.append(",\"line_table\":\"");
    whole = append_bytes(table) && whole;
    body_.append("\"}");
    return whole;
  }

  // PyASCIIObject.state from its lowest bit: interned 2, kind 3, compact 1, ascii 1. Code objects
  // have compact strings only.
  bool read_text_shape(uintptr_t text, unsigned* kind, int* data) const {
    uint32_t state = 0;
    if (!read(text, layout_.text_state, &state)) return false;
    *kind = state >> 2 & 7;
    bool is_compact = state >> 5 & 1;
    bool is_ascii = state >> 6 & 1;
    *data = is_ascii ? layout_.text_ascii_data : layout_.text_other_data;
    return is_compact && (*kind == 1 || *kind == 2 || *kind == 4);
  }

  bool append_text(uintptr_t text) {
    if (!has_type(text, python_.text_type)) return false;
    int64_t length = 0;
    unsigned kind = 0;
    int data = 0;
    if (!read(text, layout_.text_length, &length) || length < 0) return false;
    if (!read_text_shape(text, &kind, &data)) return false;
    uint64_t characters = std::min(static_cast<uint64_t>(length), kTextLimit);
    std::vector<unsigned char> bytes(characters * kind);
    if (!read_safely(text + static_cast<uintptr_t>(data), bytes.data(), bytes.size())) return false;
    for (size_t at = 0; at < bytes.size(); at += kind) {
      uint32_t point = 0;
      memcpy(&point, bytes.data() + at, kind);
      append_json_character(point, &body_);
    }
    return true;
  }

  bool append_bytes(uintptr_t object) {
    int64_t size = 0;
    if (!has_type(object, python_.bytes_type)) return false;
    if (!read(object, kObjectSize, &size) || size < 0) return false;
    std::vector<unsigned char> bytes(std::min(static_cast<uint64_t>(size), kLineTableLimit));
    if (!read_safely(object + kBytesData, bytes.data(), bytes.size())) return false;
    for (unsigned char byte : bytes) append_hex(byte, 2, &body_);
    return true;
  }

  const PythonInterpreter& python_;
  const PythonLayout& layout_;
  std::string& body_;
  int written_ = 0;
};

}  // namespace

Description describe_frames(const PythonInterpreter& python, uintptr_t thread, std::string* body) {
  return Describer(python, body).describe(thread);
}

}  // namespace greta::recorder
