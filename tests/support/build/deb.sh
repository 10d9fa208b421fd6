# Sourced by tests/run after packages.sh and debian.sh: tests/run --packages.
# shellcheck shell=bash

# run_packages [12|13...]: for each release of Debian, builds the package in that of tests/run --debian, checks its files, and
# installs, upgrades and purges it in another fresh one, in .build/packages-12 and -13. FAULTLINE_DEB: the package to try instead.
run_packages() {
  local release root deb
  local -a releases=("$@")
  [ $# != 0 ] || releases=(12 13)
  for release in "${releases[@]}"; do
    [ -n "${debian_suites[$release]:-}" ] || { say "there is no release $release: tests/run --packages [12|13...]" && return 2; }
  done
  if [ "$(id -u)" != 0 ]; then
    say '--packages needs root, to change the root folder and to mount /proc there: sudo tests/run --packages'
    return 1
  fi
  for release in "${releases[@]}"; do
    deb=${FAULTLINE_DEB:-}
    [ -n "$deb" ] || deb=$(debian_package "$release" -DFAULTLINE_HOME=https://faultline.example) || return
    root=${FAULTLINE_DEBIAN:-$PWD/.build}/packages-$release
    [ -d "$root" ] || make_debian "${debian_suites[$release]}" "$root" || return
    rm -rf --one-file-system "$root/home/faultline"
    mkdir -p "$root/home/faultline"
    cp "$deb" "$root/home/faultline/faultline.deb"
    cp tests/resources/debian/packaged "$root/home/faultline/"
    say "Debian $release: ${deb##*/}"
    in_debian "$root" './packaged' || { say "Debian $release: the package fails" && return 1; }
  done
}

# debian_package 12|13 [ARGUMENT]: builds the package of the last commit in that Debian, and prints the file's path. The argument
# goes to CMake.
debian_package() {
  run_debian "$1" --reuse resources/debian/build "${@:2}" >&2 || return
  ls "${FAULTLINE_DEBIAN:-$PWD/.build}/debian-$1"/home/faultline/.build/package/*.deb
}
