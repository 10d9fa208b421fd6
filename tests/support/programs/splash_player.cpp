// Calls a function of a library that it loads, FRAMES times and 100 times a second, then the next one:
// splash_player LIBRARY FUNCTION FRAMES [LIBRARY FUNCTION FRAMES]...
#include <dlfcn.h>
#include <time.h>

#include <cstdlib>

int main(int argc, char** argv) {
  for (int i = 1; i + 2 < argc; i += 3) {
    void* const library = dlopen(argv[i], RTLD_NOW);
    if (library == nullptr) return 2;
    auto* const present = reinterpret_cast<void (*)()>(dlsym(library, argv[i + 1]));
    if (present == nullptr) return 3;
    for (long frame = std::atol(argv[i + 2]); frame > 0; --frame) {
      const timespec pause{.tv_sec = 0, .tv_nsec = 10'000'000};
      nanosleep(&pause, nullptr);
      present();
    }
  }
  return 0;
}
