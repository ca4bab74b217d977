# Sourced by scripts/serve, test, package and size: what each step starts, then how long it took. Two
# lines, because steps may run beside each other.
# Expects the repository as the working folder. Knows no step itself.

mkdir -p build/log

seconds_since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", b - a }'; }

# step NAME COMMAND…: output goes to build/log/NAME.log; on failure its end is shown and the status is the command's.
step() {
  local name=$1 start=$EPOCHREALTIME status=0 hint=
  shift
  [[ $name == build-* && ! -e build/log/$name.log ]] && hint=' (minutes the first time)'
  printf '%s%s …\n' "$name" "$hint"
  "$@" >"build/log/$name.log" 2>&1 </dev/null || status=$?
  if ((status == 0)); then
    printf '%s: done in %s\n' "$name" "$(seconds_since "$start")"
  else
    printf '%s: failed after %s; the whole output is in build/log/%s.log\n' "$name" "$(seconds_since "$start")" "$name"
    tail -n 40 "build/log/$name.log" | sed 's/^/  | /'
  fi
  return "$status"
}

# build PRESET TARGET…: without targets, all of them. One build at a time works in a folder.
build() {
  local preset=$1
  shift
  (
    flock 8 && cmake --preset "$preset" && cmake --build --preset "$preset" ${1:+--target "$@"}
  ) 8>"build/log/$preset.lock"
}
