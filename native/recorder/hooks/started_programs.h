// What is known of processes beside their recordings: processes.jsonl in the recording's folder. It
// names each process that was recorded, so that one whose folder is gone is missed, and each
// program that was started where the recorder cannot be. See contract/recording.h.
//
// Rules for editing: what is used before an exec may run in a child made by vfork, with the memory
// of its parent. There, only system calls and the stack: no allocation, no lock, no stored state.
#pragma once

#include <sys/types.h>

namespace greta::recorder {

// How a program is about to be started, or was.
struct Start {
  const char* by;  // the function that was called
  const char* file;
  char* const* arguments;
  char* const* environment;
};

// How to open a file. `open_own` in a process that goes on; `open_before_exec` in one that may
// share its memory with its parent, but never its descriptors.
using Opener = int (*)(const char* path, int flags);
int open_before_exec(const char* path, int flags);

// Notes the start if the recorder will not be in the program; whether it did. `child` 0: not known.
bool note_if_unfollowed(const Start& start, pid_t child, Opener opener);
// The start that this process has just noted did not happen.
void note_not_started(Opener opener);
// Of this process a recording begins, in the folder of that name.
void note_recorded(const char* folder);

}  // namespace greta::recorder
