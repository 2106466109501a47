// What C++ and HIP offer beside functions: memory of all kinds, templates, lambdas, virtual
// functions, function pointers, recursion, launches and their attributes. Each part compares with
// the CPU.
#include "program.h"

#include <hip/hip_ext.h>

#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cg = cooperative_groups;

namespace stencil {
constexpr int R = 3, B = 128;
__constant__ float coef[2 * R + 1];
__global__ void stencil(const float* in, float* out, int n) {
  __shared__ float s[B + 2 * R];
  int g = blockIdx.x * B + threadIdx.x, l = threadIdx.x + R;
  s[l] = g < n ? in[g] : 0;
  if (threadIdx.x < R) {
    s[l - R] = g >= R ? in[g - R] : 0;
    s[l + B] = g + B < n ? in[g + B] : 0;
  }
  __syncthreads();
  float a = 0;
  for (int k = -R; k <= R; k++) a += coef[k + R] * s[l + k];
  if (g < n) out[g] = a;
}
static bool run() {
  int n = 1000;
  auto v = randoms(n);
  float c[2 * R + 1] = {1, 2, 3, 4, 3, 2, 1};
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(coef), c, sizeof c));
  float *d = upload(v), *o;
  HIP_CHECK(hipMalloc(&o, n * 4));
  stencil<<<(n + B - 1) / B, B>>>(d, o, n);
  auto r = download(o, n);
  bool ok = true;
  for (int i = 0; i < n; i++) {
    float a = 0;
    for (int k = -R; k <= R; k++)
      if (i + k >= 0 && i + k < n) a += c[k + R] * v[i + k];
    ok &= near(r[i], a);
  }
  float back[2 * R + 1];
  HIP_CHECK(hipMemcpyFromSymbol(back, coef, sizeof back));
  ok &= back[3] == 4;
  size_t sz;
  HIP_CHECK(hipGetSymbolSize(&sz, coef));
  ok &= sz == sizeof c;
  void* p;
  HIP_CHECK(hipGetSymbolAddress(&p, HIP_SYMBOL(coef)));
  ok &= p != nullptr;
  FREE(d);
  FREE(o);
  return ok;
}
}  // namespace stencil

namespace globals {
__device__ int counter;
__device__ float table[64];
__device__ int* where;
__managed__ int shared_count = 5;
__global__ void use(int* out) {
  int t = threadIdx.x;
  atomicAdd(&counter, 1);
  out[t] = (int)table[t] + where[0];
  if (t == 0) shared_count += counter > 0;
}
static bool run() {
  float h[64];
  for (int i = 0; i < 64; i++) h[i] = i * 2;
  HIP_CHECK(hipMemcpyToSymbol(table, h, sizeof h));
  int zero = 0;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &zero, 4));
  std::vector<int> w{1000};
  int* dw = upload(w);
  HIP_CHECK(hipMemcpyToSymbol(where, &dw, sizeof dw));
  int* o;
  HIP_CHECK(hipMalloc(&o, 256));
  use<<<1, 64>>>(o);
  auto r = download(o, 64);
  int c;
  HIP_CHECK(hipMemcpyFromSymbol(&c, counter, 4));
  HIP_CHECK(hipDeviceSynchronize());
  bool ok = c == 64 && shared_count == 6;
  for (int i = 0; i < 64; i++) ok &= r[i] == 1000 + 2 * i;
  FREE(dw);
  FREE(o);
  return ok;
}
}  // namespace globals

namespace funcptr {
typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ float sub(float a, float b) { return a - b; }
__device__ op_t ops[3] = {add, mul, sub};
__global__ void apply(const float* a, const float* b, float* c, int n, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = ops[(which + i) % 3](a[i], b[i]);
}
static bool run() {
  int n = 500;
  auto a = randoms(n, 1), b = randoms(n, 2);
  float *da = upload(a), *db = upload(b), *dc;
  HIP_CHECK(hipMalloc(&dc, n * 4));
  apply<<<2, 256>>>(da, db, dc, n, 1);
  auto r = download(dc, n);
  bool ok = true;
  for (int i = 0; i < n; i++) {
    int k = (1 + i) % 3;
    ok &= r[i] == (k == 0 ? a[i] + b[i] : k == 1 ? a[i] * b[i] : a[i] - b[i]);
  }
  FREE(da);
  FREE(db);
  FREE(dc);
  return ok;
}
}  // namespace funcptr

