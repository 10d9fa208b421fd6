# Builds for Linux on arm64 with Debian's cross compiler; tests/run --kernels arm64 does it.
#   cmake --toolchain tests/kernels/arm64.cmake -DFAULTLINE_ARM64_SYSTEM=FOLDER -DFAULTLINE_ARM64_HEADERS=FOLDER ...
# SYSTEM holds packages for arm64, unpacked, with /lib in /usr; HEADERS, the header-only libraries.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FAULTLINE_ARM64_SYSTEM FAULTLINE_ARM64_HEADERS)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu ${FAULTLINE_ARM64_SYSTEM}/usr ${FAULTLINE_ARM64_HEADERS})
file(GLOB fmt_DIR ${FAULTLINE_ARM64_HEADERS}/lib/*/cmake/fmt)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${FAULTLINE_ARM64_SYSTEM}/usr/lib/aarch64-linux-gnu)
set(FAULTLINE_FMT fmt::fmt-header-only CACHE STRING "The fmt target to link")
