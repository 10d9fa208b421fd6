#include "core/marks/candidates.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("A library is recognised by its file name, in any version") {
  CHECK(isLibrary("libSDL2-2.0.so.0.2600.5", "libSDL2"));
  CHECK(isLibrary("libGL.so.1.7.0", "libGL"));
  CHECK(isLibrary("libglfw3.so", "libglfw"));
  CHECK(isLibrary("libSDL-1.2.so.0", "libSDL-1"));
  CHECK_FALSE(isLibrary("libGLX.so.0.0.0", "libGL"));
  CHECK_FALSE(isLibrary("libGLESv2.so.2", "libGL"));
  CHECK_FALSE(isLibrary("libSDL2_image-2.0.so.0", "libSDL2"));
  CHECK_FALSE(isLibrary("libvulkan_lvp.so", "libvulkan"));
  CHECK(isLibrary("libvulkan_lvp.so", "libvulkan_lvp"));
  CHECK_FALSE(isLibrary("libvulkan_intel_hasvk.so", "libvulkan_intel"));
  CHECK_FALSE(isLibrary("libdrm_amdgpu.so.1", "libdrm"));
}

TEST_CASE("A library is shown without its minor versions") {
  CHECK(libraryName("libSDL2-2.0.so.0.2600.5") == "libSDL2-2.0.so.0");
  CHECK(libraryName("libGLX.so.0.0.0") == "libGLX.so.0");
  CHECK(libraryName("libvulkan.so") == "libvulkan.so");
  CHECK(libraryName("libGL.so.1") == "libGL.so.1");
  CHECK(libraryName("game.x86_64") == "game.x86_64");
}

TEST_CASE("Toolkits come before the functions they call, and picture copies last") {
  const auto place = [](std::string_view library, std::string_view symbol) {
    const auto is = [&](const MarkCandidate& known) { return known.library == library && known.symbol == symbol; };
    const auto all = markCandidates();
    const auto found = std::ranges::find_if(all, is);
    REQUIRE(found != all.end());
    return found - all.begin();
  };
  CHECK(place("libSDL2", "SDL_GL_SwapWindow") < place("libvulkan", "vkQueuePresentKHR"));
  CHECK(place("libglfw", "glfwSwapBuffers") < place("libGLX", "glXSwapBuffers"));
  CHECK(place("libGLX", "glXSwapBuffers") < place("libGL", "glXSwapBuffers"));
  CHECK(place("libEGL", "eglSwapBuffers") < place("libGL", "glXSwapBuffers"));
  CHECK(place("libGL", "glXSwapBuffers") < place("libX11", "XPutImage"));
  CHECK(place("libEGL", "eglSwapBuffers") < place("libwayland-client", "wl_proxy_marshal_flags"));
  CHECK(place("libSDL2", "SDL_UpdateWindowSurface") < place("libSDL2", "SDL_UpdateWindowSurfaceRects"));
  CHECK(place("libSDL-1", "SDL_Flip") < place("libSDL-1", "SDL_UpdateRects"));
  CHECK(place("libSDL-1", "SDL_UpdateRects") < place("libXext", "XShmPutImage"));
  CHECK(place("libQt6Gui", "_ZN14QOpenGLContext11swapBuffersEP8QSurface") <
        place("libQt6Gui", "_ZN13QBackingStore5flushERK7QRegionP7QWindowRK6QPoint"));
  CHECK(place("libQt6Gui", "_ZN13QBackingStore5flushERK7QRegionP7QWindowRK6QPoint") <
        place("libxcb-shm", "xcb_shm_put_image"));
  CHECK(place("libSDL2", "SDL_RenderPresent") < place("libgdk-3", "gdk_window_end_draw_frame"));
  CHECK(place("libvulkan", "vkQueuePresentKHR") < place("libvulkan", "vkGetDeviceProcAddr"));
  CHECK(place("libvulkan", "vkGetDeviceProcAddr") < place("libxcb", "xcb_put_image"));
  CHECK(place("libvulkan", "vkQueuePresentKHR") < place("libvulkan_radeon", "wsi_QueuePresentKHR"));
  CHECK(place("libvulkan_radeon", "wsi_QueuePresentKHR") < place("libxcb-present", "xcb_present_pixmap"));
  CHECK(place("libEGL", "eglSwapBuffers") < place("libdrm", "drmModePageFlip"));
}
