# Builds for Windows (x86-64) on Linux, with mingw-w64; tests/run --windows does it.
#   cmake --toolchain resources/windows/mingw.cmake -DFAULTLINE_WINDOWS_LIBRARIES=FOLDER ...
# FOLDER has include/ and the CMake files of the header-only libraries, and nothing else: headers of this machine's own
# system must not be found. -DFAULTLINE_WINDOWS_QT=FOLDER is Qt for mingw, for the tray app.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)

# -posix: the compilers without a suffix may be the variant without std::thread and std::mutex.
find_program(FAULTLINE_MINGW_CXX NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++ REQUIRED)
set(CMAKE_CXX_COMPILER ${FAULTLINE_MINGW_CXX})
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FAULTLINE_WINDOWS_LIBRARIES FAULTLINE_WINDOWS_QT)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${FAULTLINE_WINDOWS_LIBRARIES} ${FAULTLINE_WINDOWS_QT})
set(QT_HOST_PATH /usr CACHE PATH "Qt of this machine, whose moc and rcc run here")
file(GLOB host_qt /usr/lib/*/cmake/Qt6HostInfo)
get_filename_component(host_qt "${host_qt}" DIRECTORY)
set(QT_HOST_PATH_CMAKE_DIR "${host_qt}" CACHE PATH "Its CMake files")
file(GLOB fmt_DIR ${FAULTLINE_WINDOWS_LIBRARIES}/lib/*/cmake/fmt)  # in a folder of this machine's architecture
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Link the compiler's libraries statically, so that a program is a single file.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(FAULTLINE_FMT fmt::fmt-header-only CACHE STRING "The fmt target to link")
