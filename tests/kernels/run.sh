# Sourced by tests/run: tests/run --kernels.
# shellcheck shell=bash
. tests/kernels/guest.sh

kernel_packages=(qemu-system-x86 busybox-static cpio debian-archive-keyring libcap2-bin passwd binutils)
arm64_packages=(qemu-system-arm g++-aarch64-linux-gnu)
arm64_system=(libbpf-dev libelf-dev libdw-dev zlib1g-dev libseccomp-dev libstdc++6 libcap2-bin passwd util-linux libc-bin
  binutils busybox-static)
declare -A kernel_suites=([5.10]=bullseye [6.1]=bookworm [6.12]=trixie [newest]=trixie-backports [arm64]=trixie)
kernel_programs=(faultline-collector faultline-cli fake_game planted_game kernel_facts)

# for_arm64 WORK: makes private_apt, which private_apt() has set up in WORK, one of a system without any package.
for_arm64() {
  : >"$1/status"
  private_apt+=(-o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o "Dir::State::status=$1/status")
}

# fetch_arm64_system FOLDER: the libraries and tools of this release, unpacked; with /bin and /lib in /usr.
fetch_arm64_system() {
  local to=$1 package part
  [ ! -d "$to" ] || return 0
  private_apt deb "$(release_name)" "$to.apt" && for_arm64 "$to.apt" || return
  say "fetching this release's libraries for arm64 into .build (nothing is installed)"
  quietly "${private_apt[@]}" update || return
  quietly "${private_apt[@]}" -y --no-install-recommends --download-only install "${arm64_system[@]}" || return
  for part in bin sbin lib; do mkdir -p "$to.new/usr/$part" && ln -sfn "usr/$part" "$to.new/$part"; done
  for package in "$to.apt"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -C "$to.new" -x --keep-directory-symlink || return
  done
  mv "$to.new" "$to" && rm -rf "$to.apt"
}

# Cross-compiles into .build/arm64-tests.
build_for_arm64() {
  install_missing 'to build for arm64, and to boot kernels' "${arm64_packages[@]}" "${header_packages[@]}"
  folder=$PWD/.build/arm64-tests
  mkdir -p "$folder"
  fetch_arm64_system "$PWD/.build/arm64-system"
  link_header_libraries "$folder/libraries"
  provide_catch2_source "$folder/catch2.tar.gz"
  configure "$folder" -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/kernels/arm64.cmake" -DFAULTLINE_ARM64_SYSTEM="$PWD/.build/arm64-system" \
    -DFAULTLINE_ARM64_HEADERS="$folder/libraries" -DCMAKE_BUILD_TYPE=Release -DFAULTLINE_TRAY=OFF \
    -DFAULTLINE_BATCHES=ON
  build "$folder" "${kernel_programs[@]}"
}

# fetch_kernel NAME: Debian's kernel of that name into .build/kernels/NAME, with its config and its release.
fetch_kernel() {
  local name=$1 to=$PWD/.build/kernels/$1 machine=amd64 release package parts=()
  [ ! -f "$to/release" ] || return 0
  [ "$(. /etc/os-release && printf '%s' "$ID")" = debian ] || { say 'only Debian has these kernels' && return 1; }
  private_apt deb "${kernel_suites[$name]}" "$to.apt" || return
  [ "$name" != arm64 ] || { machine=arm64 && for_arm64 "$to.apt"; }
  quietly "${private_apt[@]}" update || return
  release=$(apt-cache "${private_apt[@]:2}" depends linux-image-$machine | sed -n '0,/Depends: linux-image-/s/.*Depends: linux-image-//p')
  for package in linux-{image,binary,base}-"$release"; do  # since 7.0 in several
    ! apt-cache "${private_apt[@]:2}" show "$package" >/dev/null 2>&1 || parts+=("$package")
  done
  say "fetching Linux $release of ${kernel_suites[$name]} into .build/kernels (nothing is installed)"
  (cd "$to.apt" && quietly "${private_apt[@]}" download "${parts[@]}") || return
  mkdir -p "$to"
  for package in "$to.apt"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$to.apt" --wildcards '*/vmlinuz*' '*/config' '*/config-*' 2>/dev/null || true
  done
  cp "$(find "$to.apt" -name 'vmlinuz*')" "$to/vmlinuz"
  cp "$(find "$to.apt" -path '*/boot/config-*' -o -path '*/modules/*/config')" "$to/config"
  printf '%s\n' "$release" >"$to/release"
  rm -rf "$to.apt"
}

