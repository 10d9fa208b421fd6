# Sourced by tests/run: compares the working tree with another commit, whose files and builds are in .build/against.
# shellcheck shell=bash

count_packages=(python3 valgrind)

# The commit to compare with: the one in the file beside the benches, else the last tag.
baseline() {
  awk '!/^#/ && NF { print $1; exit }' tests/bench/baseline 2>/dev/null | grep . || git describe --tags --abbrev=0
}

# other_tree COMMIT: unpacks it, and sets `commit` and `tree`. Fails if this clone does not have the commit.
other_tree() {
  commit=$(git rev-parse --quiet --verify "$1^{commit}") || return
  tree=$PWD/.build/against/$commit
  [ ! -d "$tree" ] || return 0
  rm -rf "$tree.new" && mkdir -p "$tree.new"
  git archive "$commit" | tar -x -C "$tree.new" && mv "$tree.new" "$tree"
}

# in_other COMMAND...: runs it in the other tree, which shares what was downloaded, and the compiler cache.
in_other() {
  local shared
  mkdir -p "$tree/.build"
  for shared in catch2 python; do ln -sfn "$PWD/.build/$shared" "$tree/.build/$shared"; done
  (cd "$tree" && export CCACHE_BASEDIR=$PWD && "$@")
}

# lay_over FILE...: puts today's files into the other tree, so that both do the same work.
lay_over() {
  local file
  for file in "$@"; do
    mkdir -p "$tree/$(dirname "$file")"
    cmp -s "$file" "$tree/$file" || cp "$file" "$tree/$file"
  done
}

# take_back FILE: puts the commit's own file into its place. Fails if it has none.
take_back() {
  rm "$tree/$1"
  git cat-file -e "$commit:$1" 2>/dev/null && git show "$commit:$1" >"$tree/$1"
}

# build_other SOURCE FOLDER TARGET: builds it in the other tree from today's source, else from the commit's own. Fails if
# neither compiles.
build_other() {
  local log=$tree.$3.log
  in_other build "$2" "$3" 2>"$log" && return
  if take_back "$1" && in_other build "$2" "$3" 2>"$log"; then
    say "$3: today's source does not compile with that commit, whose own may do other work"
  else
    say "$3: not compared, as that commit cannot build it (see $log)"
    return 1
  fi
}

# run_against [COMMIT] [NAME...] [--pairs N]
run_against() {
  local name names=() both=() options=() commit tree from=${1:-}
  if [ -z "$from" ] || [ "$from" = --pairs ] || [ -f "tests/bench/$from.cpp" ]; then from=$(baseline); else shift; fi
  while [ $# -gt 0 ]; do
    if [ "$1" = --pairs ]; then options=("$1" "${2:-}") && shift; else names+=("$1"); fi
    shift
  done
  [ ${#names[@]} != 0 ] || mapfile -t names < <(basename -s .cpp tests/bench/*.cpp)
  if ! other_tree "$from"; then
    say "this clone has no commit '$from' to compare with"
    return 2
  fi
  prepare_release
  build "$folder" "${names[@]/#/bench_}"
  lay_over tests/bench/CMakeLists.txt
  for name in "${names[@]}"; do lay_over "tests/bench/$name.cpp"; done
  in_other prepare_release
  for name in "${names[@]}"; do
    if build_other "tests/bench/$name.cpp" .build/release-tests "bench_$name"; then both+=("$name"); fi
  done
  [ ${#both[@]} != 0 ] || return 2
  say "ratios of the working tree to $commit: more than 1 is slower, or larger"
  python3 -B tests/bench/against.py times "$tree/.build/release-tests/bin" "$folder/bin" "${both[@]}" "${options[@]}"
}

# configure_instructions TREE
configure_instructions() {
  (cd "$1/tests/bench/instructions" && CCACHE_BASEDIR=$1 configure "$1/.build/instructions" -DCMAKE_BUILD_TYPE=Release \
    -DFAULTLINE_WERROR="${FAULTLINE_WERROR:-OFF}")
}

# run_instructions [COMMIT]
run_instructions() {
  local commit tree name names=() from=${1:-} parts=(CMakeLists.txt core tests/bench/instructions)
  [ -n "$from" ] || from=$(baseline)
  if ! other_tree "$from"; then
    say "nothing is compared: this clone has no commit '$from'"
    return 0
  fi
  if git diff --quiet "$commit" -- "${parts[@]}" && [ -z "$(git status --porcelain -- "${parts[@]}")" ]; then
    say "nothing is compared: core is that of $commit"
    return 0
  fi
  install_missing 'to count instructions' "${build_packages[@]}" "${count_packages[@]}"
  configure_instructions "$PWD"
  build .build/instructions
  lay_over tests/bench/instructions/*
  in_other configure_instructions "$tree"
  for name in tests/bench/instructions/*.cpp; do
    if build_other "$name" .build/instructions "$(basename "$name" .cpp)"; then names+=("$(basename "$name" .cpp)"); fi
  done
  [ ${#names[@]} != 0 ] || return 1
  [ -z "${FAULTLINE_BUILD_ONLY:-}" ] || return 0
  say "instructions from $commit to the working tree"
  python3 -B tests/bench/against.py instructions "$tree/.build/instructions" .build/instructions "${names[@]}"
}
