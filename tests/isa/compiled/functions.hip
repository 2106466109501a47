// The functions that kernels call: mathematics, integers, atomics, waves, cooperative groups, small
// floating-point numbers. Each part compares with the CPU.
#include "program.h"

#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>

namespace cg = cooperative_groups;

namespace device_math {
__global__ void m(const float* x, float* o, const double* y, double* p, int n) {
  int i = threadIdx.x;
  float v = x[i];
  int k = 0;
  auto put = [&](float f) { o[k++ * n + i] = f; };
  put(sinf(v));
  put(cosf(v));
  put(tanf(v));
  put(expf(v));
  put(logf(fabsf(v) + .1f));
  put(sqrtf(fabsf(v)));
  put(powf(fabsf(v), 1.7f));
  put(erff(v));
  put(tanhf(v));
  put(atan2f(v, .3f));
  put(fmodf(v, .3f));
  put(cbrtf(v));
  put(hypotf(v, 1));
  put(exp2f(v));
  put(log2f(fabsf(v) + .1f));
  put(log1pf(fabsf(v)));
  put(expm1f(v));
  put(asinf(v));
  put(acosf(v));
  put(sinhf(v));
  put(coshf(v));
  put(rsqrtf(fabsf(v) + .1f));
  put(tgammaf(v + 3));
  put(lgammaf(v + 3));
  put(copysignf(2, v));
  put(fmaf(v, v, v));
  put(roundf(v * 5));
  put(truncf(v * 5));
  put(floorf(v * 5));
  put(rintf(v * 5));
  put(sinpif(v));
  put(normcdff(v));
  put(erfcf(v));
  put(exp10f(v));
  put(log10f(fabsf(v) + .1f));
  put(std::sin(v));
  put(std::pow(fabsf(v), 2.f));
  put(std::max(v, .1f));
  put(__sinf(v));
  put(__logf(fabsf(v) + .1f));
  put(__fdividef(v, 3.f));
  put(__fsqrt_rn(fabsf(v)));
  put(fdividef(v, 2));
  put(min(v, 0.f));
  put(abs(v));
  put(__powf(fabsf(v), 2.f));
  put(ldexpf(v, 3));
  put(__fadd_rn(v, 1.f));
  put(norm3df(v, 1, 2));
  put(j0f(v));
  put(remainderf(v, .3f));
  put(nextafterf(v, 2.f));
  double w = y[i];
  k = 0;
  auto pd = [&](double f) { p[k++ * n + i] = f; };
  pd(sin(w));
  pd(exp(w));
  pd(log(fabs(w) + .1));
  pd(pow(fabs(w), 1.3));
  pd(sqrt(fabs(w)));
  pd(erf(w));
  pd(tanh(w));
  pd(atan(w));
  pd(cbrt(w));
  pd(fma(w, w, w));
  pd(rsqrt(fabs(w) + .1));
  pd(lgamma(w + 3));
  pd(round(w * 5));
}
static bool run() {
  int n = 64;
  auto f = randoms(n);
  std::vector<double> d(f.begin(), f.end());
  float *x = upload(f), *o;
  double *y = upload(d), *p;
  HIP_CHECK(hipMalloc(&o, n * 60 * 4));
  HIP_CHECK(hipMalloc(&p, n * 20 * 8));
  m<<<1, n>>>(x, o, y, p, n);
  auto r = download(o, n * 52);
  auto q = download(p, n * 13);
  bool ok = true;
  for (int i = 0; i < n; i++) {
    double v = f[i], a = fabs(v);
    double e[] = {sin(v),
                  cos(v),
                  tan(v),
                  exp(v),
                  log(a + .1),
                  sqrt(a),
                  pow(a, 1.7),
                  erf(v),
                  tanh(v),
                  atan2(v, .3),
                  fmod(f[i], .3f),
                  cbrt(v),
                  hypot(v, 1),
                  exp2(v),
                  log2(a + .1),
                  log1p(a),
                  expm1(v),
                  asin(v),
                  acos(v),
                  sinh(v),
                  cosh(v),
                  1 / sqrt(a + .1),
                  tgamma(v + 3),
                  lgamma(v + 3),
                  copysign(2, v),
                  v * v + v,
                  std::round(f[i] * 5),
                  std::trunc(f[i] * 5),
                  std::floor(f[i] * 5),
                  std::rint(f[i] * 5),
                  sin(M_PI * v),
                  .5 * erfc(-v / sqrt(2)),
                  erfc(v),
                  pow(10, v),
                  log10(a + .1),
                  sin(v),
                  a * a,
                  std::max(v, .1),
                  sin(v),
                  log(a + .1),
                  v / 3,
                  sqrt(a),
                  v / 2,
                  std::min(v, 0.),
                  a,
                  a * a,
                  v * 8,
                  v + 1,
                  sqrt(v * v + 5),
                  j0(v),
                  remainder(f[i], .3f),
                  nextafterf(f[i], 2.f)};
    for (int k = 0; k < 52; k++)
      if (!near(r[k * n + i], e[k], 2e-5)) {
        printf("f%d(%g)=%g not %g\n", k, v, r[k * n + i], e[k]);
        ok = false;
      }
    double g[] = {sin(v),           exp(v),        log(a + .1),      pow(a, 1.3), sqrt(a),
                  erf(v),           tanh(v),       atan(v),          cbrt(v),     fma(v, v, v),
                  1 / sqrt(a + .1), lgamma(v + 3), std::round(v * 5)};
    for (int k = 0; k < 13; k++)
      if (!near(q[k * n + i], g[k], 1e-13)) {
        printf("d%d(%g)=%g not %g\n", k, v, q[k * n + i], g[k]);
        ok = false;
      }
  }
  FREE(x);
  FREE(o);
  FREE(y);
  FREE(p);
  return ok;
}
}  // namespace device_math