namespace virtuals {
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float s;
  __device__ Square(float s) : s(s) {}
  __device__ float area() const override { return s * s; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3.f * r * r; }
};
__global__ void make(char* mem, Shape** out, int n) {
  int i = threadIdx.x;
  if (i < n) {
    if (i % 2)
      out[i] = new (mem + i * 32) Square(i);
    else
      out[i] = new (mem + i * 32) Circle(i);
  }
}
__global__ void areas(Shape** s, float* o, int n) {
  int i = threadIdx.x;
  if (i < n) o[i] = s[i]->area();
}
static bool run() {
  int n = 50;
  char* m;
  Shape** s;
  float* o;
  HIP_CHECK(hipMalloc(&m, n * 32));
  HIP_CHECK(hipMalloc(&s, n * 8));
  HIP_CHECK(hipMalloc(&o, n * 4));
  make<<<1, 64>>>(m, s, n);
  areas<<<1, 64>>>(s, o, n);
  auto r = download(o, n);
  bool ok = true;
  for (int i = 0; i < n; i++) ok &= r[i] == (i % 2 ? float(i * i) : 3.f * i * i);
  FREE(m);
  FREE(s);
  FREE(o);
  return ok;
}
}  // namespace virtuals

namespace templates {
template <class T, class F>
__global__ void map(const T* in, T* out, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(in[i]);
}
struct Axpy {
  float a, b;
  __host__ __device__ float operator()(float x) const { return a * x + b; }
};
template <unsigned N>
struct Poly {
  float c[N];
  __host__ __device__ float operator()(float x) const {
    float r = 0;
    for (unsigned i = 0; i < N; i++) r = r * x + c[i];
    return r;
  }
};
template <typename... Ts>
__global__ void sum_all(float* o, Ts... xs) {
  o[threadIdx.x] = (0.f + ... + float(xs));
}
static bool run() {
  int n = 300;
  auto v = randoms(n);
  float *d = upload(v), *o;
  HIP_CHECK(hipMalloc(&o, n * 4));
  bool ok = true;
  Axpy f{2, 3};
  map<<<2, 256>>>(d, o, n, f);
  auto r = download(o, n);
  for (int i = 0; i < n; i++) ok &= near(r[i], f(v[i]), 1e-6);
  Poly<4> p{{1, 2, 3, 4}};
  hipLaunchKernelGGL(HIP_KERNEL_NAME(map<float, Poly<4>>), dim3(2), dim3(256), 0, 0, d, o, n, p);
  r = download(o, n);
  for (int i = 0; i < n; i++) ok &= near(r[i], p(v[i]), 1e-5);
  float k = 10;
  map<<<2, 256>>>(d, o, n, [=] __device__(float x) { return x * k; });
  r = download(o, n);
  for (int i = 0; i < n; i++) ok &= r[i] == v[i] * k;
  auto both = [=] __host__ __device__(float x) { return x + k; };
  map<<<2, 256>>>(d, o, n, both);
  r = download(o, n);
  for (int i = 0; i < n; i++) ok &= r[i] == both(v[i]);
  sum_all<<<1, 4>>>(o, 1, 2.5, short(3), 4u);
  ok &= download(o, 1)[0] == 10.5f;
  FREE(d);
  FREE(o);
  return ok;
}
}  // namespace templates

namespace classes {
template <class T, int N>
struct Vec {
  T v[N];
  __host__ __device__ Vec() {
    for (auto& x : v) x = T();
  }
  __host__ __device__ T& operator[](int i) { return v[i]; }
  __host__ __device__ const T& operator[](int i) const { return v[i]; }
  __host__ __device__ friend Vec operator+(const Vec& a, const Vec& b) {
    Vec r;
    for (int i = 0; i < N; i++) r[i] = a[i] + b[i];
    return r;
  }
};
class Buffer {
  float* p_;
  size_t n_;

 public:
  explicit Buffer(size_t n) : n_(n) { HIP_CHECK(hipMalloc(&p_, n * 4)); }
  ~Buffer() { (void)hipFree(p_); }
  Buffer(const Buffer&) = delete;
  float* get() { return p_; }
};
__constant__ std::array<int, 4> lut = {1, 2, 3, 4};
constexpr __host__ __device__ int cube(int x) { return x * x * x; }
enum class Mode : uint8_t { A, B };
struct alignas(16) Params {
  int n;
  Mode m;
  float k[3];
};
__global__ void go(Params p, float* o) {
  Vec<float, 3> a, b;
  for (int i = 0; i < 3; i++) {
    a[i] = p.k[i];
    b[i] = threadIdx.x;
  }
  auto c = a + b;
  if (p.m == Mode::B && threadIdx.x < (unsigned)p.n)
    o[threadIdx.x] = c[0] + c[1] + c[2] + lut[threadIdx.x % 4] + cube(2) +
                     (std::numeric_limits<int>::max() > 0) +
                     std::numeric_limits<float>::epsilon() * 0;
}
static bool run() {
  Buffer b(64);
  HIP_CHECK(hipMemset(b.get(), 0, 256));
  go<<<1, 64>>>(Params{50, Mode::B, {1, 2, 3}}, b.get());
  auto r = download(b.get(), 64);
  bool ok = true;
  for (int i = 0; i < 64; i++) ok &= r[i] == (i < 50 ? 6 + 3 * i + 1 + i % 4 + 8 + 1 : 0);
  return ok;
}
}  // namespace classes

