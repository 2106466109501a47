// The tables of handlers, one for each width of the lanes.
#pragma once

#include "isa/program.h"

namespace greta::isa {

struct HandlerTable {
  Handler* handlers;
  void set(Opcode opcode, Handler handler) { handlers[static_cast<size_t>(opcode)] = handler; }
};

void fill_scalar(HandlerTable table);

namespace portable {
void fill_vector(HandlerTable table);
}
namespace avx2 {
void fill_vector(HandlerTable table);
}
namespace avx512 {
void fill_vector(HandlerTable table);
}

}  // namespace greta::isa
