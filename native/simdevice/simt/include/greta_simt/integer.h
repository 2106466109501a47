// HIP's integer intrinsics.
#pragma GCC system_header
#ifndef GRETA_SIMT_INTEGER_H
#define GRETA_SIMT_INTEGER_H

#include "greta_simt/platform.h"

GRETA_SIMT_INLINE unsigned __popc(unsigned x) { return __builtin_popcount(x); }
GRETA_SIMT_INLINE unsigned __popcll(unsigned long long x) { return __builtin_popcountll(x); }
GRETA_SIMT_INLINE int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
GRETA_SIMT_INLINE int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
GRETA_SIMT_INLINE unsigned __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }
GRETA_SIMT_INLINE unsigned __ffs(int x) { return __builtin_ffs(x); }
GRETA_SIMT_INLINE unsigned __ffsll(unsigned long long x) {
  return __builtin_ffsll(static_cast<long long>(x));
}
GRETA_SIMT_INLINE unsigned __ffsll(unsigned long x) {
  return __builtin_ffsll(static_cast<long long>(x));
}
GRETA_SIMT_INLINE unsigned __ffsll(long long x) { return __builtin_ffsll(x); }
GRETA_SIMT_INLINE unsigned __ffsll(long x) { return __builtin_ffsll(x); }

GRETA_SIMT_INLINE unsigned __brev(unsigned x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  return __builtin_bswap32(x);
}
GRETA_SIMT_INLINE unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}

GRETA_SIMT_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned from = selector >> (4 * i) & 7;
    result |= static_cast<unsigned>(bytes >> (8 * from) & 0xff) << (8 * i);
  }
  return result;
}

GRETA_SIMT_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both << (shift & 31) >> 32);
}
GRETA_SIMT_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift & 31));
}
GRETA_SIMT_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both << (shift < 32 ? shift : 32) >> 32);
}
GRETA_SIMT_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift < 32 ? shift : 32));
}

GRETA_SIMT_INLINE int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a << 8 >> 8) * static_cast<unsigned>(b << 8 >> 8));
}
GRETA_SIMT_INLINE unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
GRETA_SIMT_INLINE int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
GRETA_SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
GRETA_SIMT_INLINE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
GRETA_SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
GRETA_SIMT_INLINE int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
GRETA_SIMT_INLINE unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
GRETA_SIMT_INLINE int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
GRETA_SIMT_INLINE unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
GRETA_SIMT_INLINE unsigned __sad(int a, int b, unsigned c) {
  long long difference = static_cast<long long>(a) - b;
  return static_cast<unsigned>(difference < 0 ? -difference : difference) + c;
}
GRETA_SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (a < b ? b - a : a - b) + c;
}
GRETA_SIMT_INLINE unsigned __bitextract_u32(unsigned x, unsigned offset, unsigned width) {
  offset &= 31;
  width &= 31;
  return width == 0 ? 0 : x << (32 - offset - width) >> (32 - width);
}

GRETA_SIMT_INLINE unsigned long long __bitextract_u64(unsigned long long x, unsigned offset,
                                                      unsigned width) {
  offset &= 63;
  width &= 63;
  return width == 0 ? 0 : x << (64 - offset - width) >> (64 - width);
}
GRETA_SIMT_INLINE unsigned __bitinsert_u32(unsigned x, unsigned y, unsigned offset,
                                           unsigned width) {
  unsigned mask = ((1u << (width & 31)) - 1) << (offset & 31);
  return (x & ~mask) | (y << (offset & 31) & mask);
}
GRETA_SIMT_INLINE unsigned long long __bitinsert_u64(unsigned long long x, unsigned long long y,
                                                     unsigned offset, unsigned width) {
  unsigned long long mask = ((1ull << (width & 63)) - 1) << (offset & 63);
  return (x & ~mask) | (y << (offset & 63) & mask);
}

// The dot products that quantized kernels use.
GRETA_SIMT_INLINE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i)
    c += static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i));
  return c;
}
GRETA_SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i) c += (a >> (8 * i) & 0xff) * (b >> (8 * i) & 0xff);
  return c;
}

#endif
