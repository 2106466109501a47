// Kernels that compilers turn into what real ones consist of. Read by gpu.h two ways.
#include "gpu.h"

// -- integers and control -------------------------------------------------------------------------

KERNEL(collatz) {
  const u32 i = global_id();
  if (i >= n) return;
  u32 steps = 0;
  for (u64 x = in[i] % 100000 + 1; x != 1 && steps < 2000; ++steps) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
  }
  out[i] = steps;
}

KERNEL(divisions) {
  const u32 i = global_id();
  if (i >= n) return;
  const u32 a = in[i], b = in[(i + 1) % n] >> (i % 31) | 1;
  const i32 c = (i32)a >> (i % 7), d = (i32)b | 1;
  const u64 e = (u64)a << 32 | b, f = (u64)b << (i % 29) | 1;
  const i64 g = (i64)e, h = (i64)(f ^ (0ul - (i & 1))) | 1;
  u32 sum = a / b ^ a % b;
  sum = sum * 31 + (u32)(d == -1 ? 0 : c / d) + (u32)(d == -1 ? 0 : c % d);
  sum = sum * 31 + (u32)(e / f) + (u32)(e % f) + (u32)(e / f >> 32);
  sum = sum * 31 + (h == -1 ? 0 : (u32)(g / h) + (u32)(g % h) + (u32)((u64)(g / h) >> 32));
  out[i] = sum;
}

// Uniform ones are done on scalar registers.
KERNEL(scalar_divisions) {
  const u32 i = global_id();
  const u64 a = (u64)in[0] << 32 | in[1], b = (u64)in[2] | 1;
  const i64 c = (i64)((u64)in[3] << 32 | in[4]), d = (i64)in[5] - 0x7fffffff;
  const u32 e = in[6], f = in[7] >> 13 | 1;
  u64 sum = a / b + a % b + e / f + e % f;
  if (d != 0 && d != -1) sum += (u64)(c / d) ^ (u64)(c % d);
  sum += __builtin_popcountl(a) + __builtin_clzl(a | 1) + __builtin_ctzl(b) +
         __builtin_popcount(e) + __builtin_clz(f) + __builtin_ctz(f);
  if (i < n) out[i] = (u32)(sum >> (i & 31));
}

KERNEL(bits_and_bytes) {
  const u32 i = global_id();
  if (i >= n) return;
  const u8* bytes = (const u8*)in;
  const u16* shorts = (const u16*)in;
  const signed char* chars = (const signed char*)in;
  const short* words = (const short*)in;
  const u32 a = in[i];
  u32 sum = bytes[4 * i] + 3 * bytes[4 * i + 3] + 5 * shorts[2 * i + 1];
  sum += (u32)(chars[4 * i + 1] * 7 + words[2 * i] * 11);
  sum ^= reversed(a) + __builtin_bswap32(a) + __builtin_popcount(a);
  sum += a == 0 ? 32 : (u32)__builtin_clz(a) * 64 + (u32)__builtin_ctz(a);
  sum = sum << (a & 31) | sum >> (-a & 31);
  ((u8*)out)[4 * i] = (u8)sum;
  ((u8*)out)[4 * i + 1] = (u8)(sum >> 8);
  ((u16*)out)[2 * i + 1] = (u16)(sum >> 16);
}

KERNEL(switches) {
  const u32 i = global_id();
  if (i >= n) return;
  u32 x = in[i];
  for (u32 k = 0; k < 20; ++k) {
    switch (x % 7) {
      case 0: x = x * 3 + 1; continue;
      case 1: x ^= x << 13; break;
      case 2: x -= 77; break;
      case 3: if (x & 64) goto end; x >>= 1; break;
      case 4: x = ~x; break;
      default: x += k;
    }
    x = x * 1664525 + 1013904223;
  }
end:
  out[i] = x;
}

// -- private memory, calls ------------------------------------------------------------------------

KERNEL(private_arrays) {
  const u32 i = global_id();
  if (i >= n) return;
  u32 heap[33];
  for (u32 k = 0; k < 33; ++k) heap[k] = in[(i + k * 17) % n];
  for (u32 k = 0; k < 200; ++k) {
    const u32 a = heap[k % 33] % 33, b = heap[(k * 7 + i) % 33] % 33;
    const u32 t = heap[a];
    heap[a] = heap[b] + k;
    heap[b] = t ^ heap[(a + b) % 33];
  }
  u32 sum = 0;
  for (u32 k = 0; k < 33; ++k) sum = sum * 31 + heap[k];
  out[i] = sum;
}