namespace recursion {
__device__ __attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void f(int* o) { o[threadIdx.x] = fib(threadIdx.x % 12); }
__global__ void local(const int* in, int* o, int n) {
  int a[64];
  for (int i = 0; i < n; i++) a[i] = in[i] * (threadIdx.x + 1);
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
      int t = a[j];
      a[j] = a[j - 1];
      a[j - 1] = t;
    }
  o[threadIdx.x] = a[n / 2];
}
static bool run() {
  int* o;
  HIP_CHECK(hipMalloc(&o, 256));
  f<<<1, 64>>>(o);
  auto r = download(o, 64);
  int e[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  bool ok = true;
  for (int i = 0; i < 64; i++) ok &= r[i] == e[i % 12];
  std::vector<int> v(64);
  for (int i = 0; i < 64; i++) v[i] = (i * 29) % 64;
  int* d = upload(v);
  local<<<1, 64>>>(d, o, 64);
  r = download(o, 64);
  for (int i = 0; i < 64; i++) ok &= r[i] == 32 * (i + 1);
  FREE(o);
  FREE(d);
  return ok;
}
}  // namespace recursion

namespace occupancy {
__global__ void k(float* p) { p[threadIdx.x] = 1; }
template <class T>
__global__ __launch_bounds__(128, 2) void kt(T* p) {
  __shared__ T s[128];
  s[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  p[threadIdx.x] = s[127 - threadIdx.x];
}
static bool run() {
  int g, b, n;
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0));
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&g, &b, kt<int>));
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&n, kt<float>, 128, 0));
  int g2, b2;
  HIP_CHECK(hipOccupancyMaxPotentialBlockSizeVariableSMem(&g2, &b2, k,
                                                          [](int t) { return size_t(t) * 4; }));
  hipFuncAttributes a;
  HIP_CHECK(hipFuncGetAttributes(&a, (const void*)k));
  HIP_CHECK(hipFuncGetAttributes(&a, reinterpret_cast<const void*>(kt<float>)));
  hipFuncAttributes a2;
  HIP_CHECK(hipFuncGetAttributes(&a2, kt<float>));
  HIP_CHECK(hipFuncSetAttribute((const void*)k, hipFuncAttributeMaxDynamicSharedMemorySize, 65536));
  HIP_CHECK(hipFuncSetCacheConfig((const void*)k, hipFuncCachePreferShared));
  printf("%d %d %d %zu %d %d %d\n", g, b, n, a.sharedSizeBytes, a.maxThreadsPerBlock, b2,
         a2.numRegs);
  float* p;
  HIP_CHECK(hipMalloc(&p, 512));
  void* args[] = {&p};
  HIP_CHECK(hipLaunchKernel((const void*)kt<float>, dim3(1), dim3(128), args, 0, 0));
  bool ok = download(p, 1)[0] == 127;
  HIP_CHECK(hipLaunchKernel(kt<float>, dim3(1), dim3(128), args, 0, 0));
  FREE(p);
  return ok && b > 0 && n > 0 && a.sharedSizeBytes == 512 && a.maxThreadsPerBlock == 128;
}
}  // namespace occupancy

namespace launch_ex {
__global__ void k(int* p, short a, double b) { p[threadIdx.x] = a + (int)b; }
static bool run() {
  int* p;
  HIP_CHECK(hipMalloc(&p, 256));
  hipEvent_t s, e;
  HIP_CHECK(hipEventCreate(&s));
  HIP_CHECK(hipEventCreate(&e));
  hipExtLaunchKernelGGL(k, dim3(1), dim3(64), 0, 0, s, e, 0, p, 3, 4.5);
  HIP_CHECK(hipEventSynchronize(e));
  bool ok = download(p, 64)[63] == 7;
  hipLaunchConfig_t c{};
  c.gridDim = dim3(1);
  c.blockDim = dim3(64);
  HIP_CHECK(hipLaunchKernelEx(&c, k, p, short(5), 2.0));
  ok &= download(p, 64)[0] == 7;
  HIP_CHECK(hipEventDestroy(s));
  HIP_CHECK(hipEventDestroy(e));
  FREE(p);
  return ok;
}
}  // namespace launch_ex

