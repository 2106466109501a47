// The table of one instruction set's kernels; see kernel_table.h.
#pragma once

#include "kernels/activations.h"
#include "kernels/attention.h"
#include "kernels/kernel_table.h"
#include "kernels/products.h"
#include "kernels/sampling.h"

namespace greta::kernels::GRETA_ISA {

// A kernel as the device calls it: once for a whole block.
template <class Arguments, void (*kKernel)(const greta_simt_block&, const Arguments&)>
void entry(const greta_simt_block* block, const void* kernarg, uint32_t) {
  kKernel(*block, *static_cast<const Arguments*>(kernarg));
}

#define GRETA_KERNELS_FOR(type, version)                                 \
  {"matmul_" #type "@" #version, entry<MatmulArguments, matmul<type>>},  \
      {"qkv_" #type "@" #version, entry<QkvArguments, qkv<type>>}, {     \
    "gate_up_" #type "@" #version, entry<GateUpArguments, gate_up<type>> \
  }

const NativeKernel table[] = {
    GRETA_KERNELS_FOR(f32, 1),
    GRETA_KERNELS_FOR(f16, 1),
    GRETA_KERNELS_FOR(bf16, 1),
    GRETA_KERNELS_FOR(q8_0, 1),
    GRETA_KERNELS_FOR(q4_0, 1),
    GRETA_KERNELS_FOR(q4_1, 1),
    GRETA_KERNELS_FOR(q5_0, 1),
    GRETA_KERNELS_FOR(q5_1, 1),
    GRETA_KERNELS_FOR(q4_k, 2),
    GRETA_KERNELS_FOR(q5_k, 2),
    GRETA_KERNELS_FOR(q6_k, 2),
    {"rmsnorm@1", entry<RmsnormArguments, rmsnorm>},
    {"quantize@1", entry<QuantizeArguments, quantize>},
    {"quantize_k@1", entry<QuantizeArguments, quantize_k>},
    {"silu_mul@1", entry<SiluMulArguments, silu_mul>},
    {"add@1", entry<AddArguments, add>},
    {"rope_kv@2", entry<RopeArguments, rope_kv>},
    {"attention@1", entry<AttentionArguments, attention>},
    {"argmax@1", entry<ArgmaxArguments, argmax>},
    {"advance@1", entry<AdvanceArguments, advance>},
    {nullptr, nullptr},
};
#undef GRETA_KERNELS_FOR

}  // namespace greta::kernels::GRETA_ISA
