// Calls a function of a library that it loads in each of FRAMES frames of 10 ms, PARTS times in a row; then the next.
// If that has the same file name, the library is unloaded first, so that another build of it is loaded: splash_player
// LIBRARY FUNCTION FRAMES[xPARTS] [LIBRARY FUNCTION FRAMES[xPARTS]]...
#include <dlfcn.h>
#include <time.h>

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  for (int i = 1; i + 2 < argc; i += 3) {
    void* const library = dlopen(argv[i], RTLD_NOW);
    if (library == nullptr) return 2;
    auto* const present = reinterpret_cast<void (*)()>(dlsym(library, argv[i + 1]));
    if (present == nullptr) return 3;
    const char* const x = std::strchr(argv[i + 2], 'x');
    const long parts = x != nullptr ? std::atol(x + 1) : 1;
    for (long frame = std::atol(argv[i + 2]); frame > 0; --frame) {
      const timespec pause{.tv_sec = 0, .tv_nsec = 10'000'000};
      nanosleep(&pause, nullptr);
      for (long part = 0; part < parts; ++part) present();
    }
    if (i + 3 < argc && std::strcmp(argv[i], argv[i + 3]) == 0) dlclose(library);
  }
  return 0;
}
