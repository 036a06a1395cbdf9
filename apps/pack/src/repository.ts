/** The parts of a clone: its workspaces, what each declares, and the files that git knows. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export interface Repository {
  /** Its folder. */
  readonly top: string;
  /** Of the package that is made. */
  readonly version: string;
  /** With which everything is tested. */
  readonly node: string;
  /** From the top, with slashes, in alphabetical order. */
  readonly files: readonly string[];
  readonly workspaces: readonly Workspace[];
  /** The versions that are installed, by place: `node_modules/zod`, `apps/cli/node_modules/string-width`. */
  readonly installed: ReadonlyMap<string, string>;
}

export interface Workspace {
  /** `@nereid/config`. */
  readonly name: string;
  /** From the top: `packages/config`. */
  readonly folder: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The format of npm's lock files: packages by path, workspaces by their folders, with links to these. */
interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const NODE_MODULES = 'node_modules/';

export async function readRepository(top: string): Promise<Repository> {
  const read = (file: string) => readFile(path.join(top, file), 'utf8');
  const { packages } = JSON.parse(await read('package-lock.json')) as LockFile;
  const { version } = JSON.parse(await read('package.json')) as { readonly version: string };
  return {
    top,
    version,
    node: pinnedNode(await read('.config/prepared.sh')),
    files: await trackedFiles(top),
    workspaces: Object.entries(packages).flatMap(([folder, locked]) => workspaceOf(folder, locked) ?? []),
    installed: new Map(Object.entries(packages).map(([place, { version: locked = '' }]) => [place, locked])),
  };
}

/** The workspaces, and those that they need, with what these need. */
export function withNeeded({ workspaces }: Repository, names: readonly string[]): readonly Workspace[] {
  const needed = new Set(names);
  for (const name of needed) {
    const found = workspaces.find((workspace) => workspace.name === name);
    if (found === undefined) throw new Error(`expected a workspace, found ${name}; see package-lock.json`);
    for (const dependency of Object.keys(found.dependencies)) if (isOurs(dependency)) needed.add(dependency);
  }
  return workspaces.filter(({ name }) => needed.has(name));
}

/** The version of a package that the sources of a workspace find. */
export function installedFor({ folder, name }: Workspace, dependency: string, { installed }: Repository): string {
  const places = [`${folder}/${NODE_MODULES}${dependency}`, `${NODE_MODULES}${dependency}`];
  const version = places.map((place) => installed.get(place)).find((found) => found !== undefined);
  if (version === undefined)
    throw new Error(`expected ${dependency}, which ${name} needs, in package-lock.json, found none`);
  return version;
}

export function isOurs(packageName: string): boolean {
  return packageName.startsWith('@nereid/');
}

function pinnedNode(script: string): string {
  const version = /^pinned_node=(\d+\.\d+\.\d+)$/m.exec(script)?.[1];
  if (version === undefined) throw new Error('expected a line pinned_node=… in .config/prepared.sh, found none');
  return version;
}

/** What git does not know may be a secret that lies about. */
async function trackedFiles(top: string): Promise<readonly string[]> {
  // Room for the names of 100,000 files.
  const options = { cwd: top, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '--cached'], options);
  return stdout.split('\0').filter((name) => name !== '');
}

function workspaceOf(folder: string, { name, link, dependencies = {} }: LockedPackage): Workspace | undefined {
  const isWorkspace = folder !== '' && !folder.includes(NODE_MODULES) && link !== true;
  return isWorkspace && name !== undefined ? { name, folder, dependencies } : undefined;
}
