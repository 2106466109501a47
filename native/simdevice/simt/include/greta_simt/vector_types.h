// HIP's short vectors: float4, int2 and so on, with their sizes, alignments and operators.
#pragma GCC system_header
#ifndef GRETA_SIMT_VECTOR_TYPES_H
#define GRETA_SIMT_VECTOR_TYPES_H

#include "greta_simt/platform.h"

template <class T, unsigned N>
struct HIP_vector_type;

template <class T>
struct HIP_vector_type<T, 1> {
  using value_type = T;
  T x;
  HIP_vector_type() = default;
  constexpr HIP_vector_type(T a) : x(a) {}
};

template <class T>
struct alignas(2 * sizeof(T)) HIP_vector_type<T, 2> {
  using value_type = T;
  T x, y;
  HIP_vector_type() = default;
  explicit constexpr HIP_vector_type(T a) : x(a), y(a) {}
  template <class A, class B>
  constexpr HIP_vector_type(A a, B b) : x(static_cast<T>(a)), y(static_cast<T>(b)) {}
};

template <class T>
struct HIP_vector_type<T, 3> {
  using value_type = T;
  T x, y, z;
  HIP_vector_type() = default;
  explicit constexpr HIP_vector_type(T a) : x(a), y(a), z(a) {}
  template <class A, class B, class C>
  constexpr HIP_vector_type(A a, B b, C c)
      : x(static_cast<T>(a)), y(static_cast<T>(b)), z(static_cast<T>(c)) {}
};

template <class T>
struct alignas(4 * sizeof(T)) HIP_vector_type<T, 4> {
  using value_type = T;
  T x, y, z, w;
  HIP_vector_type() = default;
  explicit constexpr HIP_vector_type(T a) : x(a), y(a), z(a), w(a) {}
  template <class A, class B, class C, class D>
  constexpr HIP_vector_type(A a, B b, C c, D d)
      : x(static_cast<T>(a)), y(static_cast<T>(b)), z(static_cast<T>(c)), w(static_cast<T>(d)) {}
};

namespace greta_simt {

// Applies an operation component by component.
template <unsigned N>
struct each;
template <>
struct each<1> {
  template <class V, class F>
  static GRETA_SIMT_INLINE constexpr auto of(const V& a, const V& b, F f)
      -> HIP_vector_type<decltype(f(a.x, b.x)), 1> {
    return {f(a.x, b.x)};
  }
};
template <>
struct each<2> {
  template <class V, class F>
  static GRETA_SIMT_INLINE constexpr auto of(const V& a, const V& b, F f)
      -> HIP_vector_type<decltype(f(a.x, b.x)), 2> {
    return {f(a.x, b.x), f(a.y, b.y)};
  }
};
template <>
struct each<3> {
  template <class V, class F>
  static GRETA_SIMT_INLINE constexpr auto of(const V& a, const V& b, F f)
      -> HIP_vector_type<decltype(f(a.x, b.x)), 3> {
    return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)};
  }
};
template <>
struct each<4> {
  template <class V, class F>
  static GRETA_SIMT_INLINE constexpr auto of(const V& a, const V& b, F f)
      -> HIP_vector_type<decltype(f(a.x, b.x)), 4> {
    return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)};
  }
};

template <bool Condition, class T>
struct only_if {};
template <class T>
struct only_if<true, T> {
  using type = T;
};
template <class U>
struct is_scalar {
  static constexpr bool value = !__is_class(U) && !__is_union(U);
};
template <class U>
struct is_integer {
  static constexpr bool value = false;
};
#define GRETA_SIMT_IS_INTEGER(T)        \
  template <>                           \
  struct is_integer<T> {                \
    static constexpr bool value = true; \
  };
