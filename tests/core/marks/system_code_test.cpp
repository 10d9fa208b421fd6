#include "core/marks/system_code.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {

TEST_CASE("System libraries and functions of system headers are system code") {
  for (const char* path :
       {"/usr/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2", "/usr/lib32/libm.so",
        "/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/ntdll.dll", "/home/a/.wine/drive_c/windows/system32/d3d11.dll"})
    CHECK(isSystemModule(path));
  for (const char* path :
       {"/usr/games/game", "/home/a/usr/lib/game.so", "/usr/libexec/game", "/usr/local/lib/engine.so",
        "/app/lib/engine.so", "/home/a/.wine/drive_c/games/game.exe", ""})
    CHECK_FALSE(isSystemModule(path));
  CHECK(isSystemSource("/usr/include/c++/12/bits/stl_vector.h"));
  CHECK(isSystemSource("/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h"));
  CHECK(isSystemSource("/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/alloc/src/raw_vec.rs"));
  CHECK(isSystemSource("/usr/local/go/src/runtime/malloc.go"));
  CHECK_FALSE(isSystemSource("/home/a/engine/src/runtime/level.cpp"));
  CHECK_FALSE(isSystemSource("/src/usr/include/level.h"));
  CHECK_FALSE(isSystemSource("level.cpp"));
}

}  // namespace faultline::test
