// HIP's names for limits and special values.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_MATH_CONSTANTS_H
#define GRETA_SIMT_HIP_MATH_CONSTANTS_H

#include "greta_simt/conversions.h"

#define HIP_INF_F __int_as_float(0x7f800000)
#define HIP_NAN_F __int_as_float(0x7fffffff)
#define HIP_MIN_DENORM_F __int_as_float(0x00000001)
#define HIP_MAX_NORMAL_F __int_as_float(0x7f7fffff)
#define HIP_NEG_ZERO_F __int_as_float(static_cast<int>(0x80000000u))
#define HIP_ZERO_F 0.0f
#define HIP_ONE_F 1.0f
#define HIP_SQRT_HALF_F 0.707106781f
#define HIP_SQRT_TWO_F 1.414213562f
#define HIP_THIRD_F 0.333333333f
#define HIP_PIO4_F 0.785398163f
#define HIP_PIO2_F 1.570796327f
#define HIP_3PIO4_F 2.356194490f
#define HIP_2_OVER_PI_F 0.636619772f
#define HIP_SQRT_2_OVER_PI_F 0.797884561f
#define HIP_PI_F 3.141592654f
#define HIP_L2E_F 1.442695041f
#define HIP_L2T_F 3.321928094f
#define HIP_LG2_F 0.301029996f
#define HIP_LGE_F 0.434294482f
#define HIP_LN2_F 0.693147181f
#define HIP_LNT_F 2.302585093f
#define HIP_INF __longlong_as_double(0x7ff0000000000000ll)
#define HIP_NAN __longlong_as_double(0x7fffffffffffffffll)
#define HIP_PI 3.1415926535897931
#define HIP_PIO2 1.5707963267948966
#define HIP_LN2 0.69314718055994529
#define HIP_SQRT_TWO 1.4142135623730951

#endif
