/**
 * A folder with exactly the files that an image would hold, made from its Dockerfile without a container engine: the
 * sources of its COPY lines, except the files that .dockerignore leaves out, and the packages that npm would install for it.
 */
import { existsSync } from 'node:fs';
import { cp, glob, link, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { parseDockerfile, type Copy, type Stage } from '../dockerfile.ts';
import { selectPackages, type Lock } from './select-packages.ts';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';

export const DOCKERFILE = '.config/production/Dockerfile';

/** Fills a folder, which must be empty, with the files that the image of a target would hold in /app. */
export async function makeImageFolder(target: string, folder: string): Promise<void> {
  const stages = parseDockerfile(await readRepositoryFile(DOCKERFILE));
  const isIgnored = await readIgnored();
  await copyStage(stages, target, folder, isIgnored);
}

/** The workspaces whose packages are installed, by the folder of their manifests, like `/manifests/gateway`. */
export function installedWorkspaces(stages: ReadonlyMap<string, Stage>): ReadonlyMap<string, readonly string[]> {
  const runs = stages.get('manifests')?.instructions.filter(({ verb }) => verb === 'RUN') ?? [];
  const written = runs.flatMap(({ rest }) => [...rest.matchAll(/node \$write (\S+) ([^&]+)/g)]);
  return new Map(written.map(([, folder = '', names = '']) => [folder, names.trim().split(/\s+/)]));
}

type Ignored = (file: string) => boolean;

async function copyStage(
  stages: ReadonlyMap<string, Stage>,
  name: string,
  folder: string,
  isIgnored: Ignored,
): Promise<void> {
  const stage = stages.get(name);
  if (stage === undefined) return;
  await copyStage(stages, stage.from, folder, isIgnored);
  for (const copy of stage.copies) {
    const workspaces = copy.sources.flatMap((source) => installedWorkspaces(stages).get(source) ?? []);
    if (copy.from === undefined) await copySources(copy, folder, isIgnored);
    else if (copy.sources.includes('/app')) await copyStage(stages, copy.from, folder, isIgnored);
    else if (workspaces.length > 0) await installPackages(workspaces, folder, deletedFrom(stages));
  }
}

/** The patterns of the names of files that are deleted after the installation. */
function deletedFrom(stages: ReadonlyMap<string, Stage>): readonly string[] {
  const runs = [...stages.values()].flatMap(({ instructions }) => instructions).filter(({ verb }) => verb === 'RUN');
  const everywhere = runs.flatMap(({ rest }) => / find \. -type f (.*) -delete/.exec(rest)?.[1] ?? []);
  return everywhere.flatMap((names) => Array.from(names.matchAll(/-name '([^']+)'/g), ([, pattern = '']) => pattern));
}

async function copySources({ sources, target }: Copy, folder: string, isIgnored: Ignored): Promise<void> {
  for (const pattern of sources) {
    const found = (await filesLike(pattern)).filter((file) => !isIgnored(file));
    if (found.length === 0) throw new Error(`COPY ${pattern}: no such file in the repository`);
    for (const source of found) {
      // The content of a folder is copied; a file goes into a folder.
      const isFile = (await stat(path.join(REPOSITORY, source))).isFile();
      await cp(path.join(REPOSITORY, source), path.join(folder, target, isFile ? path.basename(source) : ''), {
        recursive: true,
        filter: (file) => !isIgnored(path.relative(REPOSITORY, file)),
      });
    }
  }
}

async function filesLike(pattern: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: REPOSITORY })) files.push(file);
  return files;
}

async function readIgnored(): Promise<Ignored> {
  const lines = (await readRepositoryFile('.dockerignore')).split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const kept = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return (file) =>
    !kept.includes(file) &&
    withFoldersAbove(file).some((above) => patterns.some((pattern) => path.matchesGlob(above, pattern)));
}

/** A file in a folder that is left out is left out, too. */
function withFoldersAbove(file: string): readonly string[] {
  return file.split('/').map((_name, index, names) => names.slice(0, index + 1).join('/'));
}

/** `npm ci` would install what is in the repository's own node_modules, except what is for other platforms. */
async function installPackages(
  workspaces: readonly string[],
  folder: string,
  deleted: readonly string[],
): Promise<void> {
  const lock = JSON.parse(await readRepositoryFile('package-lock.json')) as Lock; // Written by npm.
  const { packages } = selectPackages(lock, workspaces);
  const isKept = (file: string) => !deleted.some((pattern) => path.matchesGlob(file, pattern));
  await Promise.all(
    Object.entries(packages)
      .filter(([name]) => name.includes('node_modules/') && existsSync(path.join(REPOSITORY, name)))
      .map(([name, { resolved, link: isLink }]) =>
        installPackage(name, isLink === true ? resolved : undefined, { folder, isKept }),
      ),
  );
}

interface Installation {
  readonly folder: string;
  /** By the name of a file; the command deletes all others. */
  readonly isKept: (file: string) => boolean;
}

/** A workspace is a link to its folder. */
async function installPackage(name: string, workspace: string | undefined, to: Installation): Promise<void> {
  const target = path.join(to.folder, name);
  await mkdir(path.dirname(target), { recursive: true });
  if (workspace === undefined) await linkTree(path.join(REPOSITORY, name), target, to.isKept);
  else await symlink(path.relative(path.dirname(target), path.join(to.folder, workspace)), target);
}

/** Hard links cost nothing. A package inside another one is listed, and so installed, by itself. */
async function linkTree(source: string, target: string, isKept: Installation['isKept']): Promise<void> {
  await mkdir(target, { recursive: true });
  const entries = await readdir(source, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
      if (entry.name === 'node_modules') return;
      if (entry.isDirectory()) await linkTree(from, to, isKept);
      else if (isKept(entry.name)) await link(from, to);
    }),
  );
}
