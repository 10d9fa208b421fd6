// A library that hands a game the functions of the driver, as Vulkan's loader does (vkGetDeviceProcAddr(3)).
using Function = void (*)();
extern "C" Function driverFunction(const char* name);

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): Vulkan's own
__attribute__((visibility("default"))) Function vkGetDeviceProcAddr(void* /*device*/, const char* name) {
  return driverFunction(name);
}
__attribute__((visibility("default"))) void vkQueuePresentKHR() {
  driverFunction("vkQueuePresentKHR")();
}
// NOLINTEND(readability-identifier-naming)
}