GRETA_SIMT_IS_INTEGER(bool)
GRETA_SIMT_IS_INTEGER(char)
GRETA_SIMT_IS_INTEGER(signed char)
GRETA_SIMT_IS_INTEGER(unsigned char)
GRETA_SIMT_IS_INTEGER(short)
GRETA_SIMT_IS_INTEGER(unsigned short)
GRETA_SIMT_IS_INTEGER(int)
GRETA_SIMT_IS_INTEGER(unsigned)
GRETA_SIMT_IS_INTEGER(long)
GRETA_SIMT_IS_INTEGER(unsigned long)
GRETA_SIMT_IS_INTEGER(long long)
GRETA_SIMT_IS_INTEGER(unsigned long long)
#undef GRETA_SIMT_IS_INTEGER
template <class U, class T>
using if_integer = typename only_if<is_integer<U>::value, T>::type;
template <class U, class T>
using if_scalar = typename only_if<is_scalar<U>::value, T>::type;

}  // namespace greta_simt

#define GRETA_SIMT_VECTOR_OPERATOR(NAME, OP)                                                      \
  namespace greta_simt {                                                                          \
  struct NAME {                                                                                   \
    template <class T>                                                                            \
    GRETA_SIMT_INLINE constexpr T operator()(const T& a, const T& b) const {                      \
      return static_cast<T>(a OP b);                                                              \
    }                                                                                             \
  };                                                                                              \
  }                                                                                               \
  template <class T, unsigned N>                                                                  \
  GRETA_SIMT_INLINE constexpr HIP_vector_type<T, N> operator OP(const HIP_vector_type<T, N>& a,   \
                                                                const HIP_vector_type<T, N>& b) { \
    return greta_simt::each<N>::of(a, b, greta_simt::NAME());                                     \
  }                                                                                               \
  template <class T, unsigned N, class U>                                                         \
  GRETA_SIMT_INLINE constexpr greta_simt::if_scalar<U, HIP_vector_type<T, N>> operator OP(        \
      const HIP_vector_type<T, N>& a, U b) {                                                      \
    return a OP HIP_vector_type<T, N>(static_cast<T>(b));                                         \
  }                                                                                               \
  template <class T, unsigned N, class U>                                                         \
  GRETA_SIMT_INLINE constexpr greta_simt::if_scalar<U, HIP_vector_type<T, N>> operator OP(        \
      U a, const HIP_vector_type<T, N>& b) {                                                      \
    return HIP_vector_type<T, N>(static_cast<T>(a)) OP b;                                         \
  }                                                                                               \
  template <class T, unsigned N, class U>                                                         \
  GRETA_SIMT_INLINE constexpr HIP_vector_type<T, N>& operator OP##=(HIP_vector_type<T, N>& a,     \
                                                                    const U & b) {                \
    return a = a OP b;                                                                            \
  }
GRETA_SIMT_VECTOR_OPERATOR(plus, +)
GRETA_SIMT_VECTOR_OPERATOR(minus, -)
GRETA_SIMT_VECTOR_OPERATOR(times, *)
GRETA_SIMT_VECTOR_OPERATOR(over, /)
GRETA_SIMT_VECTOR_OPERATOR(modulo, %)
GRETA_SIMT_VECTOR_OPERATOR(bit_and, &)
GRETA_SIMT_VECTOR_OPERATOR(bit_or, |)
GRETA_SIMT_VECTOR_OPERATOR(bit_xor, ^)
GRETA_SIMT_VECTOR_OPERATOR(shift_left, <<)
GRETA_SIMT_VECTOR_OPERATOR(shift_right, >>)
#undef GRETA_SIMT_VECTOR_OPERATOR