static DEVICE __attribute__((noinline)) u32 fibonacci(u32 k) {
  return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2);
}
static DEVICE __attribute__((noinline)) u32 ackermann(u32 a, u32 b) {
  return a == 0 ? b + 1 : ackermann(a - 1, b == 0 ? 1 : ackermann(a, b - 1));
}
KERNEL(recursion) {
  const u32 i = global_id();
  if (i < n) out[i] = fibonacci(in[i] % 11) * 1000 + ackermann(in[i] % 3, in[i] % 5);
}

static DEVICE __attribute__((noinline)) u32 twice(u32 x) { return 2 * x; }
static DEVICE __attribute__((noinline)) u32 square(u32 x) { return x * x; }
static DEVICE __attribute__((noinline)) u32 mixed(u32 x) { return (x ^ x >> 7) * 0x9e3779b9; }
KERNEL(function_pointers) {
  typedef u32 (*Function)(u32);
  const Function functions[3] = {twice, square, mixed};
  const u32 i = global_id();
  if (i >= n) return;
  u32 x = in[i];
  for (u32 k = 0; k < 9; ++k) x = functions[x % 3](x) + k;
  out[i] = x;
}

struct Shape {
  u32 kind;
  u32 size;
  u64 weight;
  u32 sides[5];
};
static DEVICE __attribute__((noinline)) Shape grown(Shape s, u32 by) {
  s.size += by;
  s.weight = s.weight * 6364136223846793005ul + by;
  for (u32 k = 0; k < 5; ++k) s.sides[k] += s.size << k;
  return s;
}
KERNEL(structs) {
  const u32 i = global_id();
  if (i >= n) return;
  Shape s = {i, in[i], in[i] * 3ul, {1, 2, 3, 4, 5}};
  for (u32 k = 0; k < 5; ++k) s = grown(s, k + s.sides[s.weight % 5]);
  out[i] = s.kind + s.size + (u32)s.weight + s.sides[s.size % 5];
}

// -- floats ---------------------------------------------------------------------------------------

KERNEL(floats) {
  const u32 i = global_id();
  if (i >= n) return;
  const float a = as<float>(in[i]), b = as<float>(in[(i + 1) % n]), c = as<float>(in[(i + 2) % n]);
  u32 sum = bits(a + b) + 3 * bits(a - b) + 5 * bits(a * b) + 7 * bits(a / b);
  sum = sum * 31 + bits(__builtin_fmaf(a, b, c)) + bits(__builtin_sqrtf(a));
  sum = sum * 31 + bits(__builtin_floorf(a)) + bits(__builtin_ceilf(b)) + bits(__builtin_truncf(c));
  sum = sum * 31 + bits(__builtin_rintf(a)) + bits(__builtin_fabsf(b)) +
        bits(__builtin_copysignf(a, b));
  sum = sum * 31 + (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b);
  const float small = as<float>((in[i] & 0x807fffff) | 0x41000000 | (i % 12) << 24);
  sum = sum * 31 + (u32)(i32)small + (u32)__builtin_fabsf(small) + bits((float)in[i]) +
        bits((float)(i32)in[i]) + bits((float)((u64)in[i] << 31 | i));
  out[i] = sum;
}

KERNEL(doubles) {
  const u32 i = global_id();
  if (i >= n) return;
  const double a = as<double>((u64)in[i] << 32 | in[(i + 3) % n]);
  const double b = as<double>((u64)in[(i + 1) % n] << 32 | in[(i + 2) % n]);
  const double c = (double)(i32)in[i] * 0.37 + (double)in[(i + 5) % n];
  u64 sum = bits(a + b) + 3 * bits(a - b) + 5 * bits(a * b) + 7 * bits(a / b) + 9 * bits(c / b);
  sum = sum * 31 + bits(__builtin_fma(a, b, c)) + bits(__builtin_sqrt(c));
  sum = sum * 31 + bits(__builtin_floor(a)) + bits(__builtin_rint(c)) + bits((double)(float)c);
  sum = sum * 31 + (u64)(i64)c + (a < b) + 2 * (a <= b) + 4 * (a == b) + (u64)bits((float)a);
  sum += bits((double)((u64)in[i] << 32 | i)) + bits((double)(i64)((u64)in[i] << 32 | i));
  out[i] = (u32)(sum ^ sum >> 32);
}

