/**
 * Limits of memory, by groups of the kernel (cgroup v2). A process can divide the group that it was started in if that was given
 * to it: by systemd with `Delegate=yes`, or by a container engine. Its own processes go into one part, `worker`, because a group
 * with a limited part has no processes itself; commands go into groups of their own in the other part, `commands`.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasErrorCode } from '../error-code.ts';

export interface MemoryGroups {
  /** A group that nothing else uses, for commands that may take so much memory together. The first command makes it. */
  limited(name: string, bytes: number): MemoryLimit;
}

export interface MemoryLimit {
  /** The folder of the group. */
  readonly group: string;
  readonly bytes: number;
}

export type OpenedGroups =
  { readonly kind: 'opened'; readonly groups: MemoryGroups } | { readonly kind: 'not-opened'; readonly why: string };

/** The part of the worker's own processes. A worker may also be started in it, as by `DelegateSubgroup=` of systemd. */
const OWN_PART = 'worker';

/** Moves all processes of the group into a part of it. Default: the group of this process. */
export function openMemoryGroups(group = ownGroup()): OpenedGroups {
  if (group === undefined) return { kind: 'not-opened', why: 'no cgroup v2 is mounted' };
  const own = basename(group) === OWN_PART ? dirname(group) : group;
  try {
    const controllers = readFileSync(join(own, 'cgroup.controllers'), 'utf8').trim();
    if (!controllers.split(' ').includes('memory'))
      return { kind: 'not-opened', why: `${own} has no controller of memory, but "${controllers}"` };
    moveProcesses(own, join(own, OWN_PART));
    writeFileSync(join(own, 'cgroup.subtree_control'), '+memory');
    const commands = join(own, 'commands');
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(commands, 'cgroup.subtree_control'), '+memory');
    return { kind: 'opened', groups: groupsIn(commands) };
  } catch (error) {
    return { kind: 'not-opened', why: error instanceof Error ? error.message : String(error) };
  }
}

/** Processes that begin meanwhile are still in the old group. */
const ROUNDS = 10;

function moveProcesses(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = readFileSync(join(from, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
    if (pids.length === 0) return;
    for (const pid of pids) moveProcess(pid, to);
  }
}

function moveProcess(pid: string, to: string): void {
  try {
    writeFileSync(join(to, 'cgroup.procs'), pid);
  } catch (error) {
    if (!hasErrorCode(error, NO_SUCH_PROCESS)) throw error;
  }
}

/** It ended meanwhile. */
const NO_SUCH_PROCESS = 'ESRCH';

function groupsIn(folder: string): MemoryGroups {
  return {
    limited(name, bytes) {
      removeEmpty(folder);
      return { group: join(folder, name), bytes };
    },
  };
}

/** The kernel removes no group in which a process lives. */
function removeEmpty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    try {
      rmdirSync(join(folder, entry.name));
    } catch {
      // It is in use.
    }
  }
}

/** Undefined where there is no cgroup v2. */
function ownGroup(): string | undefined {
  const mount = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .find((line) => line.includes(' - cgroup2 '))
    ?.split(' ')[4];
  const group = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  return mount === undefined || group === undefined ? undefined : join(mount, group);
}

/**
 * Enters a group, and goes on as the program that follows. Another job may remove the group before it has a process: then once
 * more. Memory that is swapped out would not count.
 */
const ENTER = `
_nereid_group=$1
_nereid_bytes=$2
shift 2
for _nereid_try in 1 2 3 4 5
do
  /bin/mkdir -p "$_nereid_group" &&
  printf %s "$_nereid_bytes" >"$_nereid_group/memory.max" &&
  { [ ! -e "$_nereid_group/memory.swap.max" ] || printf 0 >"$_nereid_group/memory.swap.max"; } &&
  printf 0 >"$_nereid_group/cgroup.procs" && exec "$@"
done
exit 125
`;

/** The command line that runs the program, and all that it starts, in the group. */
export function withinGroup({ group, bytes }: MemoryLimit, argv: readonly string[]) {
  return { program: '/bin/sh', args: ['-c', ENTER, 'memory', group, String(bytes), ...argv] };
}
