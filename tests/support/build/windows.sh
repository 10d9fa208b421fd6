# Sourced by tests/run after packages.sh: packages and functions to build for Windows and run under Wine.
# shellcheck shell=bash

windows_packages=(cmake ninja-build g++-mingw-w64-x86-64-posix wine wine64 nsis)
tray_windows_packages=(qt6-base-dev qt6-base-dev-tools libqcustomplot-dev zstd)
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

# provide_source PACKAGE VERSION FILE SUITE...: puts the source of the distribution's package into FILE, a .tar.gz, from the
# first suite whose version begins with VERSION.
provide_source() {
  local package=$1 version=$2 to=$3 work=$3.apt suite
  shift 3
  [ ! -f "$to" ] && command -v apt-get >/dev/null || return 0
  for suite in "$@"; do
    private_apt deb-src "$suite" "$work" || return 0
    "${private_apt[@]}" update >/dev/null 2>&1 || continue
    (cd "$work" && "${private_apt[@]}" source --download-only "$package") >/dev/null 2>&1 || continue
    ! mv "$work/$package"_"$version"*.orig.tar.gz "$to" 2>/dev/null || break
  done
  rm -rf "$work"
}

# Catch2 must be compiled for Windows: puts its source where CMake, which checks the hash, would download it to.
provide_catch2_source() {
  provide_source catch2 3 "$1" "$(release_name)-backports" "$(release_name)"
}

# QCustomPlot must be compiled for Windows too: puts its two files into FOLDER. The header is the installed one, which the
# distribution has mended for Qt 6.
provide_qcustomplot() {
  [ ! -f "$1/qcustomplot.h" ] || return 0
  mkdir -p "$1"
  provide_source qcustomplot 2 "$1/source.tar.gz" "$(release_name)"
  tar -xf "$1/source.tar.gz" -C "$1" --strip-components=1 --wildcards '*/qcustomplot.cpp' &&
    cp /usr/include/qcustomplot.h "$1"
}

# provide_windows_qt FOLDER: prints the folder of a Qt 6 for mingw; nothing if none is found. Unpacks an archive into FOLDER.
# Searches $FAULTLINE_WINDOWS_QT, a folder or an archive; then FOLDER; then ../shared/toolchain/qt6-mingw-*.tar.*
provide_windows_qt() {
  local to=$1 from=${FAULTLINE_WINDOWS_QT:-}
  if [ -z "$from" ] && [ ! -f "$to/lib/cmake/Qt6/Qt6Config.cmake" ]; then
    from=$(find -L ../shared/toolchain -maxdepth 1 -name 'qt6-mingw-*.tar.*' 2>/dev/null | sort | tail -n 1 || true)
  fi
  if [ -f "$from" ]; then
    rm -rf "$to" && mkdir -p "$to" && tar -xf "$from" -C "$to" || return 0
    from=$to
  fi
  from=$(readlink -f "${from:-$to}")
  if [ -f "$from/lib/cmake/Qt6/Qt6Config.cmake" ]; then printf '%s\n' "$from"
  elif [ -n "${FAULTLINE_WINDOWS_QT:-}" ]; then say "FAULTLINE_WINDOWS_QT: $from has no lib/cmake/Qt6/Qt6Config.cmake"
  fi
}

# configure_windows FOLDER ARGUMENT...: installs the packages and configures a build for Windows, with the tray app if there
# is a Qt for mingw.
configure_windows() {
  local folder=$1 qt lacks='a Qt for mingw' tray=(-DFAULTLINE_TRAY=OFF)
  shift
  install_missing 'to build Faultline for Windows, and to run it under Wine' "${windows_packages[@]}" "${header_packages[@]}"
  link_header_libraries "$folder/libraries"
  provide_catch2_source "$folder/catch2.tar.gz"
  qt=$(provide_windows_qt "$PWD/.build/windows-qt")
  if [ -n "$qt" ]; then
    lacks="QCustomPlot's source"
    install_missing 'to build the tray app for Windows' "${tray_windows_packages[@]}"
  fi
  if [ -n "$qt" ] && provide_qcustomplot "$PWD/.build/qcustomplot"; then
    tray=(-DFAULTLINE_TRAY=ON -DFAULTLINE_WINDOWS_QT="$qt" -DFAULTLINE_QCUSTOMPLOT="$PWD/.build/qcustomplot")
  else
    say "NO TRAY APP FOR WINDOWS: $lacks is missing, see platform/README.md. Building the other programs"
  fi
  configure "$folder" -DCMAKE_TOOLCHAIN_FILE="$PWD/resources/windows/mingw.cmake" \
    -DFAULTLINE_WINDOWS_LIBRARIES="$folder/libraries" -DCMAKE_BUILD_TYPE=Release -DFAULTLINE_PCH=ON \
    -DFAULTLINE_BATCHES=ON "${tray[@]}" "$@"
}
