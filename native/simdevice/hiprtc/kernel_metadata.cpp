#include "hiprtc/kernel_metadata.h"

#include "hiprtc/message_pack.h"

namespace greta::hiprtc {
namespace {

constexpr const char* kTarget = "amdgcn-amd-amdhsa--gfx942";

void write_argument(MessagePack& out, const ArgumentMetadata& argument) {
  bool named = !argument.name.empty();
  bool typed = !argument.type_name.empty();
  uint32_t fields =
      3 + named + typed + argument.is_pointer + argument.is_const + argument.is_restrict;
  out.map(fields);
  if (argument.is_pointer) out.entry(".address_space", "global");
  if (argument.is_const) out.entry(".is_const", true);
  if (argument.is_restrict) out.entry(".is_restrict", true);
  if (named) out.entry(".name", argument.name);
  out.entry(".offset", argument.offset);
  out.entry(".size", argument.size);
  if (typed) out.entry(".type_name", argument.type_name);
  out.entry(".value_kind", argument.is_pointer ? "global_buffer" : "by_value");
}

void write_kernel(MessagePack& out, const KernelMetadata& kernel) {
  out.map(16);
  out.entry(".agpr_count", 0u);
  out.text(".args");
  out.array(static_cast<uint32_t>(kernel.arguments.size()));
  for (const ArgumentMetadata& argument : kernel.arguments) write_argument(out, argument);
  out.entry(".group_segment_fixed_size", kernel.static_shared_bytes);
  out.entry(".kernarg_segment_align", kernel.kernarg_align);
  out.entry(".kernarg_segment_size", kernel.kernarg_size);
  out.entry(".max_flat_workgroup_size", kernel.max_threads);
  out.entry(".name", kernel.name);
  out.entry(".private_segment_fixed_size", 0u);
  out.entry(".sgpr_count", 0u);
  out.entry(".sgpr_spill_count", 0u);
  out.entry(".symbol", kernel.name + ".kd");
  out.entry(".uniform_work_group_size", 1u);
  out.entry(".uses_dynamic_stack", false);
  out.entry(".vgpr_count", 0u);
  out.entry(".vgpr_spill_count", 0u);
  out.entry(".wavefront_size", 64u);
}

}  // namespace

std::string encode_metadata(const std::vector<KernelMetadata>& kernels) {
  MessagePack out;
  out.map(3);
  out.text("amdhsa.kernels");
  out.array(static_cast<uint32_t>(kernels.size()));
  for (const KernelMetadata& kernel : kernels) write_kernel(out, kernel);
  out.entry("amdhsa.target", kTarget);
  out.text("amdhsa.version");
  out.array(2);
  out.unsigned_number(1);
  out.unsigned_number(2);
  return out.take();
}

}  // namespace greta::hiprtc