# kernel_initrd NAME: .build/kernels/NAME/initrd, with the programs that were built.
kernel_initrd() {
  local to=$PWD/.build/kernels/$1 program system=
  [ "$1" != arm64 ] || system=$PWD/.build/arm64-system
  make_root "$to/root" "$system"
  for program in "${kernel_programs[@]}"; do
    [ ! -e "$folder/bin/$program" ] || copy_program "$to/root" "$folder/bin/$program"
  done
  mkdir -p "$to/root/boot" "$to/root$PWD/tests" "$to/root$folder/tests"
  cp -r tests/fixtures "$to/root$PWD/tests/"
  if [[ ${kernel_programs[*]} == *test_platform* ]]; then
    cp "$folder"/bin/*.so* "$to/root$folder/bin/"
    cp -r tests/support "$to/root$PWD/tests/"
    cp -r "$folder/tests/marked" "$to/root$folder/tests/"
  fi
  cp "$to/config" "$to/root/boot/config-$(cat "$to/release")"
  ln -s "$folder/bin" "$to/root/faultline"
  install resources/faultline-grant "$to/root$folder/bin"
  install tests/kernels/settings "$to/root"
  pack "$to/root" "$to/initrd"
  rm -rf "$to/root"
}

# boot_one NAME LIMIT LOG WORDS...
boot_one() {
  local name=$1 limit=$2 log=.build/kernels/$3.log
  shift 3
  logs+=("$log")
  say "booting $(cat ".build/kernels/$name/release")${1:+ with $*}; its console is in $log"
  boot ".build/kernels/$name" ".build/kernels/$name/initrd" "$limit" script=/settings "$@" >"$log" || true
}

run_kernels() {
  local names=() words='tests=1' limit=7200 name guest_machine logs=()
  case ${1:-} in
    --facts-only) words='facts=1' limit=540 && shift ;;
    --no-tests) words='' && shift ;;
    --tests-only) words='tests=1 facts=0' && shift ;;
  esac
  names=("$@")
  [ $# != 0 ] || names=(5.10 6.1 6.12 newest)
  for name in "${names[@]}"; do
    [ -n "${kernel_suites[$name]:-}" ] || { say "there is no kernel called $name; known are ${!kernel_suites[*]}" && return 2; }
  done
  [[ $words != *tests=1* ]] || kernel_programs+=(test_platform)
  install_missing 'to boot kernels' "${kernel_packages[@]}"
  if [[ " ${names[*]} " != ' arm64 ' ]]; then prepare_release && build "$folder" "${kernel_programs[@]}"; fi
  [ -z "${FAULTLINE_BUILD_ONLY:-}" ] || return 0
  for name in "${names[@]}"; do
    guest_machine=
    if [ "$name" = arm64 ]; then guest_machine=arm64 && build_for_arm64; fi
    fetch_kernel "$name"
    kernel_initrd "$name"
    boot_one "$name" "$limit" "$name" ${words:+"$words"}
    [[ $name == 6.12 && $words != *facts=* ]] || continue
    boot_one "$name" "$limit" "$name-confidentiality" facts=1 lockdown=confidentiality
    boot_one "$name" "$limit" "$name-integrity" facts=1 lockdown=integrity  # as the former names its remedy
    guest_options='-icount shift=0' boot_one "$name" "$limit" "$name-cost" cost=1
  done
  python3 tests/kernels/table.py "${logs[@]}"
}
