// Kernels with arguments of every kind. No header of HIP is needed to compile them for a GPU.
#define __global__ __attribute__((global))

struct Pair {
  float* where;
  int count;
};
struct Float3 {
  float x, y, z;
};
typedef float Vector3 __attribute__((ext_vector_type(3)));
enum Choice : short { FIRST, SECOND };

extern "C" __global__ void mixed(const float* __restrict__ in, signed char small, long long large,
                                 Pair pair, Float3 point, bool flag, double number, short next,
                                 Vector3 vector, Choice choice, float* __restrict__ out,
                                 void (*function)(int)) {
  out[0] = in[0] + small + large + pair.count + point.x + flag + number + next + vector.y + choice;
}

// What it reads of its launch becomes hidden arguments.
extern "C" __global__ void sized(int* out, char last) {
  out[last] = __builtin_amdgcn_workgroup_size_x();
}

extern "C" __global__ void none() {}

template <typename T>
__global__ void generic(T* data, T value) {
  data[0] = value;
}
template __global__ void generic<float>(float*, float);
