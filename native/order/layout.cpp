// The structs of order.h in words, for whoever passes them from another language.
#include <cstddef>
#include <string>

#include "order/order.h"

namespace {

class Layout {
 public:
  Layout& structure(const char* name, size_t size) {
    text_ += (text_.empty() ? "" : ";") + std::string(name) + " " + std::to_string(size);
    return *this;
  }
  Layout& field(const char* name, size_t offset, size_t size) {
    text_ += " " + std::string(name) + "@" + std::to_string(offset) + "+" + std::to_string(size);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

#define STRUCTURE(type) structure(#type, sizeof(type))
#define FIELD(type, name) field(#name, offsetof(type, name), sizeof(type::name))

std::string describe() {
  Layout layout;
  layout.STRUCTURE(greta_operation)
      .FIELD(greta_operation, seq)
      .FIELD(greta_operation, kind)
      .FIELD(greta_operation, waits)
      .FIELD(greta_operation, finished)
      .FIELD(greta_operation, failed)
      .FIELD(greta_operation, captured)
      .FIELD(greta_operation, device)
      .FIELD(greta_operation, result)
      .FIELD(greta_operation, thread)
      .FIELD(greta_operation, stream)
      .FIELD(greta_operation, event)
      .FIELD(greta_operation, allocation)
      .FIELD(greta_operation, call)
      .FIELD(greta_operation, kernel)
      .FIELD(greta_operation, begin)
      .FIELD(greta_operation, end)
      .FIELD(greta_operation, first_access);
  layout.STRUCTURE(greta_access)
      .FIELD(greta_access, operation)
      .FIELD(greta_access, origin)
      .FIELD(greta_access, address)
      .FIELD(greta_access, bytes)
      .FIELD(greta_access, pitch)
      .FIELD(greta_access, width)
      .FIELD(greta_access, reach)
      .FIELD(greta_access, allocation)
      .FIELD(greta_access, argument)
      .FIELD(greta_access, element)
      .FIELD(greta_access, mode)
      .FIELD(greta_access, role)
      .FIELD(greta_access, space)
      .FIELD(greta_access, estimated)
      .FIELD(greta_access, at_call);
  layout.STRUCTURE(greta_allocation)
      .FIELD(greta_allocation, address)
      .FIELD(greta_allocation, bytes)
      .FIELD(greta_allocation, known_bytes)
      .FIELD(greta_allocation, memory)
      .FIELD(greta_allocation, device)
      .FIELD(greta_allocation, generation)
      .FIELD(greta_allocation, made_by)
      .FIELD(greta_allocation, freed_by)
      .FIELD(greta_allocation, made_at)
      .FIELD(greta_allocation, freed_at)
      .FIELD(greta_allocation, free_stream);
  layout.STRUCTURE(greta_stream)
      .FIELD(greta_stream, handle)
      .FIELD(greta_stream, kind)
      .FIELD(greta_stream, device)
      .FIELD(greta_stream, thread)
      .FIELD(greta_stream, generation);
  layout.STRUCTURE(greta_conflict)
      .FIELD(greta_conflict, first)
      .FIELD(greta_conflict, second)
      .FIELD(greta_conflict, first_access)
      .FIELD(greta_conflict, second_access)
      .FIELD(greta_conflict, address)
      .FIELD(greta_conflict, bytes)
      .FIELD(greta_conflict, repeats)
      .FIELD(greta_conflict, allocation)
      .FIELD(greta_conflict, kind)
      .FIELD(greta_conflict, flags);
  layout.STRUCTURE(greta_summary)
      .FIELD(greta_summary, found)
      .FIELD(greta_summary, repeats)
      .FIELD(greta_summary, left_off)
      .FIELD(greta_summary, reads)
      .FIELD(greta_summary, may_writes)
      .FIELD(greta_summary, writes)
      .FIELD(greta_summary, frees)
      .FIELD(greta_summary, transfer_reads)
      .FIELD(greta_summary, transfer_writes)
      .FIELD(greta_summary, host_sources)
      .FIELD(greta_summary, host_destinations)
      .FIELD(greta_summary, inexact)
      .FIELD(greta_summary, doubtful_read_after_write)
      .FIELD(greta_summary, doubtful_write_after_read)
      .FIELD(greta_summary, doubtful_write_after_write)
      .FIELD(greta_summary, unknown_streams)
      .FIELD(greta_summary, unknown_events)
      .FIELD(greta_summary, rows);
  layout.STRUCTURE(greta_pair)
      .FIELD(greta_pair, first)
      .FIELD(greta_pair, second)
      .FIELD(greta_pair, via)
      .FIELD(greta_pair, how);
  return layout.text();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const char* greta_order_layout(void) {
  static const std::string text = describe();
  return text.c_str();
}
