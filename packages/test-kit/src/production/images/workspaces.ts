import { glob } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';

export interface Workspace {
  readonly name: string;
  /** From the top of the repository. */
  readonly folder: string;
  /** The files by what others import, like `.` and `./testing`. */
  readonly exports: ReadonlyMap<string, string>;
  /** The names of packages that it needs at run time. */
  readonly dependencies: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly exports?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export async function readWorkspaces(): Promise<readonly Workspace[]> {
  const { workspaces: patterns } = JSON.parse(await readRepositoryFile('package.json')) as { workspaces: string[] };
  const files: string[] = [];
  for await (const file of glob(
    patterns.map((pattern) => `${pattern}/package.json`),
    { cwd: REPOSITORY },
  ))
    files.push(file);
  return Promise.all(
    files.map(async (file) => workspaceOf(file, JSON.parse(await readRepositoryFile(file)) as Manifest)),
  ); // Ours.
}

function workspaceOf(file: string, { name, exports = {}, dependencies = {} }: Manifest): Workspace {
  const exported = typeof exports === 'string' ? { '.': exports } : exports;
  return {
    name,
    folder: path.dirname(file),
    exports: new Map(Object.entries(exported)),
    dependencies: Object.keys(dependencies),
  };
}
