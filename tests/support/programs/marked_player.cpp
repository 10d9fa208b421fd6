// A program that loads the given libraries, prints the addresses of its functions and theirs, and waits until its
// parent has ended.
#include <dlfcn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

extern "C" __attribute__((noinline)) void present() {
  asm volatile("nop");
}
extern "C" __attribute__((noinline)) void SDL_GL_SwapWindow() {  // NOLINT(readability-identifier-naming): SDL's own
  asm volatile("nop; nop");
}
struct Renderer {
  __attribute__((noinline)) static void show() { asm volatile("nop; nop; nop"); }
  __attribute__((noinline)) static void show(int) { asm volatile("nop; nop; nop; nop"); }
};
// With the names that Rust gives the functions update and draw of a program called game.
extern "C" __attribute__((noinline, used)) void rustUpdate() asm("_RNvCs1234_4game6update");
void rustUpdate() {
  asm volatile("nop; nop; nop; nop; nop");
}
extern "C" __attribute__((noinline, used)) void rustDraw() asm("_ZN4game4draw17h0123456789abcdefE");
void rustDraw() {
  asm volatile("nop; nop; nop; nop; nop; nop");
}

namespace {

void tell(const char* name, void* address) {
  if (address != nullptr) std::printf("%s %p\n", name, address);
}
void tell(const char* name, void (*function)()) {
  tell(name, reinterpret_cast<void*>(function));
}

void load(const char* file) {
#ifndef MARKED_STATIC
  void* const library = dlopen(file, RTLD_NOW);
  tell("swapFrames", dlsym(library, "swapFrames"));
  tell("swapFrames@MARKED_1", dlvsym(library, "swapFrames", "MARKED_1"));
  tell("swapFrames@@MARKED_2", dlvsym(library, "swapFrames", "MARKED_2"));
  tell("glfwSwapBuffers", dlsym(library, "glfwSwapBuffers"));
#else
  (void)file;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  tell("present", present);
  tell("SDL_GL_SwapWindow", SDL_GL_SwapWindow);
  tell("Renderer::show()", static_cast<void (*)()>(Renderer::show));
  tell("Renderer::show(int)", reinterpret_cast<void*>(static_cast<void (*)(int)>(Renderer::show)));
  tell("game::update", rustUpdate);
  tell("game::draw", rustDraw);
  for (int i = 1; i < argc; ++i) load(argv[i]);
  std::puts("ready");
  std::fflush(stdout);
  pause();
  return 0;
}
