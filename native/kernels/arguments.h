// The arguments of each kernel, laid out as a launch hands them over: in the order of the HIP
// source, each at its natural alignment. See src/greta/engine/kernels/README.md.
#pragma once

#include <cstdint>

namespace greta::kernels {

// Where a kernel writes quantized activations; q may be null.
struct Q8Output {
  int8_t* q;
  float* d;
  float* s;
};

// What a product is made with: x for float weights, the others for quantized ones.
struct Activations {
  const int8_t* q;
  const float* d;
  const float* s;
  const float* x;
};

struct MatmulArguments {
  const uint8_t* weights;
  Activations activations;
  float* y;
  int rows, cols, m, stride_y, accumulate;
};

struct QkvArguments {
  const uint8_t* weights[3];
  Activations activations;
  float* y[3];
  int rows_q, rows_kv, cols, m;
};

struct GateUpArguments {
  const uint8_t* gate;
  const uint8_t* up;
  Activations activations;
  float* out;
  Q8Output quantized;
  int rows, cols, m;
};

struct RmsnormArguments {
  const float* x;
  const float* weight;
  float* out;
  Q8Output quantized;
  int width;
  float eps;
};

struct QuantizeArguments {
  const float* x;
  Q8Output quantized;
  int width;
};

struct SiluMulArguments {
  const float* gate;
  const float* up;
  float* out;
  Q8Output quantized;
  int width;
};

struct AddArguments {
  float* x;
  const float* y;
  int n;
};

struct RopeArguments {
  float* q;
  float* k;
  const float* v;
  uint16_t* k_cache;
  uint16_t* v_cache;
  const int* pos;
  const float* divisors;
  float ratio;
  int heads, kv_heads, head_dim, rope_dims, cache_positions, prefill;
};

struct AttentionArguments {
  const float* q;
  const uint16_t* k_cache;
  const uint16_t* v_cache;
  const int* pos;
  float* out;
  Q8Output quantized;
  int heads, kv_heads, head_dim, cache_positions, m;
  float scale;
  int prefill;
};

struct ArgmaxArguments {
  const float* logits;
  int* token;
  int vocab;
};

struct AdvanceArguments {
  int* pos;
  int n, step;
};

}  // namespace greta::kernels
