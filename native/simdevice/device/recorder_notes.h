// Tells a recorder in the process what only the device knows (contract/device_notes.h). Where there
// is no recorder nothing happens.
#pragma once

#include <string>

#include "contract/device_notes.h"
#include "device/address_space.h"
#include "device/footprint.h"

namespace greta::sim {

struct FaultRecord;
struct Unwritten;
struct WorkPlace;

// The recorded call that this thread is in; its `begin` is 0 if there is none.
greta_call current_call();
bool has_recorder();

// Whether launches are to note what they access: a recorder is there, and GRETA_SIM_FOOTPRINTS=1
// asks for it.
bool footprints_are_noted();

void tell_footprint(const Footprint& footprint, const WorkPlace& place, const char* kernel,
                    bool stopped);
void tell_fault(const FaultRecord& record);
// Where a variable of loaded code lies; `symbol` is its address in the program, or null.
void tell_variable(const void* address, size_t bytes, const void* symbol);
// Bytes were read that nothing has written. `kernel` is null if a copy read them.
void tell_unwritten(const Unwritten& bytes, const WorkPlace& place, const char* operation,
                    const char* kernel);
// Memory of a graph became the program's; or it was freed, or is only named so far.
void tell_graph_memory(const Span& memory, int device, bool is_programs);
// Words of what a copy brought to the host, in hexadecimal.
void tell_brought(const std::string& words, size_t bytes, const WorkPlace& place);

}  // namespace greta::sim
