/** What keeps a machine from having a node, said before anything is built for half an hour. */
import { findProgram, runCommand } from '@nereid/subprocess';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { definedOnly, type Environment } from '../../toolchain/environment.ts';

export interface Machine {
  readonly platform: string;
  readonly isRoot: boolean;
  /** The programs that it lacks. */
  readonly lacks: readonly string[];
  /** Why it gives no namespaces; undefined where it does. */
  readonly noNamespaces?: string | undefined;
  readonly hasWritableGroups: boolean;
}

/** The package of Debian that has each program. Go comes first: `make` asks for it. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  'apt-get': 'apt',
  'dpkg-deb': 'dpkg',
  // runc takes seccomp from a library in C.
  gcc: 'gcc',
  'pkg-config': 'pkg-config',
  ip: 'iproute2',
  mount: 'mount',
  tar: 'tar',
  unshare: 'util-linux',
};

const UNSHARE_TIMEOUT_MS = 30_000;

export async function readMachine(env: Environment): Promise<Machine> {
  const own = definedOnly(env);
  const at = { env: own, cwd: '/' };
  const argv = [
    'unshare',
    '--net',
    '--mount',
    '--pid',
    '--fork',
    '--mount-proc',
    'ip',
    'link',
    'set',
    'lo',
    'up',
  ] as const;
  const tried = await runCommand({ argv, ...at, timeoutMs: UNSHARE_TIMEOUT_MS });
  const isTried = tried.kind === 'exited' && tried.exitCode === 0;
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    lacks: Object.keys(PROGRAMS).filter((name) => findProgram({ argv: [name], ...at }).kind === 'not-startable'),
    noNamespaces: isTried ? undefined : tried.stderr.trim(),
    hasWritableGroups: await access('/sys/fs/cgroup', constants.W_OK).then(
      () => true,
      () => false,
    ),
  };
}

/** Sentences; none where a node can be made. */
export function problemsOf({ platform, isRoot, lacks, noNamespaces, hasWritableGroups }: Machine): readonly string[] {
  if (platform !== 'linux')
    return [`expected Linux, whose kernel pods share, found ${platform}; use a virtual machine`];
  if (!isRoot)
    return ['expected root, which alone makes a node, found another user; run it with sudo, or in a virtual machine'];
  const packages = lacks.map((name) => PROGRAMS[name] ?? name);
  if (lacks.length > 0)
    return [
      `expected Debian, or one of its kind, with ${lacks.join(', ')}, found none; run apt-get install ${packages.join(' ')}`,
    ];
  return [
    ...(noNamespaces === undefined
      ? []
      : [
          `expected namespaces for the node, found that the kernel refuses them (${noNamespaces}); a container has to be privileged`,
        ]),
    ...(hasWritableGroups
      ? []
      : [
          'expected /sys/fs/cgroup to be writable, for the groups of pods, found that it is not; a container has to be privileged',
        ]),
  ];
}
