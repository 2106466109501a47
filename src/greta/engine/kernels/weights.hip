// The kernels that read weights, for one weight type: GRETA_WEIGHT, such as q4_1.
#include "products.h"

#define GRETA_PASTE_(name, type) name##_##type
#define GRETA_PASTE(name, type) GRETA_PASTE_(name, type)
#define GRETA_TYPED(name) GRETA_PASTE(name, GRETA_WEIGHT)
// One step more, so that the typed name is put together before it becomes text.
#define GRETA_NATIVE(name, version) GRETA_NATIVE_KERNEL(name, version)

// Version 2 of the products with K types: activations are q8_k.
#define GRETA_IS_K_q4_k 1
#define GRETA_IS_K_q5_k 1
#define GRETA_IS_K_q6_k 1
#if GRETA_TYPED(GRETA_IS_K)
#define GRETA_VERSION 2
#else
#define GRETA_VERSION 1
#endif

typedef greta::GRETA_WEIGHT Weight;

extern "C" __global__ void GRETA_TYPED(embed)(const void* table, const int* tokens, float* out,
                                              int hidden) {
  const greta::Byte* row = greta::row_at<Weight>(table, tokens[blockIdx.x], hidden);
  float* to = out + static_cast<long>(blockIdx.x) * hidden;
  Weight::Group group;
  for (int index = threadIdx.x; index < hidden / greta::kGroup; index += blockDim.x) {
    greta::read_group<Weight>(row, index, group);
    for (int i = 0; i < greta::kGroup; ++i) {
      to[index * greta::kGroup + i] = greta::value_of(group, i);
    }
  }
}

GRETA_NATIVE(GRETA_TYPED(matmul), GRETA_VERSION)
extern "C" __global__ void GRETA_TYPED(matmul)(const void* w, const signed char* q, const float* d,
                                               const float* s, const float* x, float* y, int rows,
                                               int cols, int m, int stride_y, int accumulate) {
  const greta::Activations a = {q, d, s, x, cols};
  const greta::Product product = {w, y, rows, stride_y, accumulate != 0};
  greta::multiply<Weight>(product, static_cast<int>(blockIdx.x) * greta::kRows, a, m);
}

// The blocks of q come first, then those of k, then those of v.
GRETA_NATIVE(GRETA_TYPED(qkv), GRETA_VERSION)
extern "C" __global__ void GRETA_TYPED(qkv)(const void* wq, const void* wk, const void* wv,
                                            const signed char* q, const float* d, const float* s,
                                            const float* x, float* yq, float* yk, float* yv,
                                            int rows_q, int rows_kv, int cols, int m) {
  const greta::Activations a = {q, d, s, x, cols};
  const int blocks_q = (rows_q + greta::kRows - 1) / greta::kRows;
  const int blocks_kv = (rows_kv + greta::kRows - 1) / greta::kRows;
  greta::Product product = {wq, yq, rows_q, rows_q, false};
  int block = static_cast<int>(blockIdx.x);
  if (block >= blocks_q) {
    const bool is_v = block >= blocks_q + blocks_kv;
    product = {is_v ? wv : wk, is_v ? yv : yk, rows_kv, rows_kv, false};
    block -= is_v ? blocks_q + blocks_kv : blocks_q;
  }
  greta::multiply<Weight>(product, block * greta::kRows, a, m);
}

GRETA_NATIVE(GRETA_TYPED(gate_up), GRETA_VERSION)
extern "C" __global__ void GRETA_TYPED(gate_up)(const void* gate, const void* up,
                                                const signed char* q, const float* d,
                                                const float* s, const float* x, float* out,
                                                signed char* oq, float* od, float* os, int rows,
                                                int cols, int m) {
  const greta::Activations a = {q, d, s, x, cols};
  greta::multiply_gated<Weight>(gate, up, rows, a, m, out, {oq, od, os});
}
