// Lines in the format of AMD_LOG_LEVEL:
//   :3:hip_memory.cpp           :615 : 1326120791 us: [pid:8976  tid: 0x7f8c5a889f80] text
// Level 0 is always printed: what the device says of its own end, without naming the process.
#pragma once

namespace greta::sim {

// True if AMD_LOG_LEVEL asks for lines of this level.
bool logs(int level);

__attribute__((format(printf, 3, 4))) void log_line(int level, const char* file, const char* format,
                                                    ...);

}  // namespace greta::sim
