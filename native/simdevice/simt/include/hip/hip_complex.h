// Complex numbers: pairs of float or double, and HIP's functions of them.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_COMPLEX_H
#define GRETA_SIMT_HIP_COMPLEX_H

#include "greta_simt/device_math.h"
#include "greta_simt/vector_types.h"

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

// S is what the names for float have at their end.
#define GRETA_SIMT_COMPLEX(C, T, NAME, S)                                             \
  GRETA_SIMT_INLINE C make_##NAME(T real, T imaginary) { return C(real, imaginary); } \
  GRETA_SIMT_INLINE T hipCreal##S(C z) { return z.x; }                                \
  GRETA_SIMT_INLINE T hipCimag##S(C z) { return z.y; }                                \
  GRETA_SIMT_INLINE C hipConj##S(C z) { return C(z.x, -z.y); }                        \
  GRETA_SIMT_INLINE T hipCsqabs##S(C z) { return z.x * z.x + z.y * z.y; }             \
  GRETA_SIMT_INLINE C hipCadd##S(C p, C q) { return C(p.x + q.x, p.y + q.y); }        \
  GRETA_SIMT_INLINE C hipCsub##S(C p, C q) { return C(p.x - q.x, p.y - q.y); }        \
  GRETA_SIMT_INLINE C hipCmul##S(C p, C q) {                                          \
    return C(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);                           \
  }                                                                                   \
  GRETA_SIMT_INLINE C hipCdiv##S(C p, C q) {                                          \
    const T size = hipCsqabs##S(q);                                                   \
    return C((p.x * q.x + p.y * q.y) / size, (p.y * q.x - p.x * q.y) / size);         \
  }                                                                                   \
  GRETA_SIMT_INLINE T hipCabs##S(C z) { return sqrt##S(hipCsqabs##S(z)); }            \
  GRETA_SIMT_INLINE C hipCfma##S(C p, C q, C r) {                                     \
    return C(p.x * q.x - p.y * q.y + r.x, q.x * p.y + p.x * q.y + r.y);               \
  }
GRETA_SIMT_COMPLEX(hipFloatComplex, float, hipFloatComplex, f)
GRETA_SIMT_COMPLEX(hipDoubleComplex, double, hipDoubleComplex, )
#undef GRETA_SIMT_COMPLEX

GRETA_SIMT_INLINE hipComplex make_hipComplex(float real, float imaginary) {
  return make_hipFloatComplex(real, imaginary);
}
GRETA_SIMT_INLINE hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return make_hipDoubleComplex(z.x, z.y);
}
GRETA_SIMT_INLINE hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return make_hipFloatComplex(static_cast<float>(z.x), static_cast<float>(z.y));
}

#endif
