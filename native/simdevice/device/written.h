// Which bytes of device memory something has written since they were allocated.
//
// Fresh device memory holds one byte (Settings::fresh_byte) throughout, so that a program that
// relies on zeros shows it.
// Copies, memsets and launches that note what they access say what they wrote. A launch that does
// not (see footprints_are_noted) may have written anything that was there at the time: of such
// memory the bytes alone can tell, and only where a whole piece of it still holds the pattern.
//
// Only device memory: the host may write to all other without a call. Not memory that a pool gives
// out again, which holds what was there before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/address_map.h"
#include "device/footprint.h"

namespace greta::sim {

// Fills it with the pattern: small memory at once, large memory when it is first accessed.
void fill_fresh(const Placed& placed);

struct Unwritten {
  uintptr_t begin = 0;
  size_t bytes = 0;
  bool by_pattern = false;  // not every write since its allocation is known
};

// Begins and ends with the allocation. Nothing is kept where there is no recorder.
void note_fresh(const Allocation& allocation);
void forget_written(const Allocation& allocation);

void note_written(uintptr_t begin, size_t bytes);
void note_footprint_written(const Footprint& footprint);
void note_unknown_writes();

// The first bytes of a range that nothing has written.
std::optional<Unwritten> find_unwritten(uintptr_t begin, size_t bytes);
// Whether some of it is known to be unwritten, whatever it holds.
bool may_be_unwritten(uintptr_t begin, uintptr_t end);
// The first bytes that a launch has read and nothing before has written, nor it itself until then:
// `fresh_reads` are those that it read as fresh and may have written later. To be asked before its
// own writes are noted.
std::optional<Unwritten> find_unwritten(const Footprint& footprint,
                                        const AccessedRanges& fresh_reads);

}  // namespace greta::sim
