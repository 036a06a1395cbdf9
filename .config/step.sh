#!/usr/bin/env bash
# Runs one step: prints its title, a sign that it still runs, and the time it took. Its output is shown when it fails.
#   .config/step.sh TITLE COMMAND [ARGUMENT] …
set -euo pipefail

title=$1
shift

# A terminal gets a running clock; a log gets a line now and then, as a sign of life.
every=15 clock='… %s (%s s)\n' again=''
if [ -t 1 ] && [ "${TERM:-}" != dumb ]; then every=1 clock='\r… %s (%s s)' again='\r'; fi

watch() {
  while sleep "$every" >/dev/null 2>&1; do
    # shellcheck disable=SC2059 # the format is one of the two above
    printf "$clock" "$title" "$SECONDS"
  done
}

output=$(mktemp)
printf '… %s' "$title"
[ -n "$again" ] || printf '\n'
watch &
watcher=$!
trap 'kill "$watcher" 2>/dev/null || true; rm -f "$output"' EXIT

status=0
"$@" >"$output" 2>&1 </dev/null || status=$?

kill "$watcher"
wait "$watcher" 2>/dev/null || true
[ -z "$again" ] || printf '\r'
if [ "$status" -eq 0 ]; then
  printf '✓ %s (%s s)\n' "$title" "$SECONDS"
else
  printf '✗ %s (%s s)\n' "$title" "$SECONDS"
  cat "$output"
fi
exit "$status"