namespace intrins {
__global__ void k(const unsigned* x, unsigned* o, int n) {
  int i = threadIdx.x;
  unsigned v = x[i], w = x[(i + 1) % n];
  int j = 0;
  auto p = [&](unsigned r) { o[j++ * n + i] = r; };
  p(__popc(v));
  p(__clz(v));
  p(__ffs(v));
  p(__brev(v));
  p(__umulhi(v, w));
  p(__mulhi((int)v, (int)w));
  p(__byte_perm(v, w, 0x5410));
  p(__funnelshift_l(v, w, 7));
  p(__umul24(v, w));
  p(__sad((int)v, (int)w, 3));
  p(__usad(v, w, 3));
  p(__hadd((int)v, (int)w));
  p(__popcll((unsigned long long)v << 32 | w));
  p(__clzll((long long)v << 20 | 1));
  p(__float_as_uint(__uint_as_float(v)));
  p(min(v, w));
  p(max((int)v, (int)w));
  p(abs((int)v));
  p(__dp4a((int)v, (int)w, 5));
  p((unsigned)__umul64hi((unsigned long long)v << 32, w));
  p(v / (w | 1));
  p(v % (w | 1));
  p((unsigned)((long long)(int)v * (int)w / (long long)((i + 3))));
  p(__rhadd((int)v, (int)w));
}
static bool run() {
  int n = 64;
  std::vector<unsigned> v(n);
  std::mt19937 g(9);
  for (auto& x : v) x = g();
  v[3] = 0;
  v[4] = 1;
  unsigned *d = upload(v), *o;
  HIP_CHECK(hipMalloc(&o, n * 24 * 4));
  k<<<1, n>>>(d, o, n);
  auto r = download(o, n * 24);
  bool ok = true;
  for (int i = 0; i < n; i++) {
    unsigned a = v[i], b = v[(i + 1) % n];
    int sa = a, sb = b;
    unsigned br = 0;
    for (int k = 0; k < 32; k++) br |= (a >> k & 1) << (31 - k);
    auto dp = [&] {
      int c = 5;
      for (int k = 0; k < 4; k++) c += (signed char)(a >> 8 * k) * (signed char)(b >> 8 * k);
      return (unsigned)c;
    };
    unsigned e[] = {(unsigned)__builtin_popcount(a),
                    a ? (unsigned)__builtin_clz(a) : 32,
                    (unsigned)__builtin_ffs(a),
                    br,
                    (unsigned)((unsigned long long)a * b >> 32),
                    (unsigned)((long long)sa * sb >> 32),
                    (a & 0xffff) | (b << 16),
                    (unsigned)(((unsigned long long)b << 32 | a) << 7 >> 32),
                    (a & 0xffffff) * (b & 0xffffff),
                    (unsigned)std::llabs((long long)sa - sb) + 3,
                    (a < b ? b - a : a - b) + 3,
                    (unsigned)(((long long)sa + sb) >> 1),
                    (unsigned)__builtin_popcountll((unsigned long long)a << 32 | b),
                    (unsigned)__builtin_clzll((long long)a << 20 | 1),
                    a,
                    std::min(a, b),
                    (unsigned)std::max(sa, sb),
                    (unsigned)abs(sa),
                    dp(),
                    (unsigned)((unsigned __int128)((unsigned long long)a << 32) * b >> 64),
                    a / (b | 1),
                    a % (b | 1),
                    (unsigned)((long long)sa * sb / (i + 3)),
                    (unsigned)(((long long)sa + sb + 1) >> 1)};
    for (int q = 0; q < 24; q++)
      if (r[q * n + i] != e[q]) {
        printf("%d (%x,%x): %x not %x\n", q, a, b, r[q * n + i], e[q]);
        ok = false;
      }
  }
  FREE(d);
  FREE(o);
  return ok;
}
}  // namespace intrins