KERNEL(halves) {
  const u32 i = global_id();
  if (i >= n) return;
  const _Float16 a = as<_Float16>((u16)in[i]), b = as<_Float16>((u16)(in[i] >> 16));
  const _Float16 c = (_Float16)((float)(in[(i + 1) % n] % 2000) * 0.125f);
  _Float16 sums[8];
  for (u32 k = 0; k < 8; ++k) {
    const u16 x = (u16)(in[(i + k) % n] & 0xbfff);
    sums[k] = as<_Float16>(x) * c + a;
  }
  u32 sum = bits((_Float16)(a + b)) + 3 * bits((_Float16)(a - c)) + 5 * bits((_Float16)(a * c));
  sum = sum * 31 + bits((_Float16)(b / c)) + bits((float)a) + bits((_Float16)(float)c);
  sum = sum * 31 + (a < b) + 2 * (a == c) + 4 * (a >= c) + bits((double)b);
  for (u32 k = 0; k < 8; ++k) sum = sum * 31 + bits(sums[k]);
  out[i] = sum + (u32)(i32)c;
}

// -- shared memory, waves, atomics ----------------------------------------------------------------

// 16 x 16 tiles; n is the width of the matrices, in holds both of them.
KERNEL(tiled_product) {
  SHARED float a[16][17], b[16][17];
  const u32 x = thread_x(), y = thread_y(), column = block_x() * 16 + x, row = block_y() * 16 + y;
  const float* left = (const float*)in;
  const float* right = left + n * n;
  float sum = 0;
  for (u32 k = 0; k < n; k += 16) {
    a[y][x] = left[row * n + k + x];
    b[y][x] = right[(k + y) * n + column];
    barrier();
    for (u32 j = 0; j < 16; ++j) sum += a[y][j] * b[j][x];
    barrier();
  }
  out[row * n + column] = as<u32>(sum);
}

KERNEL(block_sum) {
  SHARED u32 partial[256];
  const u32 t = thread_x();
  u32 sum = 0;
  for (u32 i = global_id(); i < n; i += grid_size_x() * block_size_x()) sum += in[i];
  partial[t] = sum;
  barrier();
  for (u32 half = block_size_x() / 2; half != 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    barrier();
  }
  if (t == 0) out[block_x()] = partial[0];
}

KERNEL(wave_sum) {
  const u32 i = global_id(), lane = thread_x() % 64;
  u32 sum = i < n ? in[i] : 0;
  for (u32 mask = 32; mask != 0; mask /= 2) sum += shuffle(sum, lane ^ mask);
  const u64 odd = ballot((sum + i) % 3 == 1);
  if (i < n) out[i] = sum ^ (u32)odd ^ (u32)(odd >> 32) ^ shuffle(i, 5);
  else shuffle(i, 5);
}

KERNEL(histogram) {
  SHARED u32 counts[64];
  const u32 t = thread_x(), i = global_id();
  if (t < 64) counts[t] = 0;
  barrier();
  if (i < n) {
    atomic_add(&counts[in[i] % 64], 1u);
    atomic_xor(&counts[(in[i] >> 6) % 64], in[i] & 0xf0000000u);
  }
  barrier();
  if (t < 64) atomic_add(&out[t], counts[t]);
}

KERNEL(atomics) {
  const u32 i = global_id();
  if (i >= n) return;
  const u32 x = in[i], slot = x % 8;
  atomic_add(&out[slot], x);
  atomic_min(&out[8 + slot], x);
  atomic_max(&out[16 + slot], x);
  atomic_min((i32*)&out[24 + slot], (i32)x);
  atomic_max((i32*)&out[32 + slot], (i32)x);
  atomic_and(&out[40 + slot], x | 0xff00ff00u << slot);
  atomic_or(&out[48 + slot], x & 0x01010101u << slot);
  atomic_add((u64*)&out[56 + 2 * slot], (u64)x << 20);
  atomic_add((float*)&out[72 + slot], (float)(x % 1024));
  atomic_add((double*)&out[80 + 2 * slot], (double)(x % 1024));
  for (;;) {
    const u32 seen = __atomic_load_n(&out[96 + slot], __ATOMIC_RELAXED);
    if (atomic_replace(&out[96 + slot], seen, seen * 1664525u + 12345u)) break;
  }
}

// Ids in three dimensions.
KERNEL(ids) {
  const u32 block = (block_z() * 3 + block_y()) * 2 + block_x();
  const u32 thread = (thread_z() * block_size_y() + thread_y()) * block_size_x() + thread_x();
  const u32 size = block_size_x() * block_size_y() * block_size_z();
  const u32 i = block * size + thread;
  if (i < n) out[i] = thread_x() | thread_y() << 4 | thread_z() << 8 | block_x() << 12 | block_y() << 16 | block_z() << 20;
}

CONSTANT const u32 table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
DEVICE u32 counters[4] = {100, 200, 300, 400};
KERNEL(variables) {
  const u32 i = global_id();
  if (i >= n) return;
  atomic_add(&counters[i % 4], table[i % 8]);
  out[i] = table[in[i] % 8] * 10;
}
