# Sourced by tests/run after packages.sh: tests/run --debian.
# shellcheck shell=bash

declare -A debian_suites=([12]=bookworm [13]=trixie)
# What README promises: without a display app/run starts the terminal monitor, with one the tray app.
debian_commands=('app/run snapshot >/tmp/snapshot.csv' 'QT_QPA_PLATFORM=offscreen app/run --version' tests/run)

# run_debian 12|13 [--reuse] [COMMAND...]: README's commands, or COMMAND, in a clone of the last commit, in a fresh Debian in
# .build/debian-12 or -13, which stays there; with --reuse in the one of the last run, where everything is built already.
run_debian() {
  local release=${1:-} reuse=false root command
  local -a commands=("${debian_commands[@]}")
  if [ -z "${debian_suites[${release:-none}]:-}" ]; then
    say 'a release is missing: tests/run --debian 12|13 [--reuse] [COMMAND...]'
    return 2
  fi
  shift
  [ "${1:-}" != --reuse ] || { reuse=true && shift; }
  [ $# = 0 ] || commands=("$*")
  if [ "$(id -u)" != 0 ]; then
    say '--debian needs root, to change the root folder and to mount /proc there: sudo tests/run --debian ...'
    return 1
  fi

  root=${FAULTLINE_DEBIAN:-$PWD/.build}/debian-$release
  if [ $reuse = false ] || [ ! -d "$root" ]; then make_debian "${debian_suites[$release]}" "$root" || return; fi
  clone_into "$root/home/faultline" || return
  for command in "${commands[@]}"; do
    say "Debian $release: $command"
    TIMEFORMAT="faultline: Debian $release: $command: %0lR, %0lU of processor in programs and %0lS in the kernel"
    time in_debian "$root" "$command" || { say "Debian $release: $command failed" && return 1; }
  done
}

# make_debian SUITE FOLDER: the smallest Debian with apt, from this machine's mirror with its settings for
# downloads and its own certificates. git makes the clone.
make_debian() {
  local suite=$1 to=$2 origin
  install_missing 'to make a fresh Debian' debootstrap debian-archive-keyring || return
  origin=$(apt_origin)
  if [ -z "$origin" ] || [ "$(. /etc/os-release && printf '%s' "$ID")" != debian ]; then
    say 'only Debian knows a mirror of Debian'
    return 1
  fi
  say "making a fresh Debian ($suite) in $to"
  mkdir -p "${to%/*}"
  rm -rf --one-file-system "$to" "$to.new"
  quietly unshare --mount --propagation private \
    debootstrap --variant=minbase --include=ca-certificates,git "$suite" "$to.new" "$origin" || return
  apt-config dump Acquire | grep -v ::IndexTargets:: >"$to.new/etc/apt/apt.conf.d/00machine"
  if cp /usr/local/share/ca-certificates/*.crt "$to.new/usr/local/share/ca-certificates/" 2>/dev/null; then
    quietly chroot "$to.new" update-ca-certificates || return
  fi
  mv "$to.new" "$to"
}

# clone_into FOLDER: the last commit of this checkout; build folders of an earlier clone stay.
clone_into() {
  git diff --quiet HEAD || say 'changes that are not committed are left out'
  if [ -d "$1" ]; then
    git -C "$1" fetch -q "$PWD" HEAD && git -C "$1" checkout -qf FETCH_HEAD
  else
    git clone -q "$PWD" "$1"
  fi
}

# in_debian FOLDER COMMAND: FOLDER becomes the root folder of a mount namespace, as in a container: in a chroot the kernel makes
# no namespaces. All mounts end with the command.
in_debian() {
  cp -L /etc/resolv.conf "$1/etc/resolv.conf"
  unshare --mount --propagation private sh -euc '
    mount --bind "$1" "$1"
    for part in proc sys dev; do mount --rbind "/$part" "$1/$part"; done
    cd "$1"
    pivot_root . .
    umount -l .
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
      TERM="${TERM:-dumb}" ${FAULTLINE_WERROR:+FAULTLINE_WERROR="$FAULTLINE_WERROR"} bash -c "cd /home/faultline && $2"' sh "$@"
}
