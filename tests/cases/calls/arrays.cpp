// An image in an array of two dimensions, and in one of three; it comes and goes by other calls.
#include "gpu.h"

namespace {

constexpr size_t kWidth = 64, kHeight = 16, kDepth = 2;

hipMemcpy3DParms into_array(hipArray_t array, void* from, size_t depth) {
  hipMemcpy3DParms params = {};
  params.srcPtr = make_hipPitchedPtr(from, kWidth, kWidth, kHeight);
  params.dstArray = array;
  params.extent = make_hipExtent(kWidth, kHeight, depth);
  params.kind = hipMemcpyHostToDevice;
  return params;
}

// One stream fills the array, another one reads it.
void relay(hipArray_t array, bool ordered) {
  constexpr size_t kBytes = kWidth * kHeight;
  const hipStream_t fills = new_stream(), reads = new_stream();
  unsigned char *const from = pinned<unsigned char>(kBytes), *const to =
                                                                 pinned<unsigned char>(kBytes);
  OK(hipMemcpy2DToArrayAsync(array, 0, 0, from, kWidth, kWidth, kHeight, hipMemcpyHostToDevice,
                             fills));
  if (ordered) after(reads, fills);
  OK(hipMemcpy2DFromArrayAsync(to, kWidth, array, 0, 0, kWidth, kHeight, hipMemcpyDeviceToHost,
                               reads));
  OK(hipStreamSynchronize(fills));
  OK(hipStreamSynchronize(reads));
}

}  // namespace

int main(int count, char** words) {
  const hipChannelFormatDesc bytes = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
  std::vector<unsigned char> image(kWidth * kHeight * (kDepth + 1), 7), back(kWidth * kHeight);
  hipArray_t flat, deep;
  OK(hipMallocArray(&flat, &bytes, kWidth, kHeight, 0));
  OK(hipMalloc3DArray(&deep, &bytes, make_hipExtent(kWidth, kHeight, kDepth), 0));
  OK(hipMemcpy2DToArray(flat, 0, 0, image.data(), kWidth, kWidth, kHeight, hipMemcpyHostToDevice));
  if (is(count, words, "relay") || is(count, words, "unordered")) {
    relay(flat, is(count, words, "relay"));
  }
  if (is(count, words, "freed")) OK(hipFreeArray(flat));
  const size_t rows = is(count, words, "too_high") ? kHeight + 1 : kHeight;
  back.resize(kWidth * rows);
  OK(hipMemcpy2DFromArray(back.data(), kWidth, flat, 0, 0, kWidth, rows, hipMemcpyDeviceToHost));
  tell(back.front() == 7 && back.back() == 7, "the image came back");
  if (is(count, words, "freed_box")) OK(hipFreeArray(deep));
  const size_t slices = is(count, words, "too_deep") ? kDepth + 1 : kDepth;
  hipMemcpy3DParms up = into_array(deep, image.data(), slices);
  OK(hipMemcpy3D(&up));
  if (is(count, words, "freed_twice")) OK(hipFreeArray(flat));
  OK(hipFreeArray(flat));
  OK(hipFreeArray(deep));
  return 0;
}
