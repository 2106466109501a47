// Device variables of compiled programs, by their host address.
#include "api/generated/impl.h"
#include "api/registered_variables.h"

namespace greta::api {
namespace {

struct Place {
  hipError_t error;
  char* address;
};

Place place_in(const void* symbol, size_t bytes, size_t offset) {
  const VariableLookup found = find_registered_variable(symbol);
  if (found.error != hipSuccess) return {found.error, nullptr};
  if (offset > found.bytes || bytes > found.bytes - offset) return {hipErrorInvalidValue, nullptr};
  return {hipSuccess, static_cast<char*>(found.address) + offset};
}

bool is_towards_device(hipMemcpyKind kind) {
  return kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToDevice ||
         kind == hipMemcpyDefault;
}

bool is_from_device(hipMemcpyKind kind) {
  return kind == hipMemcpyDeviceToHost || kind == hipMemcpyDeviceToDevice ||
         kind == hipMemcpyDefault;
}

template <typename Copy>
hipError_t copy_to(const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind, Copy copy) {
  if (!is_towards_device(kind)) return hipErrorInvalidMemcpyDirection;
  const Place place = place_in(symbol, bytes, offset);
  return place.error ? place.error : copy(place.address);
}

template <typename Copy>
hipError_t copy_from(const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind,
                     Copy copy) {
  if (!is_from_device(kind)) return hipErrorInvalidMemcpyDirection;
  const Place place = place_in(symbol, bytes, offset);
  return place.error ? place.error : copy(place.address);
}

}  // namespace

hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
  if (!address) return hipErrorInvalidValue;
  const VariableLookup found = find_registered_variable(symbol);
  if (found.error == hipSuccess) *address = found.address;
  return found.error;
}

hipError_t hipGetSymbolSize(size_t* bytes, const void* symbol) {
  if (!bytes) return hipErrorInvalidValue;
  const VariableLookup found = find_registered_variable(symbol);
  if (found.error == hipSuccess) *bytes = found.bytes;
  return found.error;
}

hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t bytes, size_t offset,
                             hipMemcpyKind kind) {
  return copy_to(symbol, bytes, offset, kind,
                 [&](void* dst) { return api::hipMemcpy(dst, src, bytes, kind); });
}

hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* src, size_t bytes, size_t offset,
                                 hipMemcpyKind kind) {
  return copy_to(symbol, bytes, offset, kind,
                 [&](void* dst) { return api::hipMemcpy_spt(dst, src, bytes, kind); });
}

hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t bytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream) {
  return copy_to(symbol, bytes, offset, kind,
                 [&](void* dst) { return api::hipMemcpyAsync(dst, src, bytes, kind, stream); });
}

hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t bytes, size_t offset,
                               hipMemcpyKind kind) {
  return copy_from(symbol, bytes, offset, kind,
                   [&](const void* src) { return api::hipMemcpy(dst, src, bytes, kind); });
}

hipError_t hipMemcpyFromSymbol_spt(void* dst, const void* symbol, size_t bytes, size_t offset,
                                   hipMemcpyKind kind) {
  return copy_from(symbol, bytes, offset, kind,
                   [&](const void* src) { return api::hipMemcpy_spt(dst, src, bytes, kind); });
}

hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t bytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream) {
  return copy_from(symbol, bytes, offset, kind, [&](const void* src) {
    return api::hipMemcpyAsync(dst, src, bytes, kind, stream);
  });
}

}  // namespace greta::api
