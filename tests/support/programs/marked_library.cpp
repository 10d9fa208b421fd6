// A library with functions that end frames: one function in two versions, others with names of known libraries.
extern "C" {
__attribute__((noinline, visibility("default"))) void oldSwapFrames() {
  asm volatile("nop");
}
__attribute__((noinline, visibility("default"))) void newSwapFrames() {
  asm volatile("nop; nop");
}
__attribute__((noinline, visibility("default"))) void glfwSwapBuffers() {
  asm volatile("nop; nop; nop");
}
__attribute__((noinline, visibility("default"))) void glXSwapBuffers() {
  asm volatile("nop; nop; nop; nop");
}
__attribute__((noinline, visibility("default"))) void XPutImage() {  // NOLINT(readability-identifier-naming)
  asm volatile("nop; nop; nop; nop; nop; nop");
}
__attribute__((visibility("hidden"))) void real() {
  asm volatile("nop; nop; nop; nop; nop");
}
using Function = void (*)();
__attribute__((visibility("hidden"))) Function choose() {  // clang finds no static one
  return real;
}
__attribute__((ifunc("choose"), visibility("default"))) void chosenSwap();
}
asm(".symver oldSwapFrames, swapFrames@MARKED_1");
asm(".symver newSwapFrames, swapFrames@@MARKED_2");
