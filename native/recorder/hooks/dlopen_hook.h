// What a program opens: code that comes later may call another HIP library, or go past us.
#pragma once

#include <string>

namespace greta::recorder {

using DlopenFunction = void* (*)(const char*, int);

// The C library's own.
DlopenFunction real_dlopen();

// Whether objects were opened since the last time that this was asked.
bool has_opened_more();
// Whether a file of that path was opened with RTLD_DEEPBIND: its code looks in its own libraries
// before it looks at what is there for all.
bool is_opened_deep(const std::string& path);
bool has_opened_deep();
// In a forked child.
void forget_lock_of_openings();

}  // namespace greta::recorder
