/**
 * The sandbox of a job's commands: the code of a repository reaches its own tree and home, and what the server's file gives to
 * all code. It does not reach the worker's keys, other trees, mirrors, storage folders, or the processes of others.
 */
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerConfig } from '@nereid/config';
import type { Network } from '@nereid/domain/root';
import { findProgram, realFile, systemFiles, type Sandbox, type SandboxFile } from '@nereid/subprocess';
import { memoryOfJob } from './memory.ts';
import type { HostTools } from './tools.ts';
import type { Workspace } from './workspace.ts';

export interface SandboxedJob {
  readonly workspace: Workspace;
  /** The path of Terraform. */
  readonly binary: string;
  readonly home: string;
  /** Of the root; by default, that of the server's file. */
  readonly network: Network | undefined;
  /** What else it sees. */
  readonly files: readonly SandboxFile[];
}

/** Undefined when the server's file wants none. Makes the job's folders that the sandbox shows. */
export async function sandboxOfJob(
  tools: HostTools,
  { workspace, binary, home, network = tools.sandbox.network, files }: SandboxedJob,
): Promise<Sandbox | undefined> {
  const { context, sandbox: settings } = tools;
  const { jobFolder, treeDir } = workspace;
  if (settings.sandbox === 'none') return undefined;
  const temporary = join(jobFolder, 'tmp');
  for (const made of [temporary, home]) await mkdir(made, { recursive: true, mode: 0o700 });
  const tree = await realpath(treeDir);
  const sandbox = sandboxWith({ ...settings, network }, context.environment['PATH'], [
    { path: temporary, at: '/tmp', access: 'write' },
    ...givenFiles(settings),
    realFile({ path: binary, access: 'read' }),
    { path: home, access: 'write' },
    { path: tree, access: 'write' },
    // Git follows it to the mirror. It is ours, and later commands of the worker rely on it.
    { path: join(tree, '.git'), access: 'read' },
    ...files,
  ]);
  return { ...sandbox, memory: memoryOfJob(tools, workspace) };
}

export type SandboxSettings = Pick<
  ServerConfig['terraform'],
  'network' | 'sandboxRead' | 'sandboxWrite' | 'sandboxProcesses' | 'sandboxFileBytes'
>;

/**
 * Sixteen times what systems give a program that does not ask for more: room for providers with a connection for each of a
 * thousand resources. Docker allows a million, of which each takes memory of the kernel that only `terraform.memory` counts.
 */
const OPEN_FILES = 16 * 1_024;

/** A sandbox with the system's files and these. */
export function sandboxWith(
  { network, sandboxProcesses, sandboxFileBytes }: Omit<SandboxSettings, 'sandboxRead' | 'sandboxWrite'>,
  searchPath: string | undefined,
  files: readonly SandboxFile[],
): Sandbox {
  const limits = { processes: sandboxProcesses, openFiles: OPEN_FILES, fileBytes: sandboxFileBytes };
  return { bubblewrap: findBubblewrap(searchPath), network, limits, files: [...systemFiles(), ...files] };
}

/** The files, variables and limits that the server's file gives to every command. */
export function givenFiles({ sandboxRead, sandboxWrite }: SandboxSettings): readonly SandboxFile[] {
  return [
    ...sandboxRead.map((path) => realFile({ path, access: 'read' })),
    ...sandboxWrite.map((path) => realFile({ path, access: 'write' })),
  ];
}

/** Whether it can be started is checked when the worker starts, and told then. */
function findBubblewrap(searchPath = ''): string {
  const found = findProgram({ argv: ['bwrap'], env: { PATH: searchPath }, cwd: '/' });
  if (found.kind === 'startable') return found.program;
  throw new BubblewrapMissingError(found.why);
}

export class BubblewrapMissingError extends Error {
  override readonly name = 'BubblewrapMissingError';
  readonly code = 'BUBBLEWRAP_MISSING';

  constructor(found: string) {
    super(`expected bubblewrap on this host, found that ${found}: install the package "bubblewrap"`);
  }
}
