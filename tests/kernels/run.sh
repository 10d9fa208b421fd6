# Sourced by tests/run: tests/run --kernels.
# shellcheck shell=bash
. tests/kernels/guest.sh

kernel_packages=(qemu-system-x86 busybox-static cpio debian-archive-keyring libcap2-bin passwd)
declare -A kernel_suites=([5.10]=bullseye [6.1]=bookworm [6.12]=trixie [newest]=trixie-backports)
kernel_programs=(faultline-collector faultline-cli fake_game kernel_facts test_platform)

# fetch_kernel NAME: Debian's kernel of that name into .build/kernels/NAME, with its config and its release.
fetch_kernel() {
  local name=$1 to=$PWD/.build/kernels/$1 release package parts=()
  [ ! -f "$to/release" ] || return 0
  [ "$(. /etc/os-release && printf '%s' "$ID")" = debian ] || { say 'only Debian has these kernels' && return 1; }
  private_apt deb "${kernel_suites[$name]}" "$to.apt" || return
  quietly "${private_apt[@]}" update || return
  release=$(apt-cache "${private_apt[@]:2}" depends linux-image-amd64 | sed -n '0,/Depends: linux-image-/s/.*Depends: linux-image-//p')
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
  local to=$PWD/.build/kernels/$1 program
  make_root "$to/root"
  for program in "${kernel_programs[@]}"; do
    [ ! -e "$folder/bin/$program" ] || copy_program "$to/root" "$folder/bin/$program"
  done
  mkdir -p "$to/root/boot" "$to/root$PWD/tests"
  cp -r tests/fixtures "$to/root$PWD/tests/"
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
  local names=() words='tests=1' limit=7200 name logs=()
  case ${1:-} in
    --facts-only) words='facts=1' limit=330 && shift ;;
    --no-tests) words='' && shift ;;
  esac
  names=("$@")
  [ $# != 0 ] || names=(5.10 6.1 6.12 newest)
  for name in "${names[@]}"; do
    [ -n "${kernel_suites[$name]:-}" ] || { say "there is no kernel called $name; known are ${!kernel_suites[*]}" && return 2; }
  done
  install_missing 'to boot kernels' "${kernel_packages[@]}"
  prepare_release
  build "$folder" "${kernel_programs[@]}"
  for name in "${names[@]}"; do
    fetch_kernel "$name"
    kernel_initrd "$name"
    boot_one "$name" "$limit" "$name" ${words:+"$words"}
    [[ $name == 6.12 && $words != facts=1 ]] || continue
    boot_one "$name" "$limit" "$name-confidentiality" facts=1 lockdown=confidentiality
    boot_one "$name" "$limit" "$name-integrity" facts=1 lockdown=integrity  # as the former names its remedy
    guest_options='-icount shift=0' boot_one "$name" "$limit" "$name-cost" cost=1
  done
  python3 tests/kernels/table.py "${logs[@]}"
}
