// A volume goes to the device and back slice by slice, in rows with gaps; an array holds it as
// well.
#include "gpu.h"

namespace {

constexpr size_t kWidth = 100, kHeight = 8, kDepth = 4;

hipMemcpy3DParms copy_of(hipPitchedPtr dst, hipPitchedPtr src, hipMemcpyKind kind) {
  hipMemcpy3DParms params = {};
  params.dstPtr = dst;
  params.srcPtr = src;
  params.extent = make_hipExtent(kWidth, kHeight, kDepth);
  params.kind = kind;
  return params;
}

}  // namespace

int main(int count, char** words) {
  const hipStream_t stream = new_stream();
  unsigned char* const host = pinned<unsigned char>(kWidth * kHeight * kDepth);
  for (size_t i = 0; i < kWidth * kHeight * kDepth; ++i) host[i] = static_cast<unsigned char>(i);
  hipPitchedPtr volume;
  OK(hipMalloc3D(&volume, make_hipExtent(kWidth, kHeight, kDepth)));
  const hipPitchedPtr flat = make_hipPitchedPtr(host, kWidth, kWidth, kHeight);
  hipMemcpy3DParms up = copy_of(volume, flat, hipMemcpyHostToDevice);
  OK(hipMemcpy3DAsync(&up, stream));
  OK(hipStreamSynchronize(stream));
  hipArray_t array;
  const hipChannelFormatDesc bytes = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
  OK(hipMalloc3DArray(&array, &bytes, make_hipExtent(kWidth, kHeight, kDepth), 0));
  hipMemcpy3DParms into = copy_of({}, volume, hipMemcpyDeviceToDevice);
  into.dstArray = array;
  OK(hipMemcpy3D(&into));
  OK(hipMemset3D(volume, 0, make_hipExtent(kWidth, kHeight, kDepth)));
  OK(hipDeviceSynchronize());
  if (is(count, words, "freed_first")) OK(hipFree(volume.ptr));
  hipMemcpy3DParms down = copy_of(flat, volume, hipMemcpyDeviceToHost);
  if (is(count, words, "one_too_deep")) down.extent.depth = kDepth + 1;
  OK(hipMemcpy3DAsync(&down, stream));
  OK(hipStreamSynchronize(stream));
  expect(host[1] == 0, "the volume was cleared");
  hipMemcpy3DParms back = copy_of(flat, {}, hipMemcpyDeviceToHost);
  back.srcArray = array;
  OK(hipMemcpy3D(&back));
  expect(host[1] == 1, "the array was not");
  OK(hipFreeArray(array));
  return 0;
}