namespace greta_simt {
struct negation {
  template <class T>
  GRETA_SIMT_INLINE constexpr T operator()(const T& a, const T&) const {
    return static_cast<T>(-a);
  }
};
}  // namespace greta_simt
template <class T, unsigned N>
GRETA_SIMT_INLINE constexpr HIP_vector_type<T, N> operator-(const HIP_vector_type<T, N>& a) {
  return greta_simt::each<N>::of(a, a, greta_simt::negation());
}
template <class T, unsigned N>
GRETA_SIMT_INLINE constexpr HIP_vector_type<T, N> operator+(const HIP_vector_type<T, N>& a) {
  return a;
}
template <class T, unsigned N>
GRETA_SIMT_INLINE constexpr HIP_vector_type<T, N> operator~(const HIP_vector_type<T, N>& a) {
  return a ^ HIP_vector_type<T, N>(static_cast<T>(-1));
}
template <class T, unsigned N>
GRETA_SIMT_INLINE HIP_vector_type<T, N>& operator++(HIP_vector_type<T, N>& a) {
  return a = a + HIP_vector_type<T, N>(static_cast<T>(1));
}
template <class T, unsigned N>
GRETA_SIMT_INLINE HIP_vector_type<T, N> operator++(HIP_vector_type<T, N>& a, int) {
  HIP_vector_type<T, N> before = a;
  ++a;
  return before;
}
template <class T, unsigned N>
GRETA_SIMT_INLINE HIP_vector_type<T, N>& operator--(HIP_vector_type<T, N>& a) {
  return a = a - HIP_vector_type<T, N>(static_cast<T>(1));
}
template <class T, unsigned N>
GRETA_SIMT_INLINE HIP_vector_type<T, N> operator--(HIP_vector_type<T, N>& a, int) {
  HIP_vector_type<T, N> before = a;
  --a;
  return before;
}

template <class T>
GRETA_SIMT_INLINE constexpr bool operator==(const HIP_vector_type<T, 1>& a,
                                            const HIP_vector_type<T, 1>& b) {
  return a.x == b.x;
}
template <class T>
GRETA_SIMT_INLINE constexpr bool operator==(const HIP_vector_type<T, 2>& a,
                                            const HIP_vector_type<T, 2>& b) {
  return a.x == b.x && a.y == b.y;
}
template <class T>
GRETA_SIMT_INLINE constexpr bool operator==(const HIP_vector_type<T, 3>& a,
                                            const HIP_vector_type<T, 3>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class T>
GRETA_SIMT_INLINE constexpr bool operator==(const HIP_vector_type<T, 4>& a,
                                            const HIP_vector_type<T, 4>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
template <class T, unsigned N>
GRETA_SIMT_INLINE constexpr bool operator!=(const HIP_vector_type<T, N>& a,
                                            const HIP_vector_type<T, N>& b) {
  return !(a == b);
}

#define GRETA_SIMT_VECTOR_TYPES(T, NAME)                                                         \
  using NAME##1 = HIP_vector_type<T, 1>;                                                         \
  using NAME##2 = HIP_vector_type<T, 2>;                                                         \
  using NAME##3 = HIP_vector_type<T, 3>;                                                         \
  using NAME##4 = HIP_vector_type<T, 4>;                                                         \
  GRETA_SIMT_INLINE constexpr NAME##1 make_##NAME##1(T x) { return NAME##1(x); }                 \
  GRETA_SIMT_INLINE constexpr NAME##2 make_##NAME##2(T x, T y) { return NAME##2(x, y); }         \
  GRETA_SIMT_INLINE constexpr NAME##3 make_##NAME##3(T x, T y, T z) { return NAME##3(x, y, z); } \
  GRETA_SIMT_INLINE constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) {                       \
    return NAME##4(x, y, z, w);                                                                  \
  }
GRETA_SIMT_VECTOR_TYPES(char, char)
GRETA_SIMT_VECTOR_TYPES(unsigned char, uchar)
GRETA_SIMT_VECTOR_TYPES(short, short)
GRETA_SIMT_VECTOR_TYPES(unsigned short, ushort)
GRETA_SIMT_VECTOR_TYPES(int, int)
GRETA_SIMT_VECTOR_TYPES(unsigned int, uint)
GRETA_SIMT_VECTOR_TYPES(long, long)
GRETA_SIMT_VECTOR_TYPES(unsigned long, ulong)
GRETA_SIMT_VECTOR_TYPES(long long, longlong)
GRETA_SIMT_VECTOR_TYPES(unsigned long long, ulonglong)
GRETA_SIMT_VECTOR_TYPES(float, float)
GRETA_SIMT_VECTOR_TYPES(double, double)
#undef GRETA_SIMT_VECTOR_TYPES

#endif
