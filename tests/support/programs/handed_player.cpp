// A game that loads LOADER, is busy for PAUSE ms, asks it for functions by their names, and calls the one that presents
// frames in each of FRAMES frames of 10 ms: handed_player LOADER PAUSE FRAMES
#include <dlfcn.h>
#include <time.h>

#include <cstdlib>
#include <initializer_list>

namespace {

void sleepFor(long milliseconds) {
  const timespec pause{.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1'000'000};
  nanosleep(&pause, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  void* const loader = dlopen(argv[1], RTLD_NOW);
  if (loader == nullptr) return 2;
  using Function = void (*)();
  auto* const find = reinterpret_cast<Function (*)(void*, const char*)>(dlsym(loader, "vkGetDeviceProcAddr"));
  if (find == nullptr) return 3;
  sleepFor(std::atol(argv[2]));
  Function present = nullptr;
  for (const char* const name : {"vkQueuePresentKHR", "vkQueueSubmit", "vkQueuePresentKHR2"}) {
    const Function function = find(nullptr, name);
    if (present == nullptr) present = function;
  }
  for (long frame = std::atol(argv[3]); frame > 0; --frame) {
    sleepFor(10);
    present();
  }
  return 0;
}
