#include "core/marks/candidates.h"

#include <array>
#include <cctype>

namespace faultline {
namespace {

constexpr bool kOften = true;
constexpr ProbeCalls kParts = ProbeCalls::Parts;

// Of Mesa's drivers: vkGetDeviceProcAddr() gives a game this function itself, so that it never calls libvulkan's. The
// drivers do not export it: it has a name where they are not stripped, or their debug symbols are installed. Elsewhere
// the calls of vkGetDeviceProcAddr() tell its place.
constexpr MarkCandidate ofDriver(std::string_view library) {
  return {.library = library, .symbol = "wsi_QueuePresentKHR", .shown = "vkQueuePresentKHR"};
}

constexpr std::array kCandidates{
    MarkCandidate{.library = "libSDL3", .symbol = "SDL_GL_SwapWindow", .oftenLinkedIn = kOften},
    MarkCandidate{.library = "libSDL3", .symbol = "SDL_RenderPresent", .oftenLinkedIn = kOften},
    MarkCandidate{.library = "libSDL3", .symbol = "SDL_UpdateWindowSurface", .oftenLinkedIn = kOften},
    MarkCandidate{
        .library = "libSDL3", .symbol = "SDL_UpdateWindowSurfaceRects", .oftenLinkedIn = kOften, .calls = kParts},
    MarkCandidate{.library = "libSDL2", .symbol = "SDL_GL_SwapWindow", .oftenLinkedIn = kOften},
    MarkCandidate{.library = "libSDL2", .symbol = "SDL_RenderPresent", .oftenLinkedIn = kOften},
    MarkCandidate{.library = "libSDL2", .symbol = "SDL_UpdateWindowSurface", .oftenLinkedIn = kOften},
    MarkCandidate{
        .library = "libSDL2", .symbol = "SDL_UpdateWindowSurfaceRects", .oftenLinkedIn = kOften, .calls = kParts},
    MarkCandidate{.library = "libSDL-1", .symbol = "SDL_GL_SwapBuffers"},
    MarkCandidate{.library = "libSDL-1", .symbol = "SDL_Flip"},
    MarkCandidate{.library = "libSDL-1", .symbol = "SDL_UpdateRects", .calls = kParts},
    MarkCandidate{.library = "libglfw", .symbol = "glfwSwapBuffers", .oftenLinkedIn = kOften},
    MarkCandidate{.library = "liballegro", .symbol = "al_flip_display"},
    MarkCandidate{.library = "libsfml-window",
                  .symbol = "_ZN2sf6Window7displayEv",
                  .shown = "sf::Window::display",
                  .oftenLinkedIn = kOften},
    MarkCandidate{.library = "libglut", .symbol = "glutSwapBuffers"},
    MarkCandidate{.library = "libQt6Gui",
                  .symbol = "_ZN14QOpenGLContext11swapBuffersEP8QSurface",
                  .shown = "QOpenGLContext::swapBuffers"},
    MarkCandidate{.library = "libQt5Gui",
                  .symbol = "_ZN14QOpenGLContext11swapBuffersEP8QSurface",
                  .shown = "QOpenGLContext::swapBuffers"},
    MarkCandidate{.library = "libQt6Gui",
                  .symbol = "_ZN13QBackingStore5flushERK7QRegionP7QWindowRK6QPoint",
                  .shown = "QBackingStore::flush",
                  .calls = kParts},
    MarkCandidate{.library = "libQt5Gui",
                  .symbol = "_ZN13QBackingStore5flushERK7QRegionP7QWindowRK6QPoint",
                  .shown = "QBackingStore::flush",
                  .calls = kParts},
    MarkCandidate{.library = "libgtk-4", .symbol = "gdk_draw_context_end_frame"},
    MarkCandidate{.library = "libgdk-3", .symbol = "gdk_window_end_draw_frame", .calls = kParts},
    MarkCandidate{.library = "libvulkan", .symbol = "vkQueuePresentKHR"},
    MarkCandidate{.library = "libvulkan", .symbol = "vkGetDeviceProcAddr", .calls = ProbeCalls::Lookups},
    ofDriver("libvulkan_radeon"),
    ofDriver("libvulkan_intel"),
    ofDriver("libvulkan_intel_hasvk"),
    ofDriver("libvulkan_nouveau"),
    ofDriver("libvulkan_virtio"),
    ofDriver("libvulkan_lvp"),
    MarkCandidate{.library = "libGLX", .symbol = "glXSwapBuffers"},
    MarkCandidate{.library = "libEGL", .symbol = "eglSwapBuffers"},
    MarkCandidate{.library = "libEGL", .symbol = "eglSwapBuffersWithDamageKHR"},
    MarkCandidate{.library = "libEGL", .symbol = "eglSwapBuffersWithDamageEXT"},
    MarkCandidate{.library = "libGL", .symbol = "glXSwapBuffers"},
    MarkCandidate{.library = "libxcb-present", .symbol = "xcb_present_pixmap"},  // used by Mesa drivers on X11
    MarkCandidate{.library = "libXext", .symbol = "XShmPutImage", .calls = kParts},
    MarkCandidate{.library = "libX11", .symbol = "XPutImage", .calls = kParts},
    MarkCandidate{.library = "libxcb-shm",
                  .symbol = "xcb_shm_put_image",
                  .calls = kParts},  // used by drivers and toolkits on X11
    MarkCandidate{.library = "libxcb", .symbol = "xcb_put_image", .calls = kParts},
    MarkCandidate{.library = "libwayland-client",
                  .symbol = "wl_proxy_marshal_flags",
                  .shown = "wl_surface_commit",
                  .calls = ProbeCalls::SurfaceCommits},
    MarkCandidate{.library = "libwayland-client",  // before Wayland 1.20
                  .symbol = "wl_proxy_marshal",
                  .shown = "wl_surface_commit",
                  .calls = ProbeCalls::SurfaceCommits},
    MarkCandidate{.library = "libdrm", .symbol = "drmModeAtomicCommit"},  // used by drivers without a display server
    MarkCandidate{.library = "libdrm", .symbol = "drmModePageFlip"},
};

}  // namespace

std::span<const MarkCandidate> markCandidates() {
  return kCandidates;
}

bool isLibrary(std::string_view fileName, std::string_view library) {
  if (!fileName.starts_with(library)) return false;
  const std::string_view rest = fileName.substr(library.size());
  return rest.empty() || rest.front() == '.' || rest.front() == '-' ||
         std::isdigit(static_cast<unsigned char>(rest.front())) != 0;
}

std::string_view libraryName(std::string_view fileName) {
  const std::size_t suffix = fileName.find(".so.");
  if (suffix == std::string_view::npos) return fileName;
  return fileName.substr(0, fileName.find('.', suffix + 4));
}

}  // namespace faultline
