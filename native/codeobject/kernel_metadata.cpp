#include "codeobject/kernel_metadata.h"

#include <limits>
#include <string_view>

#include "codeobject/msgpack_reader.h"

namespace greta::codeobject {
namespace {

// Calls on_key(key) for each pair of the map at hand; it must take the value.
template <typename OnKey>
bool for_each_pair(MsgpackReader* reader, OnKey&& on_key) {
  uint32_t pairs;
  if (!reader->read_map(&pairs)) return false;
  for (uint32_t i = 0; i < pairs; ++i) {
    std::string_view key;
    if (!reader->read_string(&key) || !on_key(key)) return false;
  }
  return true;
}

template <typename OnElement>
bool for_each_element(MsgpackReader* reader, OnElement&& on_element) {
  uint32_t elements;
  if (!reader->read_array(&elements)) return false;
  for (uint32_t i = 0; i < elements; ++i) {
    if (!on_element()) return false;
  }
  return true;
}

bool read_u32(MsgpackReader* reader, uint32_t* value) {
  uint64_t wide;
  if (!reader->read_unsigned(&wide) || wide > std::numeric_limits<uint32_t>::max()) return false;
  *value = static_cast<uint32_t>(wide);
  return true;
}

bool read_text(MsgpackReader* reader, std::string* text) {
  std::string_view view;
  if (!reader->read_string(&view)) return false;
  text->assign(view);
  return true;
}

ArgumentKind kind_of(std::string_view value_kind) {
  if (value_kind == "by_value") return ArgumentKind::by_value;
  if (value_kind == "global_buffer") return ArgumentKind::global_buffer;
  if (value_kind == "dynamic_shared_pointer") return ArgumentKind::dynamic_shared_pointer;
  if (value_kind.substr(0, 7) == "hidden_") return ArgumentKind::hidden;
  return ArgumentKind::other;
}

bool read_argument(MsgpackReader* reader, ArgumentInfo* argument) {
  const bool complete = for_each_pair(reader, [&](std::string_view key) {
    if (key == ".offset") return read_u32(reader, &argument->offset);
    if (key == ".size") return read_u32(reader, &argument->bytes);
    if (key == ".value_kind") return read_text(reader, &argument->value_kind);
    if (key == ".name") return read_text(reader, &argument->name);
    if (key == ".type_name") return read_text(reader, &argument->type_name);
    if (key == ".actual_access") return read_text(reader, &argument->access);
    if (key == ".is_const") return reader->read_bool(&argument->is_const);
    return reader->skip();
  });
  argument->kind = kind_of(argument->value_kind);
  return complete && !argument->value_kind.empty();
}

bool read_arguments(MsgpackReader* reader, std::vector<ArgumentInfo>* arguments) {
  return for_each_element(reader, [&] {
    arguments->emplace_back();
    return read_argument(reader, &arguments->back());
  });
}

bool read_kernel(MsgpackReader* reader, KernelInfo* kernel) {
  return for_each_pair(reader, [&](std::string_view key) {
    if (key == ".name") return read_text(reader, &kernel->name);
    if (key == ".symbol") return read_text(reader, &kernel->symbol);
    if (key == ".args") return read_arguments(reader, &kernel->arguments);
    if (key == ".kernarg_segment_size") return read_u32(reader, &kernel->kernarg_bytes);
    if (key == ".kernarg_segment_align") return read_u32(reader, &kernel->kernarg_alignment);
    if (key == ".group_segment_fixed_size") return read_u32(reader, &kernel->static_shared_bytes);
    if (key == ".private_segment_fixed_size") return read_u32(reader, &kernel->private_bytes);
    if (key == ".max_flat_workgroup_size") return read_u32(reader, &kernel->max_block_threads);
    if (key == ".vgpr_count") return read_u32(reader, &kernel->vector_registers);
    if (key == ".sgpr_count") return read_u32(reader, &kernel->scalar_registers);
    if (key == ".agpr_count") return read_u32(reader, &kernel->accumulation_registers);
    if (key == ".vgpr_spill_count") return read_u32(reader, &kernel->vector_spills);
    if (key == ".sgpr_spill_count") return read_u32(reader, &kernel->scalar_spills);
    if (key == ".wavefront_size") return read_u32(reader, &kernel->wave_threads);
    return reader->skip();
  });
}

// Launches copy arguments to these places, so they must be sound.
bool is_sound(const KernelInfo& kernel) {
  constexpr uint32_t kMostKernargBytes = 1 << 20;
  if (kernel.name.empty() || kernel.kernarg_bytes > kMostKernargBytes) return false;
  if (kernel.max_block_threads == 0) return false;
  for (const ArgumentInfo& argument : kernel.arguments) {
    if (argument.offset > kernel.kernarg_bytes) return false;
    if (argument.bytes > kernel.kernarg_bytes - argument.offset) return false;
  }
  return true;
}

}  // namespace

bool read_kernel_metadata(const unsigned char* bytes, size_t size, KernelMetadata* metadata,
                          std::string* reason) {
  MsgpackReader reader(bytes, size);
  const auto read_one = [&] {
    KernelInfo& kernel = metadata->kernels.emplace_back();
    return read_kernel(&reader, &kernel) && is_sound(kernel);
  };
  const bool complete = for_each_pair(&reader, [&](std::string_view key) {
    if (key == "amdhsa.kernels") return for_each_element(&reader, read_one);
    if (key == "amdhsa.target") return read_text(&reader, &metadata->target);
    return reader.skip();
  });
  if (!complete) *reason = "its metadata note is corrupt";
  return complete;
}

}  // namespace greta::codeobject
