/* C++ only: what the elements of an array are, from their type. */
#ifndef GRETA_HIP_CHANNEL_DESCRIPTOR_H
#define GRETA_HIP_CHANNEL_DESCRIPTOR_H

#ifdef __cplusplus

#include "hip/hip_runtime_api.h"
#include "hip/hip_vector_types.h"

/* How many bits each component of T has, and what they are. */
template <class T>
struct GretaHipChannel {
  static hipChannelFormatDesc make() { return {0, 0, 0, 0, hipChannelFormatKindNone}; }
};
#define GRETA_HIP_CHANNELS(name, element, kind)                                                   \
  GRETA_HIP_CHANNEL(element, kind, 8 * sizeof(element), 0, 0, 0)                                  \
  GRETA_HIP_CHANNEL(name##1, kind, 8 * sizeof(element), 0, 0, 0)                                  \
  GRETA_HIP_CHANNEL(name##2, kind, 8 * sizeof(element), 8 * sizeof(element), 0, 0)                \
  GRETA_HIP_CHANNEL(name##3, kind, 8 * sizeof(element), 8 * sizeof(element), 8 * sizeof(element), \
                    0)                                                                            \
  GRETA_HIP_CHANNEL(name##4, kind, 8 * sizeof(element), 8 * sizeof(element), 8 * sizeof(element), \
                    8 * sizeof(element))
#define GRETA_HIP_CHANNEL(type, kind, x, y, z, w)                                                 \
  template <>                                                                                     \
  struct GretaHipChannel<type> {                                                                  \
    static hipChannelFormatDesc make() {                                                          \
      return {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z), static_cast<int>(w), \
              kind};                                                                              \
    }                                                                                             \
  };
GRETA_HIP_CHANNELS(char, char, hipChannelFormatKindSigned)
GRETA_HIP_CHANNEL(signed char, hipChannelFormatKindSigned, 8, 0, 0, 0)
GRETA_HIP_CHANNELS(uchar, unsigned char, hipChannelFormatKindUnsigned)
GRETA_HIP_CHANNELS(short, short, hipChannelFormatKindSigned)
GRETA_HIP_CHANNELS(ushort, unsigned short, hipChannelFormatKindUnsigned)
GRETA_HIP_CHANNELS(int, int, hipChannelFormatKindSigned)
GRETA_HIP_CHANNELS(uint, unsigned int, hipChannelFormatKindUnsigned)
GRETA_HIP_CHANNELS(long, long, hipChannelFormatKindSigned)
GRETA_HIP_CHANNELS(ulong, unsigned long, hipChannelFormatKindUnsigned)
GRETA_HIP_CHANNELS(float, float, hipChannelFormatKindFloat)
#undef GRETA_HIP_CHANNEL
#undef GRETA_HIP_CHANNELS
template <class T>
inline hipChannelFormatDesc hipCreateChannelDesc() {
  return GretaHipChannel<T>::make();
}
inline hipChannelFormatDesc hipCreateChannelDescHalf() {
  return {16, 0, 0, 0, hipChannelFormatKindFloat};
}

#endif
#endif
