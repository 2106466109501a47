// tables.jsonl: what records refer to by number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recorder/lanes/json_line.h"

namespace greta::recorder {

// One write() per line, so that lines of several threads do not mix and a killed process leaves at
// most the last one torn. The file is opened anew for each: lines are rare, and a descriptor that
// is kept could be closed by the program and come back as one of its own files.
// False, and the recording is marked as incomplete, if it could not be written.
bool write_table_line(const JsonLine& line);
bool write_table_text(std::string_view lines);

// The same for another file of the recording. It is not asked to grow past `most` bytes: false
// then.
bool append_to_recording(const char* file, std::string_view text, uint64_t most);

// What is known at the start: the process, its environment, its libraries, all calls. Without the
// last a recording cannot be read: 0, or the reason why they could not be written.
int write_process_entries();
void write_note(std::string_view text);

// The id of an entry "text" with these characters; 0 for null. Each text is written once.
uint32_t text_id(const void* characters);
// The id of an entry "annotation": `text` inside `parent`.
uint32_t annotation_id(uint32_t parent, std::string_view text);

// In a forked child.
void forget_tables();

}  // namespace greta::recorder
