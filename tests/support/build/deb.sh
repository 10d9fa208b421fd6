# Sourced by tests/run after packages.sh and debian.sh: tests/run --packages.
# shellcheck shell=bash

# run_packages [12|13...]: builds the package, checks its files, and installs, upgrades and purges it in a fresh Debian of each
# release, in .build/packages-12 and -13. FAULTLINE_DEB: the package to try instead.
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
  deb=${FAULTLINE_DEB:-}
  [ -n "$deb" ] || deb=$(resources/debian/build) || return
  for release in "${releases[@]}"; do
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