namespace caslock {
__device__ double atomicMulCAS(double* a, double v) {
  auto* p = (unsigned long long*)a;
  unsigned long long old = *p, as;
  do {
    as = old;
    old = atomicCAS(p, as, __double_as_longlong(v * __longlong_as_double(as)));
  } while (as != old);
  return __longlong_as_double(old);
}
__global__ void mul(double* p) { atomicMulCAS(p, 2.0); }
__global__ void maxf(float* m, const float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int* a = (int*)m;
    int old = *a, as;
    do {
      as = old;
      if (__int_as_float(as) >= v[i]) break;
      old = atomicCAS(a, as, __float_as_int(v[i]));
    } while (as != old);
  }
}
__global__ void locked(int* lock, int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) __builtin_amdgcn_s_sleep(1);
    __threadfence();
    *(volatile int*)count = *(volatile int*)count + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void kinds(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(i, 1);
  atomicSub(i + 1, 2);
  atomicMin(i + 2, t - 5);
  atomicMax(i + 3, t);
  atomicAnd(i + 4, ~(1 << (t % 8)));
  atomicOr(i + 5, 1 << (t % 20));
  atomicXor(i + 6, t);
  atomicInc(u, 9u);
  atomicDec(u + 1, 9u);
  atomicAdd(l, (unsigned long long)t << 32);
  atomicMax(l + 1, (unsigned long long)t);
  atomicAdd(f, .5f);
  unsafeAtomicAdd(f + 1, 1.f);
  atomicAdd(d, .25);
  atomicMin(f + 2, (float)-t);
  atomicMax(d + 1, (double)t);
  atomicExch(u + 2, 77u);
  atomicAdd_block(u + 3, 1u);
  atomicAdd_system(u + 4, 1u);
}
static bool run() {
  std::vector<double> one(1, 1.0);
  double* p = upload(one);
  mul<<<4, 16>>>(p);
  bool ok = download(p, 1)[0] == std::pow(2, 64);
  auto v = randoms(1000, 4, 0, 1);
  float *d = upload(v), *m = upload(std::vector<float>{-1});
  maxf<<<4, 256>>>(m, d, 1000);
  ok &= download(m, 1)[0] == *std::max_element(v.begin(), v.end());
  int* l = upload(std::vector<int>(2, 0));
  locked<<<40, 64>>>(l, l + 1);
  ok &= download(l + 1, 1)[0] == 40;
  if (!ok) puts("locks");
  int* i = upload(std::vector<int>{0, 0, 0, 0, 255, 0, 0});
  unsigned* u = upload(std::vector<unsigned>(5, 0));
  auto* L = upload(std::vector<unsigned long long>(2, 0));
  float* f = upload(std::vector<float>(3, 0));
  double* D = upload(std::vector<double>(2, 0));
  kinds<<<4, 64>>>(i, u, L, f, D);
  auto ri = download(i, 7);
  auto ru = download(u, 5);
  auto rl = download(L, 2);
  auto rf = download(f, 3);
  auto rd = download(D, 2);
  int x = 0;
  for (int t = 0; t < 256; t++) x ^= t;
  ok &= ri[0] == 256 && ri[1] == -512 && ri[2] == -5 && ri[3] == 255 && ri[4] == 0 &&
        ri[5] == (1 << 20) - 1 && ri[6] == x;
  ok &= ru[0] == 256 % 10 && ru[1] == 4 && ru[2] == 77 && ru[3] == 256 && ru[4] == 256 &&
        rl[0] == (32640ull << 32) && rl[1] == 255 && rf[0] == 128 && rf[1] == 256 &&
        rf[2] == -255 && rd[0] == 64 && rd[1] == 255;
  if (!ok) printf("%u %u\n", ru[0], ru[1]);
  for (void* q :
       {(void*)p, (void*)d, (void*)m, (void*)l, (void*)i, (void*)u, (void*)L, (void*)f, (void*)D})
    FREE(q);
  return ok;
}
}  // namespace caslock

