#!/bin/bash
# Runs a command, as root, on a machine of its own: its network, its mounts, its processes. All of them end with the command, and
# so do its temporary files and its groups of processes.
set -euo pipefail

TMPDIR=$(mktemp -d)
export TMPDIR

clean() {
  rm -rf "$TMPDIR"
  find /sys/fs/cgroup -depth -type d -path "*/$(basename "$TMPDIR")*" -exec rmdir {} +
}
trap clean EXIT

# The shell has the processes that lost their parent.
unshare --net --mount --pid --fork --kill-child --mount-proc bash -c '"$@"; exit' bash "$@"
