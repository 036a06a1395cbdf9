#!/bin/sh
# The first process of the worker's container: init.sh COMMAND [ARGUMENT]…
#
# An apply goes on when its worker dies, and the next worker reports its true end. In a container, that takes a first process
# that stays: when the container ends, the kernel kills the apply in mid-write. So, when COMMAND ends,
#
# - and no apply runs, the container ends with its exit code;
# - and an apply runs, COMMAND is started again, in the same container and with the same disk, and says so in one line of the log;
# - and an apply runs, but the container is asked to stop, or COMMAND ends again and again, the container stays until it is over.
#
# COMMAND gets SIGTERM or SIGINT once, however often they come, since a worker takes the second one for an order to hurry;
# SIGHUP, each time. Processes whose parent is gone are collected by `wait`, which takes all children of this process.
#
# It is a shell, of a megabyte, and no other node, of forty. What is read here was written by the supervisors of commands (packages/subprocess/src/supervisor.ts), outside of every
# sandbox, and is compared, never run. All of it is read before anything is started: main is called at the end.

# The first pause before COMMAND is started again. Twice as long each time, up to a minute.
first_pause=1
longest_pause=60

# Temporal, storage or the disk may be away for a while. This often, COMMAND ends within five minutes of its start: half an hour.
limit=30
steady=300

# An apply that nobody follows lasts minutes; a look takes milliseconds.
look_every=5

# A supervisor records itself within milliseconds of its start, but the worker that started it may end in between.
record_wait=1

work=${WORK_DIR:-/var/lib/nereid/work}

main() {
  # A shell gives what it starts in the background no standard input.
  exec 3<&0
  asked=
  passed=
  heard=
  process=
  trap 'asked=TERM; heard=1; pass' TERM
  # A terminal sends it to the whole group.
  trap 'asked=INT; heard=1; [ -t 3 ] || pass' INT
  trap 'heard=1; [ -z "$process" ] || kill -s HUP "$process"' HUP

  pause=$first_pause
  ends=0
  while :; do
    run "$@"
    applies=$(living_applies)
    if [ -z "$applies" ] && is_beginning; then
      rest "$record_wait"
      applies=$(living_applies)
    fi
    [ "$applies" ] || exit "$code"
    if [ "$asked" ]; then
      await_applies "the worker ended while it stopped; its container stays until the applies that it left are over"
    fi
    if [ "$lasted" -ge "$steady" ]; then
      pause=$first_pause
      ends=0
    fi
    ends=$((ends + 1))
    if [ "$ends" -gt "$limit" ]; then
      await_applies "the worker ends again and again; its container stays until the applies that it left are over"
    fi
    say "the worker ended while it applied; it is started again"
    rest "$pause"
    [ -z "$asked" ] || await_applies "asked to stop; the container stays until the applies that a lost worker left are over"
    pause=$((pause * 2))
    [ "$pause" -le "$longest_pause" ] || pause=$longest_pause
  done
}

# Runs COMMAND. Afterwards, `code` is its exit code, as a shell reports it, and `lasted` how many seconds it ran.
run() {
  begun=$(uptime)
  "$@" <&3 3<&- &
  process=$!
  # The signal may have come before there was a process to pass it to.
  [ -z "$asked" ] || pass
  heard=
  # On the standard error, the shell itself would say that it was killed.
  wait "$process" 2>/dev/null
  code=$?
  # A signal ends `wait`, too. A process that is not known to it any more has been waited for.
  while [ "$heard" ]; do
    heard=
    wait "$process" 2>/dev/null
    again=$?
    [ "$again" -eq 127 ] || code=$again
  done
  process=
  lasted=$(($(uptime) - begun))
}

pass() {
  [ "$process" ] && [ -z "$passed" ] || return 0
  passed=1
  kill -s "$asked" "$process"
}

# Ends the container when no apply runs any more.
await_applies() {
  say "$1"
  while [ "$(living_applies)" ]; do rest "$look_every"; done
  exit "$code"
}

# A pause that signals end early, and in which orphans are collected.
rest() {
  sleep "$1" &
  wait "$!"
}

# The deployments whose apply runs, each as `,"<id>"`: see packages/subprocess/src/command-files.ts. Folders of deployments are
# named by ids, and those of their jobs are where no file of a repository is.
living_applies() {
  for record in "$work"/$id/jobs/*/apply.process; do
    job=${record%/apply.process}
    deployment=${job%/jobs/*}
    deployment=${deployment##*/}
    case $deployment in *[!0-9a-f-]*) continue ;; esac
    if is_alive "$record" || is_sandbox_alive "$job/apply.sandbox"; then printf ',"%s"' "$deployment"; fi
  done
}

id='????????-????-????-????-????????????'

# Whether an apply was to start that has no record yet.
is_beginning() {
  for output in "$work"/$id/jobs/*/apply.output; do
    [ ! -e "$output" ] || [ -e "${output%.output}.process" ] || return 0
  done
  return 1
}

# Whether exactly the supervisor that wrote the record runs: a pid may be another process's by now.
is_alive() {
  [ -e "$1" ] || return 1
  {
    read -r pid
    read -r boot
    read -r stat
  } <"$1" || return 1
  is_number "$pid" || return 1
  read -r now </proc/sys/kernel/random/boot_id
  [ "$boot" = "$now" ] || return 1
  read -r found 2>/dev/null <"/proc/$pid/stat" || return 1
  [ "$(start_of "$stat")" = "$(start_of "$found")" ] && ! is_zombie "$found"
}

# The 22nd field of /proc/<pid>/stat, counted from the name, which may have spaces: see proc_pid_stat(5).
start_of() {
  # shellcheck disable=SC2086 # Its fields.
  set -f -- ${1##*) }
  printf %s "${20:-}"
}

is_zombie() {
  case ${1##*) } in Z*) ;; *) return 1 ;; esac
}

# Whether the first process of a sandbox runs, although its supervisor was killed.
is_sandbox_alive() {
  [ -e "$1" ] || return 1
  first=
  namespace=
  while read -r line; do
    case $line in
      *'"child-pid": '*)
        first=${line#*'"child-pid": '}
        first=${first%%[!0-9]*}
        ;;
    esac
    case $line in
      *'"pid-namespace": '*)
        namespace=${line#*'"pid-namespace": '}
        namespace=${namespace%%[!0-9]*}
        ;;
    esac
  done <"$1"
  [ "$first" ] && [ "$namespace" ] && [ "$(readlink "/proc/$first/ns/pid" 2>/dev/null)" = "pid:[$namespace]" ]
}

is_number() {
  case $1 in '' | *[!0-9]*) return 1 ;; esac
}

# Whole seconds since the boot.
uptime() {
  read -r seconds _ </proc/uptime
  printf %s "${seconds%%.*}"
}

# One line, as the worker's own log has them; $1 is one of the sentences above.
say() {
  if [ -t 1 ]; then
    printf 'WARN: %s (exit code %s, deployments %s)\n' "$1" "$code" "${applies#,}"
  else
    printf '{"level":40,"time":%s000,"app":"worker","exitCode":%s,"deployments":[%s],"msg":"%s"}\n' \
      "$(date +%s)" "$code" "${applies#,}" "$1"
  fi
}

main "$@"