namespace warp {
__global__ void warp(int* o) {
  int l = threadIdx.x;
  o[l] = __shfl(l * 3, 5);
  o[64 + l] = __shfl(l, l % 8, 8);
  o[128 + l] = __shfl_up(l, 3, 16);
  o[192 + l] = __shfl_down(l, 4, 32);
  o[256 + l] = __shfl_xor(l, 7);
  o[320 + l] = __popcll(__ballot(l % 3 == 0));
  o[384 + l] = __any(l == 63) * 2 + __all(l < 64);
  o[448 + l] = __popcll(__match_any(l / 10));
  o[512 + l] = (int)__reduce_add_sync(~0ull, l);
  o[576 + l] = __shfl_sync(~0ull, l, l ^ 1);
  o[640 + l] = __ffsll(__ballot_sync(~0ull, l > 10));
  o[704 + l] = __activemask() == ~0ull;
  o[768 + l] = __lane_id();
  o[832 + l] = __popcll(__lanemask_lt());
  int p;
  o[896 + l] = __match_all_sync(~0ull, 5, &p) == ~0ull && p;
  o[960 + l] = __reduce_max_sync(~0ull, l ^ 21);
  double d = __shfl_xor(double(l) + .5, 1);
  long long q = __shfl_down((long long)l << 40, 1);
  if (l < 63 && (q >> 40) != l + 1) o[l] = -1;
  if (d != (l ^ 1) + .5) o[l] = -2;
}
static bool run() {
  int* d;
  HIP_CHECK(hipMalloc(&d, 4096));
  warp<<<1, 64>>>(d);
  auto o = download(d, 1024);
  bool ok = true;
  for (int l = 0; l < 64; l++) {
    int e[] = {15,
               l / 8 * 8 + l % 8,
               l % 16 >= 3 ? l - 3 : l,
               l % 32 + 4 < 32 ? l + 4 : l,
               l ^ 7,
               22,
               3,
               l / 10 == 6 ? 4 : 10,
               2016,
               l ^ 1,
               12,
               1,
               l,
               l,
               1,
               63};
    for (int k = 0; k < 16; k++)
      if (o[k * 64 + l] != e[k]) {
        printf("%d lane %d: %d not %d\n", k, l, o[k * 64 + l], e[k]);
        ok = false;
      }
  }
  FREE(d);
  return ok;
}
}  // namespace warp

namespace compact {
// Only the leader sets `base`; the shuffle gives it to the others.
__global__ void keep_thirds(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool keep = i < n && in[i] % 3 == 0;
  const unsigned long long kept = __ballot(keep);
  if (!keep) return;
  const int lane = __lane_id(), leader = __ffsll(kept) - 1;
  int base;
  if (lane == leader) base = atomicAdd(count, __popcll(kept));
  base = __shfl(base, leader);
  out[base + __popcll(kept & ((1ull << lane) - 1))] = in[i];
}
static bool run() {
  const int n = 600;
  std::vector<int> h(n);
  for (int i = 0; i < n; i++) h[i] = i;
  int *in = upload(h), *out, *count;
  HIP_CHECK(hipMalloc(&out, n / 3 * 4));
  HIP_CHECK(hipMalloc(&count, 4));
  HIP_CHECK(hipMemset(count, 0, 4));
  keep_thirds<<<5, 128>>>(in, out, count, n);
  std::vector<int> o = download(out, n / 3);
  std::sort(o.begin(), o.end());
  bool ok = download(count, 1)[0] == n / 3;
  for (int i = 0; i < n / 3; i++) ok &= o[i] == 3 * i;
  for (int* p : {in, out, count}) FREE(p);
  return ok;
}
}  // namespace compact

