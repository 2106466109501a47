/* The short vectors, as host programs see them, aligned as on the device: in C++ the types of
 * kernels, which the linker knows by the same names; in C plain structures. */
#ifndef GRETA_HIP_HIP_VECTOR_TYPES_H
#define GRETA_HIP_HIP_VECTOR_TYPES_H

#ifdef __cplusplus
#include "greta_simt/vector_types.h"
#else

#define HIP_DECLARE_VECTORS(name, element)                                           \
  typedef struct name##1 { element x; }                                              \
  name##1;                                                                           \
  typedef struct name##2 { element x, y; }                                           \
  __attribute__((aligned(2 * sizeof(element)))) name##2;                             \
  typedef struct name##3 { element x, y, z; }                                        \
  name##3;                                                                           \
  typedef struct name##4 { element x, y, z, w; }                                     \
  __attribute__((aligned(4 * sizeof(element)))) name##4;                             \
  static inline name##1 make_##name##1(element x) {                                  \
    name##1 v;                                                                       \
    v.x = x;                                                                         \
    return v;                                                                        \
  }                                                                                  \
  static inline name##2 make_##name##2(element x, element y) {                       \
    name##2 v;                                                                       \
    v.x = x;                                                                         \
    v.y = y;                                                                         \
    return v;                                                                        \
  }                                                                                  \
  static inline name##3 make_##name##3(element x, element y, element z) {            \
    name##3 v;                                                                       \
    v.x = x;                                                                         \
    v.y = y;                                                                         \
    v.z = z;                                                                         \
    return v;                                                                        \
  }                                                                                  \
  static inline name##4 make_##name##4(element x, element y, element z, element w) { \
    name##4 v;                                                                       \
    v.x = x;                                                                         \
    v.y = y;                                                                         \
    v.z = z;                                                                         \
    v.w = w;                                                                         \
    return v;                                                                        \
  }

HIP_DECLARE_VECTORS(char, char)
HIP_DECLARE_VECTORS(uchar, unsigned char)
HIP_DECLARE_VECTORS(short, short)
HIP_DECLARE_VECTORS(ushort, unsigned short)
HIP_DECLARE_VECTORS(int, int)
HIP_DECLARE_VECTORS(uint, unsigned int)
HIP_DECLARE_VECTORS(long, long)
HIP_DECLARE_VECTORS(ulong, unsigned long)
HIP_DECLARE_VECTORS(longlong, long long)
HIP_DECLARE_VECTORS(ulonglong, unsigned long long)
HIP_DECLARE_VECTORS(float, float)
HIP_DECLARE_VECTORS(double, double)

#undef HIP_DECLARE_VECTORS

#endif
#endif
