// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipDeviceGetTexture1DLinearMaxWidth(void* max_width, void* desc, int device) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetTexture1DLinearMaxWidth, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetTexture1DLinearMaxWidth, GRETA_CALLER, 0);
  if (!call) return real(max_width, desc, device);
  call.word(0) = 0;
  call.word(1) = widened(desc);
  call.word(2) = widened(device);
  call.begin();
  const auto result = real(max_width, desc, device);
  if (result == 0) call.word(0) = filled<size_t>(max_width);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleGetTexRef(void* texRef, void* hmod, void* name) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleGetTexRef, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleGetTexRef, GRETA_CALLER, 0);
  if (!call) return real(texRef, hmod, name);
  call.word(0) = widened(texRef);
  call.word(1) = widened(hmod);
  call.word(2) = text_id(name);
  call.begin();
  const auto result = real(texRef, hmod, name);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCreateTextureObject(void* pTexObject, void* pResDesc, void* pTexDesc, void* pResViewDesc) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCreateTextureObject, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCreateTextureObject, GRETA_CALLER, 0);
  if (!call) return real(pTexObject, pResDesc, pTexDesc, pResViewDesc);
  call.word(0) = 0;
  call.word(1) = widened(pResDesc);
  call.word(2) = widened(pTexDesc);
  call.word(3) = widened(pResViewDesc);
  call.begin();
  const auto result = real(pTexObject, pResDesc, pTexDesc, pResViewDesc);
  if (result == 0) call.word(0) = filled<void*>(pTexObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDestroyTextureObject(void* textureObject) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDestroyTextureObject, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDestroyTextureObject, GRETA_CALLER, 0);
  if (!call) return real(textureObject);
  call.word(0) = widened(textureObject);
  call.begin();
  const auto result = real(textureObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetChannelDesc(void* desc, void* array) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetChannelDesc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetChannelDesc, GRETA_CALLER, 0);
  if (!call) return real(desc, array);
  call.word(0) = widened(desc);
  call.word(1) = widened(array);
  call.begin();
  const auto result = real(desc, array);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetTextureObjectResourceDesc(void* pResDesc, void* textureObject) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetTextureObjectResourceDesc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetTextureObjectResourceDesc, GRETA_CALLER, 0);
  if (!call) return real(pResDesc, textureObject);
  call.word(0) = widened(pResDesc);
  call.word(1) = widened(textureObject);
  call.begin();
  const auto result = real(pResDesc, textureObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetTextureObjectResourceViewDesc(void* pResViewDesc, void* textureObject) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetTextureObjectResourceViewDesc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetTextureObjectResourceViewDesc, GRETA_CALLER, 0);
  if (!call) return real(pResViewDesc, textureObject);
  call.word(0) = widened(pResViewDesc);
  call.word(1) = widened(textureObject);
  call.begin();
  const auto result = real(pResViewDesc, textureObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetTextureObjectTextureDesc(void* pTexDesc, void* textureObject) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetTextureObjectTextureDesc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetTextureObjectTextureDesc, GRETA_CALLER, 0);
  if (!call) return real(pTexDesc, textureObject);
  call.word(0) = widened(pTexDesc);
  call.word(1) = widened(textureObject);
  call.begin();
  const auto result = real(pTexDesc, textureObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexObjectCreate(void* pTexObject, void* pResDesc, void* pTexDesc, void* pResViewDesc) {
  using Function = int (*)(void*, void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexObjectCreate, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexObjectCreate, GRETA_CALLER, 0);
  if (!call) return real(pTexObject, pResDesc, pTexDesc, pResViewDesc);
  call.word(0) = 0;
  call.word(1) = widened(pResDesc);
  call.word(2) = widened(pTexDesc);
  call.word(3) = widened(pResViewDesc);
  call.begin();
  const auto result = real(pTexObject, pResDesc, pTexDesc, pResViewDesc);
  if (result == 0) call.word(0) = filled<void*>(pTexObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexObjectDestroy(void* texObject) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexObjectDestroy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexObjectDestroy, GRETA_CALLER, 0);
  if (!call) return real(texObject);
  call.word(0) = widened(texObject);
  call.begin();
  const auto result = real(texObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexObjectGetResourceDesc(void* pResDesc, void* texObject) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexObjectGetResourceDesc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexObjectGetResourceDesc, GRETA_CALLER, 0);
  if (!call) return real(pResDesc, texObject);
  call.word(0) = widened(pResDesc);
  call.word(1) = widened(texObject);
  call.begin();
  const auto result = real(pResDesc, texObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexObjectGetResourceViewDesc(void* pResViewDesc, void* texObject) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexObjectGetResourceViewDesc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexObjectGetResourceViewDesc, GRETA_CALLER, 0);
  if (!call) return real(pResViewDesc, texObject);
  call.word(0) = widened(pResViewDesc);
  call.word(1) = widened(texObject);
  call.begin();
  const auto result = real(pResViewDesc, texObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexObjectGetTextureDesc(void* pTexDesc, void* texObject) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexObjectGetTextureDesc, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexObjectGetTextureDesc, GRETA_CALLER, 0);
  if (!call) return real(pTexDesc, texObject);
  call.word(0) = widened(pTexDesc);
  call.word(1) = widened(texObject);
  call.begin();
  const auto result = real(pTexDesc, texObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipBindTextureToMipmappedArray(void* tex, void* mipmappedArray, void* desc) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipBindTextureToMipmappedArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipBindTextureToMipmappedArray, GRETA_CALLER, 0);
  if (!call) return real(tex, mipmappedArray, desc);
  call.word(0) = widened(tex);
  call.word(1) = widened(mipmappedArray);
  call.word(2) = widened(desc);
  call.begin();
  const auto result = real(tex, mipmappedArray, desc);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetTextureReference(void* texref, void* symbol) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetTextureReference, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetTextureReference, GRETA_CALLER, 0);
  if (!call) return real(texref, symbol);
  call.word(0) = widened(texref);
  call.word(1) = widened(symbol);
  call.begin();
  const auto result = real(texref, symbol);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetBorderColor(void* pBorderColor, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetBorderColor, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetBorderColor, GRETA_CALLER, 0);
  if (!call) return real(pBorderColor, texRef);
  call.word(0) = 0;
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(pBorderColor, texRef);
  if (result == 0) call.word(0) = filled<float>(pBorderColor);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetArray(void* pArray, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetArray, GRETA_CALLER, 0);
  if (!call) return real(pArray, texRef);
  call.word(0) = 0;
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(pArray, texRef);
  if (result == 0) call.word(0) = filled<void*>(pArray);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetAddressMode(void* texRef, int dim, int am) {
  using Function = int (*)(void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetAddressMode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetAddressMode, GRETA_CALLER, 0);
  if (!call) return real(texRef, dim, am);
  call.word(0) = widened(texRef);
  call.word(1) = widened(dim);
  call.word(2) = widened(am);
  call.begin();
  const auto result = real(texRef, dim, am);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetArray(void* tex, void* array, unsigned int flags) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetArray, GRETA_CALLER, 0);
  if (!call) return real(tex, array, flags);
  call.word(0) = widened(tex);
  call.word(1) = widened(array);
  call.word(2) = widened(flags);
  call.begin();
  const auto result = real(tex, array, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetFilterMode(void* texRef, int fm) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetFilterMode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetFilterMode, GRETA_CALLER, 0);
  if (!call) return real(texRef, fm);
  call.word(0) = widened(texRef);
  call.word(1) = widened(fm);
  call.begin();
  const auto result = real(texRef, fm);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetFlags(void* texRef, unsigned int Flags) {
  using Function = int (*)(void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetFlags, GRETA_CALLER, 0);
  if (!call) return real(texRef, Flags);
  call.word(0) = widened(texRef);
  call.word(1) = widened(Flags);
  call.begin();
  const auto result = real(texRef, Flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetFormat(void* texRef, int fmt, int NumPackedComponents) {
  using Function = int (*)(void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetFormat, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetFormat, GRETA_CALLER, 0);
  if (!call) return real(texRef, fmt, NumPackedComponents);
  call.word(0) = widened(texRef);
  call.word(1) = widened(fmt);
  call.word(2) = widened(NumPackedComponents);
  call.begin();
  const auto result = real(texRef, fmt, NumPackedComponents);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipBindTexture(void* offset, void* tex, void* devPtr, void* desc, size_t size) {
  using Function = int (*)(void*, void*, void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipBindTexture, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipBindTexture, GRETA_CALLER, 0);
  if (!call) return real(offset, tex, devPtr, desc, size);
  call.word(0) = 0;
  call.word(1) = widened(tex);
  call.word(2) = widened(devPtr);
  call.word(3) = widened(desc);
  call.word(4) = widened(size);
  call.begin();
  const auto result = real(offset, tex, devPtr, desc, size);
  if (result == 0) call.word(0) = filled<size_t>(offset);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipBindTexture2D(void* offset, void* tex, void* devPtr, void* desc, size_t width, size_t height, size_t pitch) {
  using Function = int (*)(void*, void*, void*, void*, size_t, size_t, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipBindTexture2D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipBindTexture2D, GRETA_CALLER, 0);
  if (!call) return real(offset, tex, devPtr, desc, width, height, pitch);
  call.word(0) = 0;
  call.word(1) = widened(tex);
  call.word(2) = widened(devPtr);
  call.word(3) = widened(desc);
  call.word(4) = widened(width);
  call.word(5) = widened(height);
  call.word(6) = widened(pitch);
  call.begin();
  const auto result = real(offset, tex, devPtr, desc, width, height, pitch);
  if (result == 0) call.word(0) = filled<size_t>(offset);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipBindTextureToArray(void* tex, void* array, void* desc) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipBindTextureToArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipBindTextureToArray, GRETA_CALLER, 0);
  if (!call) return real(tex, array, desc);
  call.word(0) = widened(tex);
  call.word(1) = widened(array);
  call.word(2) = widened(desc);
  call.begin();
  const auto result = real(tex, array, desc);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetTextureAlignmentOffset(void* offset, void* texref) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetTextureAlignmentOffset, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetTextureAlignmentOffset, GRETA_CALLER, 0);
  if (!call) return real(offset, texref);
  call.word(0) = 0;
  call.word(1) = widened(texref);
  call.begin();
  const auto result = real(offset, texref);
  if (result == 0) call.word(0) = filled<size_t>(offset);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipUnbindTexture(void* tex) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipUnbindTexture, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipUnbindTexture, GRETA_CALLER, 0);
  if (!call) return real(tex);
  call.word(0) = widened(tex);
  call.begin();
  const auto result = real(tex);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetAddress(void* dev_ptr, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetAddress, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetAddress, GRETA_CALLER, 0);
  if (!call) return real(dev_ptr, texRef);
  call.word(0) = 0;
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(dev_ptr, texRef);
  if (result == 0) call.word(0) = filled<void*>(dev_ptr);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetAddressMode(void* pam, void* texRef, int dim) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetAddressMode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetAddressMode, GRETA_CALLER, 0);
  if (!call) return real(pam, texRef, dim);
  call.word(0) = widened(pam);
  call.word(1) = widened(texRef);
  call.word(2) = widened(dim);
  call.begin();
  const auto result = real(pam, texRef, dim);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetFilterMode(void* pfm, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetFilterMode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetFilterMode, GRETA_CALLER, 0);
  if (!call) return real(pfm, texRef);
  call.word(0) = widened(pfm);
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(pfm, texRef);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetFlags(void* pFlags, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetFlags, GRETA_CALLER, 0);
  if (!call) return real(pFlags, texRef);
  call.word(0) = 0;
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(pFlags, texRef);
  if (result == 0) call.word(0) = filled<unsigned int>(pFlags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetFormat(void* pFormat, void* pNumChannels, void* texRef) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetFormat, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetFormat, GRETA_CALLER, 0);
  if (!call) return real(pFormat, pNumChannels, texRef);
  call.word(0) = widened(pFormat);
  call.word(1) = 0;
  call.word(2) = widened(texRef);
  call.begin();
  const auto result = real(pFormat, pNumChannels, texRef);
  if (result == 0) call.word(1) = filled<int>(pNumChannels);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetMaxAnisotropy(void* pmaxAnsio, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetMaxAnisotropy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetMaxAnisotropy, GRETA_CALLER, 0);
  if (!call) return real(pmaxAnsio, texRef);
  call.word(0) = 0;
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(pmaxAnsio, texRef);
  if (result == 0) call.word(0) = filled<int>(pmaxAnsio);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetMipmapFilterMode(void* pfm, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetMipmapFilterMode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetMipmapFilterMode, GRETA_CALLER, 0);
  if (!call) return real(pfm, texRef);
  call.word(0) = widened(pfm);
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(pfm, texRef);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetMipmapLevelBias(void* pbias, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetMipmapLevelBias, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetMipmapLevelBias, GRETA_CALLER, 0);
  if (!call) return real(pbias, texRef);
  call.word(0) = 0;
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(pbias, texRef);
  if (result == 0) call.word(0) = filled<float>(pbias);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetMipmapLevelClamp(void* pminMipmapLevelClamp, void* pmaxMipmapLevelClamp, void* texRef) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetMipmapLevelClamp, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetMipmapLevelClamp, GRETA_CALLER, 0);
  if (!call) return real(pminMipmapLevelClamp, pmaxMipmapLevelClamp, texRef);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(texRef);
  call.begin();
  const auto result = real(pminMipmapLevelClamp, pmaxMipmapLevelClamp, texRef);
  if (result == 0) call.word(0) = filled<float>(pminMipmapLevelClamp);
  if (result == 0) call.word(1) = filled<float>(pmaxMipmapLevelClamp);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefGetMipMappedArray(void* pArray, void* texRef) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefGetMipMappedArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefGetMipMappedArray, GRETA_CALLER, 0);
  if (!call) return real(pArray, texRef);
  call.word(0) = 0;
  call.word(1) = widened(texRef);
  call.begin();
  const auto result = real(pArray, texRef);
  if (result == 0) call.word(0) = filled<void*>(pArray);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetAddress(void* ByteOffset, void* texRef, void* dptr, size_t bytes) {
  using Function = int (*)(void*, void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetAddress, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetAddress, GRETA_CALLER, 0);
  if (!call) return real(ByteOffset, texRef, dptr, bytes);
  call.word(0) = 0;
  call.word(1) = widened(texRef);
  call.word(2) = widened(dptr);
  call.word(3) = widened(bytes);
  call.begin();
  const auto result = real(ByteOffset, texRef, dptr, bytes);
  if (result == 0) call.word(0) = filled<size_t>(ByteOffset);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetAddress2D(void* texRef, void* desc, void* dptr, size_t Pitch) {
  using Function = int (*)(void*, void*, void*, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetAddress2D, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetAddress2D, GRETA_CALLER, 0);
  if (!call) return real(texRef, desc, dptr, Pitch);
  call.word(0) = widened(texRef);
  call.word(1) = widened(desc);
  call.word(2) = widened(dptr);
  call.word(3) = widened(Pitch);
  call.begin();
  const auto result = real(texRef, desc, dptr, Pitch);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetMaxAnisotropy(void* texRef, unsigned int maxAniso) {
  using Function = int (*)(void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetMaxAnisotropy, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetMaxAnisotropy, GRETA_CALLER, 0);
  if (!call) return real(texRef, maxAniso);
  call.word(0) = widened(texRef);
  call.word(1) = widened(maxAniso);
  call.begin();
  const auto result = real(texRef, maxAniso);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetBorderColor(void* texRef, void* pBorderColor) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetBorderColor, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetBorderColor, GRETA_CALLER, 0);
  if (!call) return real(texRef, pBorderColor);
  call.word(0) = widened(texRef);
  call.word(1) = widened(pBorderColor);
  call.begin();
  const auto result = real(texRef, pBorderColor);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetMipmapFilterMode(void* texRef, int fm) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetMipmapFilterMode, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetMipmapFilterMode, GRETA_CALLER, 0);
  if (!call) return real(texRef, fm);
  call.word(0) = widened(texRef);
  call.word(1) = widened(fm);
  call.begin();
  const auto result = real(texRef, fm);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetMipmapLevelBias(void* texRef, float bias) {
  using Function = int (*)(void*, float);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetMipmapLevelBias, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetMipmapLevelBias, GRETA_CALLER, 0);
  if (!call) return real(texRef, bias);
  call.word(0) = widened(texRef);
  call.word(1) = widened(bias);
  call.begin();
  const auto result = real(texRef, bias);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetMipmapLevelClamp(void* texRef, float minMipMapLevelClamp, float maxMipMapLevelClamp) {
  using Function = int (*)(void*, float, float);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetMipmapLevelClamp, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetMipmapLevelClamp, GRETA_CALLER, 0);
  if (!call) return real(texRef, minMipMapLevelClamp, maxMipMapLevelClamp);
  call.word(0) = widened(texRef);
  call.word(1) = widened(minMipMapLevelClamp);
  call.word(2) = widened(maxMipMapLevelClamp);
  call.begin();
  const auto result = real(texRef, minMipMapLevelClamp, maxMipMapLevelClamp);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipTexRefSetMipmappedArray(void* texRef, void* mipmappedArray, unsigned int Flags) {
  using Function = int (*)(void*, void*, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipTexRefSetMipmappedArray, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipTexRefSetMipmappedArray, GRETA_CALLER, 0);
  if (!call) return real(texRef, mipmappedArray, Flags);
  call.word(0) = widened(texRef);
  call.word(1) = widened(mipmappedArray);
  call.word(2) = widened(Flags);
  call.begin();
  const auto result = real(texRef, mipmappedArray, Flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipCreateSurfaceObject(void* pSurfObject, void* pResDesc) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipCreateSurfaceObject, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipCreateSurfaceObject, GRETA_CALLER, 0);
  if (!call) return real(pSurfObject, pResDesc);
  call.word(0) = 0;
  call.word(1) = widened(pResDesc);
  call.begin();
  const auto result = real(pSurfObject, pResDesc);
  if (result == 0) call.word(0) = filled<void*>(pSurfObject);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDestroySurfaceObject(void* surfaceObject) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDestroySurfaceObject, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDestroySurfaceObject, GRETA_CALLER, 0);
  if (!call) return real(surfaceObject);
  call.word(0) = widened(surfaceObject);
  call.begin();
  const auto result = real(surfaceObject);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder
asm(".globl _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc\n.set _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc, hipCreateSurfaceObject");

asm(".globl _Z23hipDestroySurfaceObjectP13__hip_surface\n.set _Z23hipDestroySurfaceObjectP13__hip_surface, hipDestroySurfaceObject");
