# Sourced by tests/run after packages.sh: packages and functions to build for Windows and run under Wine.
# shellcheck shell=bash

windows_packages=(cmake ninja-build g++-mingw-w64-x86-64-posix wine wine64)
header_packages=(libexpected-dev libfmt-dev libmsgpack-cxx-dev libxxhash-dev nlohmann-json3-dev libcli11-dev)

# link_header_libraries FOLDER: links to the headers and CMake files of those packages. /usr/include itself cannot be
# used, because it also holds the headers of this machine's C library.
link_header_libraries() {
  local to=$1 path
  rm -rf "$to"
  dpkg-query -L "${header_packages[@]}" | sort -u | while read -r path; do
    case $path in
      *-none.cmake) ;;  # the places of libraries compiled for this machine
      /usr/include/* | */cmake/*) [ -d "$path" ] || link_at "$to/${path#/usr/}" "$path" ;;
    esac
  done
}
link_at() {
  mkdir -p "${1%/*}"
  ln -s "$2" "$1"
}

# Catch2 must be compiled for Windows: puts its source where CMake, which checks the hash, would download it to.
provide_catch2_source() {
  local to=$1 work=$1.apt release suite
  [ ! -f "$to" ] && command -v apt-get >/dev/null || return 0
  release=$(release_name)
  for suite in "$release-backports" "$release"; do
    private_apt deb-src "$suite" "$work" || return 0
    "${private_apt[@]}" update >/dev/null 2>&1 || continue
    (cd "$work" && "${private_apt[@]}" source --download-only catch2) >/dev/null 2>&1 || continue
    ! mv "$work"/catch2_3*.orig.tar.gz "$to" 2>/dev/null || break
  done
  rm -rf "$work"
}
