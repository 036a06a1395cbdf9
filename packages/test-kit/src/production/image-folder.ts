/**
 * A folder with exactly the files that an image would hold, made from its Dockerfile without a container engine: the
 * sources of its COPY lines, except the files that .dockerignore leaves out, and the packages that npm would install for it.
 */
import { execFile } from 'node:child_process';
import { cp, glob, link, mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseDockerfile, type Copy, type Stage } from './dockerfile.ts';
import { REPOSITORY, readRepositoryFile } from './repository.ts';

export const DOCKERFILE = '.config/production/Dockerfile';

/** Fills a folder, which must be empty, with the files that the image of a target would hold in /app. */
export async function makeImageFolder(target: string, folder: string): Promise<void> {
  const stages = parseDockerfile(await readRepositoryFile(DOCKERFILE));
  const isIgnored = await readIgnored();
  await copyStage(stages, target, folder, isIgnored);
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
    if (copy.from === undefined) await copySources(copy, folder, isIgnored);
    else if (copy.sources.includes('/app')) await copyStage(stages, copy.from, folder, isIgnored);
  }
  for (const { verb, rest } of stage.instructions) {
    if (verb === 'RUN' && rest.startsWith('npm ci')) await installPackages(rest, folder);
  }
}

async function copySources({ sources, target, keepsParents }: Copy, folder: string, isIgnored: Ignored): Promise<void> {
  for (const pattern of sources) {
    const found = (await filesLike(pattern)).filter((file) => !isIgnored(file));
    if (found.length === 0) throw new Error(`COPY ${pattern}: no such file in the repository`);
    for (const source of found) {
      await cp(path.join(REPOSITORY, source), path.join(folder, target, keepsParents ? source : ''), {
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

/** `npm ci` would install the packages that `npm ls` lists, which are in the repository's own node_modules. */
async function installPackages(command: string, folder: string): Promise<void> {
  const workspaces = Array.from(command.matchAll(/--workspace (\S+)/g), ([, name]) => `--workspace=${name ?? ''}`);
  const args = ['ls', '--omit=dev', '--all', '--parseable', ...workspaces];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: REPOSITORY });
  const listed = stdout.split('\n').map((line) => path.relative(REPOSITORY, line));
  const names = new Set(listed.filter((file) => file.startsWith('node_modules/') || file.includes('/node_modules/')));
  const links = await workspaceLinks();
  const deleted = Array.from(command.matchAll(/-name '([^']+)'/g), ([, pattern]) => pattern ?? '');
  const isKept = (file: string) => !deleted.some((pattern) => path.matchesGlob(file, pattern));
  await Promise.all(Array.from(names, (name) => installPackage(name, { folder, links, isKept })));
}

interface Installation {
  readonly folder: string;
  readonly links: ReadonlyMap<string, string>;
  /** By the name of a file; the command deletes all others. */
  readonly isKept: (file: string) => boolean;
}

async function installPackage(name: string, { folder, links, isKept }: Installation): Promise<void> {
  const target = path.join(folder, name);
  const workspace = links.get(name);
  await mkdir(path.dirname(target), { recursive: true });
  if (workspace === undefined) await linkTree(path.join(REPOSITORY, name), target, isKept);
  else await symlink(path.relative(path.dirname(target), path.join(folder, workspace)), target);
}

/** The folders of the workspaces, to which node_modules has only links. */
async function workspaceLinks(): Promise<ReadonlyMap<string, string>> {
  const lock: unknown = JSON.parse(await readRepositoryFile('package-lock.json'));
  // The format of npm's lock files: packages by path, workspaces as links.
  const { packages } = lock as { packages: Record<string, { link?: boolean; resolved?: string }> };
  return new Map(
    Object.entries(packages).flatMap(([name, { link: isLink, resolved }]) =>
      isLink === true && resolved !== undefined ? [[name, resolved]] : [],
    ),
  );
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