namespace coop {
__global__ void tiles(const int* in, int* out) {
  cg::thread_block b = cg::this_thread_block();
  auto t = cg::tiled_partition<16>(b);
  int v = in[b.thread_rank()];
  for (int i = t.size() / 2; i > 0; i /= 2) v += t.shfl_down(v, i);
  if (t.thread_rank() == 0) out[b.thread_rank() / 16] = v;
  b.sync();
}
__global__ void odd(const int* in, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] & 1) {
    cg::coalesced_group g = cg::coalesced_threads();
    if (g.thread_rank() == 0) atomicAdd(count, (int)g.size());
  }
}
__device__ int sum_group(cg::thread_group g, int* tmp, int v) {
  int l = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    tmp[l] = v;
    g.sync();
    if (l < i) v += tmp[l + i];
    g.sync();
  }
  return v;
}
__global__ void groups(const int* in, int* out) {
  extern __shared__ int tmp[];
  auto b = cg::this_thread_block();
  int s = sum_group(b, tmp, in[b.thread_rank()]);
  if (b.thread_rank() == 0) out[0] = s;
  auto t32 = cg::tiled_partition(b, 32);
  int s2 = sum_group(t32, tmp + b.thread_rank() / 32 * 32, in[b.thread_rank()]);
  if (t32.thread_rank() == 0) atomicAdd(&out[1], s2);
}
__global__ void part(const int* in, int* out) {
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<32>(b);
  int v = in[b.thread_rank()];
  auto g = cg::binary_partition(t, v % 3 == 0);
  out[b.thread_rank()] = g.size() * 100 + g.thread_rank();
  out[128 + b.thread_rank()] = cg::reduce(t, v, cg::plus<int>());
}
static bool run() {
  int n = 128;
  std::vector<int> v(n);
  for (int i = 0; i < n; i++) v[i] = (i * 37) % 50;
  int* d = upload(v);
  std::vector<int> z(1024, 0);
  int* o = upload(z);
  tiles<<<1, n>>>(d, o);
  auto r = download(o, 8);
  bool ok = true;
  for (int k = 0; k < 8; k++) {
    int s = 0;
    for (int i = 0; i < 16; i++) s += v[k * 16 + i];
    ok &= r[k] == s;
  }
  if (!ok) puts("tiles");
  int* c = upload(std::vector<int>(2, 0));
  odd<<<2, 64>>>(d, c);
  int k = 0;
  for (auto x : v) k += x & 1;
  ok &= download(c, 1)[0] == k;
  if (!ok) puts("odd");
  int* e = upload(std::vector<int>(2, 0));
  groups<<<1, n, n * 4>>>(d, e);
  int s = std::accumulate(v.begin(), v.end(), 0);
  auto q = download(e, 2);
  ok &= q[0] == s && q[1] == s;
  if (!ok) printf("groups %d %d %d\n", q[0], q[1], s);
  part<<<1, n>>>(d, o);
  r = download(o, 256);
  for (int i = 0; i < n; i++) {
    int b = i / 32 * 32, sz = 0, rk = 0, t = 0;
    for (int j = b; j < b + 32; j++) {
      bool same = (v[j] % 3 == 0) == (v[i] % 3 == 0);
      sz += same;
      rk += same && j < i;
      t += v[j];
    }
    ok &= r[i] == sz * 100 + rk && r[128 + i] == t;
  }
  FREE(d);
  FREE(o);
  FREE(c);
  FREE(e);
  return ok;
}
}  // namespace coop

