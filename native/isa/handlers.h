// The tables of handlers, one for each width of the lanes.
#pragma once

#include "isa/program.h"

namespace greta::isa {

struct HandlerTable {
  Handler* handlers;
  void set(Opcode opcode, Handler handler) { handlers[static_cast<size_t>(opcode)] = handler; }
};

void fill_scalar(HandlerTable table);
// Of steps that need not be run, such as s_waitcnt.
void do_nothing(Wave& wave, const Step& step);

namespace portable {
void fill_vector(HandlerTable table, HandlerTable saturating);
}
namespace avx2 {
void fill_vector(HandlerTable table, HandlerTable saturating);
}
namespace avx512 {
void fill_vector(HandlerTable table, HandlerTable saturating);
}

}  // namespace greta::isa
