# Sourced by tests/run and tests/kernels/run.sh: a guest in QEMU, whose whole system is one initramfs: busybox, programs
# with their libraries, and a script to run. No disk and no module is needed, so that any kernel does.
# shellcheck shell=bash

guest_tools=(setcap getcap getent groupadd usermod flock nm)

# copy_program ROOT FILE...: each at the path that it has here, with the libraries that it is linked to.
copy_program() {
  local root=$1 file library
  shift
  for file in "$@"; do
    install -D "$file" "$root$file"
    { ldd "$file" 2>/dev/null || true; } | awk '/=> \// { print $3 } /^\t\// { print $1 }' | while read -r library; do
      [ -e "$root$library" ] || install -D "$library" "$root$library"
    done
  done
}

# make_root ROOT [SYSTEM]: what every guest has, from this machine, or from SYSTEM: packages unpacked for another processor.
make_root() {
  local root=$1 system=${2:-} tool path
  rm -rf "$root"
  mkdir -p "$root"/{bin,dev,etc,proc,root,run,sys,tmp,usr/local,usr/sbin,usr/bin,var/lib}
  if [ -n "$system" ]; then
    tar -C "$system" --exclude='*.a' --exclude=include --exclude=share --exclude=gconv -c . | tar -C "$root" -x
  else
    install "$(command -v busybox)" "$root/bin/busybox"
  fi
  for tool in $(busybox --list); do [ -e "$root/bin/$tool" ] || ln -s busybox "$root/bin/$tool"; done
  [ -n "$system" ] || for tool in "${guest_tools[@]}"; do
    path=$(readlink -f "$(PATH=$PATH:/usr/sbin:/sbin command -v "$tool")")
    copy_program "$root" "$path"
    [ "${path##*/}" = "$tool" ] || ln -s "$path" "$root/bin/$tool"  # nm has a target's name
  done
  printf 'root:x:0:0::/root:/bin/sh\nplayer:x:1000:1000::/tmp:/bin/sh\nother:x:1001:1001::/tmp:/bin/sh\n' >"$root/etc/passwd"
  printf 'root:x:0:\nplayer:x:1000:\nother:x:1001:\n' >"$root/etc/group"
  printf 'root:*::0:::::\nplayer:*::0:::::\nother:*::0:::::\n' >"$root/etc/shadow"
  printf 'passwd: files\ngroup: files\nshadow: files\n' >"$root/etc/nsswitch.conf"
  : >"$root/etc/login.defs"
  install tests/kernels/init "$root/init"
}

# pack ROOT FILE: as an initramfs; not compressed, which an emulated processor would take long to undo.
pack() { (cd "$1" && find . | cpio --quiet -o -H newc -R 0:0) >"$2"; }

# boot KERNEL INITRD SECONDS WORDS...: its console on standard output. KERNEL is a folder with vmlinuz in it. The words
# are for the kernel's command line: script=/PATH (and what that script reads from /proc/cmdline). guest_machine: the
# processor, if not this machine's. guest_options: more options of QEMU; -icount counts instructions for time, so that a
# busy host does not show in it.
# Multi-threaded emulation has crashed guests; on a busy machine a kernel that checks its timer panics.
boot() {
  local kernel=$1 initrd=$2 seconds=$3 qemu=(qemu-system-x86_64 -cpu max -machine q35) console=ttyS0
  shift 3
  [ "${guest_machine:-}" != arm64 ] || qemu=(qemu-system-aarch64 -cpu cortex-a72 -machine virt) console=ttyAMA0
  timeout -k 10 "$seconds" nice -n 10 "${qemu[@]}" -accel tcg,thread=single -m 2048 -smp 2 \
    -display none -monitor none -serial stdio -no-reboot -nic none ${guest_options:-} -kernel "$kernel/vmlinuz" -initrd "$initrd" \
    -append "console=$console panic=-1 quiet no_timer_check $*" </dev/null | tr -d '\r'
}