namespace halfmath {
__global__ void haxpy(int n, __half a, const __half* x, __half* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd(__hmul(a, x[i]), y[i]);
}
__global__ void h2axpy(int n, __half2 a, const __half2* x, __half2* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(a, x[i], y[i]);
}
__global__ void bf(int n, const __hip_bfloat16* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    __hip_bfloat16 v = x[i] * x[i];
    y[i] = __bfloat162float(v) + float(hexp(x[i]));
  }
}
__global__ void mathh(int n, const half* x, half* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = hsqrt(__habs(x[i])) + hsin(x[i]) * hcos(x[i]) + hlog(__habs(x[i]) + half(1.0f)) +
           htanh(x[i]) + hexp10(x[i]) + h2exp(half2(x[i], x[i])).x;
}
static bool run() {
  int n = 1024;
  auto f = randoms(n, 1), g = randoms(n, 2);
  std::vector<__half> x(n), y(n);
  for (int i = 0; i < n; i++) {
    x[i] = __float2half(f[i]);
    y[i] = __float2half(g[i]);
  }
  __half *dx = upload(x), *dy = upload(y);
  haxpy<<<4, 256>>>(n, __float2half(2.f), dx, dy);
  auto r = download(dy, n);
  bool ok = true;
  for (int i = 0; i < n; i++)
    ok &= near(__half2float(r[i]), 2 * __half2float(x[i]) + __half2float(y[i]), 2e-3);
  if (!ok) puts("haxpy");
  HIP_CHECK(hipMemcpy(dy, y.data(), n * 2, hipMemcpyHostToDevice));
  h2axpy<<<2, 256>>>(n / 2, __float2half2_rn(3.f), (__half2*)dx, (__half2*)dy);
  r = download(dy, n);
  for (int i = 0; i < n; i++)
    ok &= near(__half2float(r[i]), 3 * __half2float(x[i]) + __half2float(y[i]), 2e-3);
  if (!ok) puts("h2");
  std::vector<__hip_bfloat16> b(n);
  for (int i = 0; i < n; i++) b[i] = __float2bfloat16(f[i]);
  auto* db = upload(b);
  float* o;
  HIP_CHECK(hipMalloc(&o, n * 4));
  bf<<<4, 256>>>(n, db, o);
  auto q = download(o, n);
  for (int i = 0; i < n; i++) {
    float v = __bfloat162float(b[i]);
    ok &= near(q[i], v * v + std::exp(v), 1e-2);
  }
  if (!ok) puts("bf");
  mathh<<<4, 256>>>(n, dx, dy);
  r = download(dy, n);
  for (int i = 0; i < n; i++) {
    double v = __half2float(x[i]);
    double e = std::sqrt(std::fabs(v)) + std::sin(v) * std::cos(v) + std::log(std::fabs(v) + 1) +
               std::tanh(v) + std::pow(10, v) + std::exp(v);
    ok &= near(__half2float(r[i]), e, 1e-2);
  }
  FREE(dx);
  FREE(dy);
  FREE(db);
  FREE(o);
  return ok;
}
}  // namespace halfmath

namespace complexm {
__global__ void mandel(int* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  hipFloatComplex c = make_hipFloatComplex(-2 + 3.f * x / w, -1 + 2.f * y / h), z = c;
  int i = 0;
  for (; i < 50 && hipCabsf(z) < 2; i++) z = hipCaddf(hipCmulf(z, z), c);
  o[y * w + x] = i;
}
__global__ void q(const float* x, __hip_fp8_e4m3_fnuz* o, float* b, int n) {
  int i = threadIdx.x;
  if (i < n) {
    o[i] = __hip_fp8_e4m3_fnuz(x[i]);
    b[i] = float(o[i]);
  }
}
static bool run() {
  int w = 60, h = 40;
  int* d;
  HIP_CHECK(hipMalloc(&d, w * h * 4));
  mandel<<<dim3(4, 3), dim3(16, 16)>>>(d, w, h);
  auto r = download(d, w * h);
  int bad = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      hipFloatComplex c = make_hipFloatComplex(-2 + 3.f * x / w, -1 + 2.f * y / h), z = c;
      int i = 0;
      for (; i < 50 && hipCabsf(z) < 2; i++) z = hipCaddf(hipCmulf(z, z), c);
      bad += i != r[y * w + x];
    }
  auto v = randoms(64, 1, -300, 300);
  float *dv = upload(v), *b;
  __hip_fp8_e4m3_fnuz* o;
  HIP_CHECK(hipMalloc(&o, 64));
  HIP_CHECK(hipMalloc(&b, 256));
  q<<<1, 64>>>(dv, o, b, 64);
  auto back = download(b, 64);
  bool ok = bad < w * h / 20;
  for (int i = 0; i < 64; i++) ok &= near(back[i], std::max(-240.f, std::min(240.f, v[i])), .07);
  FREE(d);
  FREE(dv);
  FREE(o);
  FREE(b);
  return ok;
}
}  // namespace complexm

int main() {
  bool all = true;
  all &= told("device_math", device_math::run());
  all &= told("intrins", intrins::run());
  all &= told("caslock", caslock::run());
  all &= told("warp", warp::run());
  all &= told("compact", compact::run());
  all &= told("coop", coop::run());
  all &= told("halfmath", halfmath::run());
  all &= told("complexm", complexm::run());
  return all ? 0 : 1;
}