namespace managed {
struct Node {
  int v;
  Node* next;
};
__global__ void walk(Node* n, int* s) {
  int t = 0;
  while (n) {
    t += n->v;
    n = n->next;
  }
  *s = t;
}
static bool run() {
  Node* m;
  HIP_CHECK(hipMallocManaged(&m, 10 * sizeof(Node)));
  int* s;
  HIP_CHECK(hipMallocManaged((void**)&s, 4));
  for (int i = 0; i < 10; i++) m[i] = {i, i < 9 ? &m[i + 1] : nullptr};
  walk<<<1, 1>>>(m, s);
  HIP_CHECK(hipDeviceSynchronize());
  bool ok = *s == 45;
  FREE(m);
  FREE(s);
  return ok;
}
}  // namespace managed

namespace graph_nodes {
__global__ void fill(int* p, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = v + i;
}
static bool run() {
  int n = 300, v = 7;
  int* d;
  HIP_CHECK(hipMalloc(&d, n * 4));
  std::vector<int> r(n);
  hipGraph_t g;
  HIP_CHECK(hipGraphCreate(&g, 0));
  void* args[] = {&d, &n, &v};
  hipKernelNodeParams p{};
  p.func = (void*)fill;
  p.gridDim = dim3(2);
  p.blockDim = dim3(256);
  p.kernelParams = args;
  hipGraphNode_t k, c;
  HIP_CHECK(hipGraphAddKernelNode(&k, g, nullptr, 0, &p));
  HIP_CHECK(hipGraphAddMemcpyNode1D(&c, g, &k, 1, r.data(), d, n * 4, hipMemcpyDeviceToHost));
  hipGraphExec_t x;
  HIP_CHECK(hipGraphInstantiate(&x, g, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(x, 0));
  HIP_CHECK(hipDeviceSynchronize());
  bool ok = r[0] == 7 && r[299] == 306;
  v = 100;
  HIP_CHECK(hipGraphExecKernelNodeSetParams(x, k, &p));
  HIP_CHECK(hipGraphLaunch(x, 0));
  HIP_CHECK(hipDeviceSynchronize());
  ok &= r[0] == 100;
  HIP_CHECK(hipGraphExecDestroy(x));
  HIP_CHECK(hipGraphDestroy(g));
  FREE(d);
  return ok;
}
}  // namespace graph_nodes

namespace heap {
struct Link {
  int value;
  Link* next;
};
// Blocks share the slabs of the heap, and get what another one has freed.
__global__ void build(Link** heads, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  Link* head = nullptr;
  for (int i = 0; i < n; i++) {
    int* passing = new int[4];
    passing[3] = t;
    Link* link = (Link*)malloc(sizeof(Link));
    *link = {passing[3] * 100 + i, head};
    delete[] passing;
    head = link;
  }
  heads[t] = head;
}
__global__ void drain(Link** heads, int* sums) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (Link* link = heads[t]; link != nullptr;) {
    sum += link->value;
    Link* const next = link->next;
    free(link);
    link = next;
  }
  sums[t] = sum;
}
static bool run() {
  Link** heads;
  int* sums;
  std::vector<int> h(256);
  HIP_CHECK(hipMalloc(&heads, 256 * sizeof(Link*)));
  HIP_CHECK(hipMalloc(&sums, 1024));
  build<<<4, 64>>>(heads, 3);
  drain<<<2, 128>>>(heads, sums);
  HIP_CHECK(hipMemcpy(h.data(), sums, 1024, hipMemcpyDeviceToHost));
  bool ok = true;
  for (int t = 0; t < 256; t++) ok &= h[t] == t * 300 + 3;
  FREE(heads);
  FREE(sums);
  return ok;
}
}  // namespace heap

int main() {
  bool all = true;
  all &= told("stencil", stencil::run());
  all &= told("globals", globals::run());
  all &= told("funcptr", funcptr::run());
  all &= told("virtuals", virtuals::run());
  all &= told("templates", templates::run());
  all &= told("classes", classes::run());
  all &= told("recursion", recursion::run());
  all &= told("occupancy", occupancy::run());
  all &= told("launch_ex", launch_ex::run());
  all &= told("managed", managed::run());
  all &= told("graph_nodes", graph_nodes::run());
  all &= told("heap", heap::run());
  return all ? 0 : 1;
}
