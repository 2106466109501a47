// Copies and fills of all kinds, each call once with pinned and once with pageable memory.
#include "program.h"

int main(int, char** arguments) {
  Program p(arguments);
  char* device = reinterpret_cast<char*>(p.device);
  const auto to_device = hipMemcpyHostToDevice;
  const auto to_host = hipMemcpyDeviceToHost;
  hipMemcpy(device + 8, p.pageable, 64, to_device);
  hipMemcpy(p.pinned, device, 128, to_host);
  hipMemcpy(p.other, device, 256, hipMemcpyDeviceToDevice);
  hipMemcpy(p.other, p.pageable, 32, hipMemcpyDefault);

  hipMemcpyAsync(device, p.pageable, 64, to_device, p.one);
  hipMemcpyAsync(device, p.pinned, 64, to_device, p.one);
  hipMemcpyAsync(p.pageable, device, 64, to_host, p.one);
  hipMemcpyAsync(p.pinned, device, 64, to_host, p.two);
  hipMemcpyAsync(p.pinned, p.pinned + 512, 64, hipMemcpyHostToHost, p.two);

  hipMemcpyDtoHAsync(p.pinned, device, 64, p.one);
  hipMemcpyHtoD(device, p.pinned, 16);
  hipMemcpyWithStream(p.pinned, device, 64, to_host, p.two);
  hipMemcpyPeer(p.other, 0, device, 0, 512);
  hipMemcpy2DAsync(device, 128, p.pinned, 64, 32, 3, to_device, p.one);
  hipMemcpyAsync_spt(device, p.pinned, 64, to_device, nullptr);

  hipMemset(device, 0, 64);
  hipMemset(device + 64, 0, 64);
  hipMemset(p.pinned, 0, 64);
  hipMemsetAsync(device, 0, 64, p.one);
  hipMemsetD32(device, 0, 16);
  hipMemset2D(device, 256, 1, 100, 4);

  std::vector<char> registered(8192);
  hipHostRegister(registered.data(), 8192, 0);
  hipMemcpyDtoHAsync(registered.data() + 16, device, 64, p.one);
  hipStreamSynchronize(p.one);
  hipHostUnregister(registered.data());
  hipMemcpyDtoH(registered.data() + 16, device, 64);
  return 0;
}
