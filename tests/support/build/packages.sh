# Sourced by app/run and tests/run: the packages that Faultline needs, and functions to install them and to build.
# shellcheck shell=bash

build_packages=(g++ cmake ninja-build libfmt-dev libmsgpack-cxx-dev libxxhash-dev nlohmann-json3-dev
  libexpected-dev libcli11-dev libcivetweb-dev libyaml-dev libcrypt-dev libssl-dev libseccomp-dev libbpf-dev libelf-dev libdw-dev libiberty-dev zlib1g-dev clang)
tray_packages=(qt6-base-dev qt6-svg-dev libqcustomplot-dev libxcb1-dev)
test_packages=(python3 python3-pip binutils procps libcap2-bin acl xvfb xauth openbox trayer xdotool x11-utils imagemagick dbus-daemon
  fonts-dejavu-core python3-gi gir1.2-atspi-2.0 at-spi2-core)
fuzz_packages=(clang-19 libclang-rt-19-dev)
tidy_packages=(clang-tidy-19 clang-format-19)

say() { printf 'faultline: %s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs a command, and prints its output only if it fails.
quietly() {
  local log
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then
    rm -f "$log"
  else
    local code=$?
    tail -n 60 "$log" >&2
    rm -f "$log"
    return $code
  fi
}

# install_missing WHY PACKAGE...: does nothing if all packages are installed.
install_missing() {
  local why=$1 have name missing=() unknown=()
  shift
  if ! command -v dpkg-query >/dev/null; then
    say "this system is neither Debian nor Ubuntu; if the build fails, install the equivalents of: $*"
    return
  fi
  have=" $(dpkg-query -W -f='${binary:Package} ${db:Status-Status}\n' 2>/dev/null |
    awk '$2 == "installed" { sub(/:.*/, "", $1); printf "%s ", $1 }')"
  for name in "$@"; do [[ $have == *" $name "* ]] || missing+=("$name"); done
  [ ${#missing[@]} = 0 ] && return

  local by_hand="As root, run: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    say "packages are missing $why, and sudo is not installed. $by_hand"
    return 1
  fi
  say "installing from the distribution's packages $why: ${missing[*]}$(by_sudo)"
  if [ "$(id -u)" != 0 ] && ! sudo true; then
    say "sudo failed. $by_hand"
    return 1
  fi
  quietly as_root apt-get -qq update || say 'some package lists could not be refreshed; continuing with the present ones'

  have=" $(apt-cache policy "${missing[@]}" 2>/dev/null |
    awk '/^[^ ]/ { sub(/:$/, ""); name = $1 } /^  Candidate: [^(]/ { printf "%s ", name }')"
  for name in "${missing[@]}"; do [[ $have == *" $name "* ]] || unknown+=("$name"); done
  if [ ${#unknown[@]} != 0 ]; then
    say "no package source of this system has: ${unknown[*]}. On Ubuntu most are in \"universe\" (add-apt-repository universe)"
    return 1
  fi
  # The lock's timeout: a system that has just started may be updating itself.
  quietly as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y -o DPkg::Lock::Timeout=300 --no-install-recommends install "${missing[@]}" && return
  say "apt-get failed. $by_hand"
  return 1
}

by_sudo() {
  [ "$(id -u)" = 0 ] || printf ' (through sudo, which may ask for your password)'
}

# Provides Catch2 v3, and prints the CMake arguments that find it: none if the distribution has it; on Debian 12 the
# prefix of a private copy, unpacked from backports without changing the machine's package lists. If neither works, CMake
# downloads it.
provide_catch2() {
  command -v apt-cache >/dev/null || return 0
  # Not grep -q: it exits early, and pipefail would report apt-cache's SIGPIPE.
  if apt-cache policy libcatch2-dev 2>/dev/null | grep -E '^ *(Installed|Candidate): 3' >/dev/null; then
    install_missing 'to build the tests' libcatch2-dev
    return
  fi
  local private=$PWD/.build/catch2
  [ -d "$private/usr/include/catch2" ] || catch2_from_backports "$private" || return 0
  printf '%s\n' "-DCatch2_ROOT=$private/usr"
}

catch2_from_backports() {
  local to=$1 release work=$1.apt
  release=$(release_name)
  private_apt deb "$release-backports" "$work" || return 1
  say "unpacking Catch2 v3 from $release-backports into .build/catch2 (nothing is installed)"
  quietly "${private_apt[@]}" update || return 1
  (cd "$work" && quietly "${private_apt[@]}" download libcatch2-dev) || return 1
  dpkg -x "$work"/libcatch2-dev_*.deb "$to.new" && rm -rf "$to" && mv "$to.new" "$to" && rm -rf "$work"
}

# Provides the Python packages that no distribution has, in .build/python, where the tests and resources/release look for them.
provide_python() {
  local to=$PWD/.build/python list=tests/support/build/python_packages.txt
  ! cmp -s "$list" "$to/$(basename $list)" || return 0
  rm -rf "$to.new"
  say "unpacking Python's packages for traces and SBOMs into .build/python (nothing is installed)"
  if quietly python3 -m pip install --quiet --no-deps --require-hashes --retries 1 --root-user-action=ignore \
    --target "$to.new" -r $list; then
    cp $list "$to.new/"
    rm -rf "$to"
    mv "$to.new" "$to"
  else say "pip cannot fetch Python's packages for traces and SBOMs: tests that need them will be skipped"
  fi
}

release_name() {
  (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
}

# The mirror that this machine uses for its release, in any format of its sources.
apt_origin() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v release="$(release_name)" '$2 == release && $3 == "main" { print $1; exit }'
}

# private_apt deb|deb-src SUITE WORK: sets private_apt to an apt-get command with its own lists and cache in WORK, and
# with the mirror of this machine.
private_apt() {
  local type=$1 suite=$2 work=$3 origin
  origin=$(apt_origin)
  [ -n "$origin" ] || return 1

  rm -rf "$work"
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/parts"
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  printf '%s %s%s %s main\n' "$type" "$([ -f $keyring ] && echo "[signed-by=$keyring] ")" "$origin" "$suite" \
    >"$work/sources.list"
  private_apt=(apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts="$work/parts"
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)")
}

# One compiler cache for all checkouts, and for precompiled headers.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros

# configure FOLDER ARGS...: runs CMake if the arguments have changed. ninja notices changed CMake files.
configure() {
  local folder=$1
  shift
  mkdir -p "$folder"
  if [ -f "$folder/build.ninja" ] && [ "$(cat "$folder/.arguments" 2>/dev/null)" = "$*" ]; then return; fi
  # A compiler cache, where one is installed, spares the work of an earlier build.
  if [ -z "${CMAKE_CXX_COMPILER_LAUNCHER+set}" ] && command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  quietly cmake -G Ninja -S . -B "$folder" "$@" || return
  printf '%s\n' "$*" >"$folder/.arguments"
}

# build FOLDER TARGETS...: tells how much is to be built. Shows progress: ninja's own on a terminal, in a log a line a
# minute. Writes to standard error alone. Waits while another run builds in the folder.
build() {
  local folder=$1 steps line told=$SECONDS
  shift
  before_build
  flock 8
  steps=$(ninja -C "$folder" -n "$@" | grep -c '^\[') || true
  [ "$steps" -lt 20 ] ||
    say "building in $folder: $steps steps, about $((steps * seconds_per_step / $(nproc) / 60 + 1)) minutes of $(nproc) processors"
  if [ -t 2 ]; then
    ninja -C "$folder" "$@" >&2
    return
  fi
  NINJA_STATUS='@%f of %t ' ninja -C "$folder" "$@" | while IFS= read -r line; do
    case $line in
      @*)
        ((SECONDS - told >= seconds_per_line)) || continue
        told=$SECONDS line=${line#@}
        say "building: ${line%%[!0-9of ]*}steps" ;;
      'ninja: no work to do.' | 'ninja: Entering directory '*) ;;
      *) printf '%s\n' "$line" >&2 ;;
    esac
  done
} 8>"$1/.building"
before_build() { :; }
seconds_per_step=5  # of one processor, where nothing is cached
seconds_per_line=60
