/**
 * A sandbox for one command, made by bubblewrap: the command sees the files that it is given, its own processes, and of the
 * network all or nothing. Whatever it starts ends with it, in a session of its own or not.
 */
import { withinGroup, type MemoryLimit } from './memory-groups.ts';
import { systemCallFilter } from './system-calls.ts';

export interface Sandbox {
  /** The path of `bwrap`. */
  readonly bubblewrap: string;
  /** Everything that the command sees, in this order: a later entry may lie within an earlier one. */
  readonly files: readonly SandboxFile[];
  readonly network: 'host' | 'none';
  /** Default: one of its own. Without any, no process sees another one, or the files that it has open. */
  readonly proc?: 'own' | 'none' | undefined;
  /** Default: those of this process. */
  readonly limits?: SandboxLimits;
  /** Default: what this process may take. */
  readonly memory?: MemoryLimit | undefined;
}

export interface SandboxLimits {
  /** Processes and threads at a time. From 5.14, the kernel counts them for each sandbox; it does not limit root. */
  readonly processes: number;
  /** At a time, of each process. */
  readonly openFiles: number;
  /** Of each file that is written. */
  readonly fileBytes: number;
}

/** A file or folder with all that is in it. It must exist. */
export interface SandboxFile {
  /** The real one: a sandbox is not made with a path that leads through a link. */
  readonly path: string;
  readonly access: 'read' | 'write';
  /** Its path in the sandbox; default: the same. */
  readonly at?: string;
  /** Of the system, and its path has been followed to its end: nobody but root can put a link in its place. */
  readonly isOfSystem?: true;
}

/**
 * `captured`: the command ends when bubblewrap does. `supervised`: it goes on, and its status is written to descriptor 4, by
 * bubblewrap, and 5, by the first process.
 */
export type SandboxKind = 'captured' | 'supervised';

interface Enclosed {
  readonly program: string;
  readonly args: readonly string[];
  /** What bubblewrap reads from descriptor 3. */
  readonly descriptor3: Uint8Array;
}

/** Each is a new one, and no capability is left. The filter of system calls forbids nested ones. */
const NAMESPACES = ['user', 'pid', 'ipc', 'uts', 'cgroup-try'].map((name) => `--unshare-${name}`);

/**
 * The first process of the sandbox. When it ends, the kernel kills all others. It runs the command as a child, because the
 * kernel keeps signals from a first process that does not handle them, such as a shell's script.
 *
 * 1. It handles SIGINT and SIGTERM by going on, and does not start the command after one of them. It reports when it does,
 *    and closes the descriptor before code of others runs.
 * 2. It sets the limits, of which a stricter one stays. Shells differ in the name of that of processes.
 * 3. It leaves no core file, which would hold the command's secrets.
 */
const FIRST_PROCESS = `
_nereid_stopped=
trap _nereid_stopped=yes INT TERM
if [ "$1" = supervised ]
then printf '{ "ready": true }\\n' >&5 && exec 5>&- || exit 125
fi
ulimit -c 0
[ "$2" = - ] || { ulimit -u "$2" || ulimit -p "$2"; } 2>/dev/null
[ "$3" = - ] || ulimit -n "$3" 2>/dev/null
[ "$4" = - ] || ulimit -f "$4" 2>/dev/null
shift 4
[ "$_nereid_stopped" ] && exit 130
"$@"
exit "$?"
`;

/**
 * Can only be read. A worker may run as root, and the kernel lets root write the name of a program to /proc/sys that it then
 * runs outside of every sandbox.
 */
const PROC = ['--proc', '/proc', '--remount-ro', '/proc'];

const ENDS: Readonly<Record<SandboxKind, readonly string[]>> = {
  captured: ['--die-with-parent'],
  supervised: ['--json-status-fd', '4'],
};

const FILTER = systemCallFilter();

/** The command line that runs a program in its sandbox. The environment and the standard streams are passed on. */
export function enclose(
  { program, args, cwd }: Omit<Enclosed, 'descriptor3'> & { readonly cwd: string },
  { bubblewrap, files, network, proc = 'own', limits, memory }: Sandbox,
  kind: SandboxKind,
): Enclosed {
  const enclosing = [
    ...NAMESPACES,
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...['--new-session', '--as-pid-1', '--cap-drop', 'ALL', '--seccomp', '3', ...ENDS[kind]],
    ...(proc === 'own' ? PROC : []),
    ...['--dev', '/dev'],
    ...files.flatMap(({ path, access, at = path }) => [access === 'read' ? '--ro-bind' : '--bind', path, at]),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
    ...['/bin/sh', '-c', FIRST_PROCESS, 'sandbox', kind, ...limitsOf(limits), program, ...args],
  ];
  const made =
    memory === undefined ? { program: bubblewrap, args: enclosing } : withinGroup(memory, [bubblewrap, ...enclosing]);
  return { ...made, descriptor3: FILTER };
}

/** The unit of a shell. */
const BLOCK_BYTES = 512;

function limitsOf(limits: SandboxLimits | undefined): readonly string[] {
  if (limits === undefined) return ['-', '-', '-'];
  const { processes, openFiles, fileBytes } = limits;
  return [processes, openFiles, Math.floor(fileBytes / BLOCK_BYTES)].map(String);
}
