/** Runs a command in a container as a node would make it of a pod: by runc, with what the pod's security contexts say. */
import { runCommand, type RunResult } from '@nereid/subprocess';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackDebianPackage } from '../../toolchain/debian-package.ts';
import { toolCache, type Environment } from '../../toolchain/environment.ts';
import { installOnce } from '../../toolchain/install-once.ts';
import { REPOSITORY } from '../../repository.ts';
import { readSeccompProfile, type SeccompProfile } from '../seccomp-profile.ts';

/** What of a pod decides what its processes may ask the kernel for. */
export interface PodSecurity {
  readonly hostUsers: boolean;
  readonly procMount: 'Default' | 'Unmasked';
  /** A name: the profile of the worker, without permission for this call. */
  readonly seccomp: 'RuntimeDefault' | 'worker-seccomp.json' | { readonly without: string };
}

/** Starting node twice takes a second; beside others, more. */
const TIMEOUT_MS = 120_000;

/** The user of the images. */
const USER = { uid: 1000, gid: 1000 };

/** Where a node begins to map the users of a pod. */
const MAPPED = [{ containerID: 0, hostID: 100_000, size: 65_536 }];

/** What containerd hides of /proc, and what it makes read-only. */
const MASKED = ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/scsi', '/sys/firmware'];
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/** As runtimes have it for a process without capabilities, of what bubblewrap asks for. */
const RUNTIME_DEFAULT = {
  defaultAction: 'SCMP_ACT_ALLOW',
  syscalls: [
    { names: ['unshare', 'setns', 'mount', 'umount2', 'pivot_root'], action: 'SCMP_ACT_ERRNO', errnoRet: 1 },
    {
      names: ['clone'],
      action: 'SCMP_ACT_ERRNO',
      errnoRet: 1,
      // CLONE_NEWUSER
      args: [{ index: 0, value: 0x1000_0000, valueTwo: 0x1000_0000, op: 'SCMP_CMP_MASKED_EQ' }],
    },
    // ENOSYS, so that programs use the other one.
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 },
  ],
};

/** `bubblewrap` is the path of bwrap on this machine. The repository is at /app. */
export async function runInPod(
  env: Environment,
  pod: PodSecurity,
  { args, bubblewrap }: { readonly args: readonly string[]; readonly bubblewrap: string },
): Promise<RunResult> {
  const runc = await findRunc(env);
  const folder = await mkdtemp(path.join(tmpdir(), 'pod-'));
  try {
    // Users that are mapped reach it, too.
    await chmod(folder, 0o755);
    await makeRoot(path.join(folder, 'root'));
    await writeFile(path.join(folder, 'config.json'), JSON.stringify(await specification(pod, args, bubblewrap)));
    const argv = [
      runc,
      '--root',
      path.join(folder, 'state'),
      'run',
      '--bundle',
      folder,
      path.basename(folder),
    ] as const;
    return await runCommand({ argv, env: { PATH: '/usr/sbin:/usr/bin' }, cwd: folder, timeoutMs: TIMEOUT_MS });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findRunc(env: Environment): Promise<string> {
  const folder = path.join(toolCache(env), 'runc-debian');
  const runc = { name: 'runc', programs: ['usr/sbin/runc'], env };
  const install = (staging: string) => unpackDebianPackage({ ...runc, folder: staging });
  await installOnce({ folder, report: () => undefined, install });
  return path.join(folder, 'runc');
}

async function makeRoot(root: string): Promise<void> {
  for (const name of ['usr', 'proc', 'sys', 'dev', 'tmp', 'run', 'app'])
    await mkdir(path.join(root, name), { recursive: true });
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) await symlink(`usr/${name}`, path.join(root, name));
  for (const name of ['node', 'bwrap']) await writeFile(path.join(root, 'run', name), '');
}

async function specification(
  { hostUsers, procMount, seccomp }: PodSecurity,
  args: readonly string[],
  bubblewrap: string,
) {
  const bind = (source: string, destination: string) => ({
    type: 'bind',
    source,
    destination,
    options: ['rbind', 'ro'],
  });
  return {
    ociVersion: '1.0.2',
    process: {
      user: USER,
      args: ['/run/node', ...args],
      env: ['PATH=/run:/usr/bin:/bin'],
      cwd: '/app',
      noNewPrivileges: true,
      capabilities: { bounding: [], effective: [], permitted: [] },
    },
    root: { path: 'root', readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'strictatime', 'mode=755'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
      bind('/usr', '/usr'),
      bind(REPOSITORY, '/app'),
      bind(process.execPath, '/run/node'),
      bind(bubblewrap, '/run/bwrap'),
    ],
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount', 'network', ...(hostUsers ? [] : ['user'])].map((type) => ({ type })),
      ...(hostUsers ? {} : { uidMappings: MAPPED, gidMappings: MAPPED }),
      ...(procMount === 'Default' ? { maskedPaths: MASKED, readonlyPaths: READ_ONLY } : {}),
      seccomp: seccomp === 'RuntimeDefault' ? RUNTIME_DEFAULT : await profileOf(seccomp),
    },
  };
}

async function profileOf(seccomp: Exclude<PodSecurity['seccomp'], 'RuntimeDefault'>): Promise<SeccompProfile> {
  const profile = await readSeccompProfile();
  if (seccomp === 'worker-seccomp.json') return profile;
  const syscalls = profile.syscalls.map((rule) => ({
    ...rule,
    names: rule.names.filter((name) => name !== seccomp.without),
  }));
  return { ...profile, syscalls };
}
