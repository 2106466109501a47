// What the simulated device says of itself: an MI300X where the number is part of the programming
// model (wave size, limits, architecture), the simulator's own where it is a size or a name.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/device.h"

namespace greta::api {

void describe(const sim::Device& device, hipDeviceProp_tR0600* properties);
void describe_old(const sim::Device& device, hipDeviceProp_tR0000* properties);
// False if the attribute is not known.
bool attribute_of(const sim::Device& device, hipDeviceAttribute_t attribute, int* value);
hipUUID uuid_of(const sim::Device& device);

}  // namespace greta::api
