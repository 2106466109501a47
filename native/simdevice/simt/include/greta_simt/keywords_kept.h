// HIP's keywords while a kernel file is preprocessed: each is defined (programs test that) and
// expands to itself, so that the text that comes out still shows hipRTC where the kernels are and
// keeps the user's columns. keywords.h gives them their meaning when that text is compiled.
//
// Not marked as a system header, unlike the others: the preprocessor would set line markers around
// each of these words.
#define __global__ __global__
#define __device__ __device__
#define __host__ __host__
#define __shared__ __shared__
#define __constant__ __constant__
#define __managed__ __managed__
#define __forceinline__ __forceinline__
#define __noinline__ __noinline__
#define __launch_bounds__ __launch_bounds__
#define __grid_constant__ __grid_constant__
#define __hip_img_chk__ __hip_img_chk__
