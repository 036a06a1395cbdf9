/**
 * A mirror on disk: a bare repository that fetches without blobs, and in its folder `local` a second view of the same
 * objects that knows no server. Where git knows a server, it fetches missing objects by itself, one at a time and without
 * our credentials; through the local view it says "missing" instead.
 */
import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface MirrorFolder {
  /** The bare repository. */
  readonly dir: string;
  /** The view of it that never fetches. */
  readonly local: string;
}

export function mirrorFolder(dir: string): MirrorFolder {
  return { dir, local: join(dir, 'local') };
}

/**
 * `blobless` fetches no contents, `full` all of them. A blobless mirror becomes `small-blobs` once it is filled: the fetch of a
 * push then brings the changed contents in the same round trip, because discovery reads them next.
 */
export type MirrorKind = 'blobless' | 'small-blobs' | 'full';

/** Written by hand rather than by `git init`: no templates, no hooks, no defaults of this machine. */
export async function createMirrorFolder(dir: string, url: string, kind: MirrorKind): Promise<void> {
  const { local } = mirrorFolder(dir);
  await createBareRepository(dir, configOf(url, kind));
  await mkdir(join(dir, 'info'));
  await writeFile(join(dir, 'info', 'attributes'), ATTRIBUTES);
  await createBareRepository(local, LOCAL_CONFIG);
  await mkdir(join(local, 'objects', 'info'));
  await writeFile(join(local, 'objects', 'info', 'alternates'), '../../objects\n');
}

export async function changeMirrorKind(dir: string, url: string, kind: MirrorKind): Promise<void> {
  await writeFile(join(dir, 'config'), configOf(url, kind));
}

/**
 * Whether the settings are ours. They are not when the mirror was made from another address, or when code that ran without a
 * sandbox has changed them: they can name filters, which git would run. A mirror without settings is corrupt; reading it shows
 * that.
 */
export async function hasOwnSettings(dir: string, url: string): Promise<boolean> {
  return (await foreignSettings(dir, url)).length === 0;
}

export async function restoreSettings(dir: string, url: string): Promise<void> {
  for (const { file, found, own } of await foreignSettings(dir, url)) {
    await makeRealFolder(dirname(file));
    if (found === undefined) await rm(file, { recursive: true, force: true });
    // Not through a link, and never half written: other commands go on meanwhile.
    const made = `${file}.new`;
    await rm(made, { recursive: true, force: true });
    await writeFile(made, own, { flag: 'wx' });
    await rename(made, file);
  }
}

/** Whatever stands in its place is removed. */
async function makeRealFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  await rm(path, { force: true });
  await mkdir(path);
}

async function foreignSettings(dir: string, url: string): Promise<readonly Settings[]> {
  const [main, local] = [join(dir, 'config'), join(mirrorFolder(dir).local, 'config')];
  const attributes = join(dir, 'info', 'attributes');
  const [found, foundLocal, foundAttributes] = await Promise.all([main, local, attributes].map(readSettings));
  const settings = [
    { file: main, found, own: configOf(url, kindOf(found ?? '')) },
    { file: local, found: foundLocal, own: LOCAL_CONFIG },
  ].filter((one) => one.found !== undefined);
  const all = [...settings, { file: attributes, found: foundAttributes, own: ATTRIBUTES }];
  return found === undefined ? [] : all.filter((one) => one.found !== one.own);
}

async function readSettings(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** Whatever stands there becomes one of our kinds. */
function kindOf(config: string): MirrorKind {
  if (!config.includes('promisor = true')) return 'full';
  return config.includes(`partialclonefilter = ${FILTERS['small-blobs']}`) ? 'small-blobs' : 'blobless';
}

export async function hasMirrorFolder(dir: string): Promise<boolean> {
  return stat(join(dir, 'local', 'HEAD')).then(
    () => true,
    () => false,
  );
}

/** Removes locks of a killed process. The data folder belongs to one process, so at its start every lock is left over. */
export async function removeLeftOverLocks(dir: string): Promise<void> {
  const places = [dir, join(dir, 'objects', 'info')].map(async (place) => lockFilesIn(place, false));
  const locks = await Promise.all([...places, lockFilesIn(join(dir, 'refs'), true)]);
  await Promise.all(locks.flat().map(async (lock) => rm(lock, { force: true })));
}

/** Whether the mirror has a working tree anywhere. A registered tree that cannot be looked for counts as there. */
export async function hasWorkingTrees({ dir }: MirrorFolder): Promise<boolean> {
  const ids = await namesIn(join(dir, 'worktrees'), false);
  const found = await Promise.all(ids.map(async (id) => isTreeThere(join(dir, 'worktrees', id, 'gitdir'))));
  return found.includes(true);
}

async function isTreeThere(gitdir: string): Promise<boolean> {
  try {
    await stat(dirname((await readFile(gitdir, 'utf8')).trim()));
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

/** The number of packs: each fetch adds one, and every look-up searches them all. */
export async function countPacks(dir: string): Promise<number> {
  const names = await namesIn(join(dir, 'objects', 'pack'), false);
  return names.filter((name) => name.endsWith('.pack')).length;
}

interface Settings {
  readonly file: string;
  readonly found: string | undefined;
  readonly own: string;
}

const LOCAL_CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';

/**
 * They take precedence over the attributes that a repository gives its files. A file is to be as long as its content, which is
 * known before it is written: identifiers are not filled in, and no content gets another encoding, which would be up to 39 times
 * as long.
 */
const ATTRIBUTES = '* !ident !working-tree-encoding\n';

/** Handwritten configuration is smaller; larger contents are fetched when they are needed. */
const FILTERS = { blobless: 'blob:none', 'small-blobs': 'blob:limit=64k' };

/** A redirect is not followed: it would take the credentials to another server. */
function configOf(url: string, kind: MirrorKind): string {
  const partial = `	promisor = true
	partialclonefilter = ${kind === 'full' ? '' : FILTERS[kind]}
[extensions]
	partialClone = origin
`;
  return `[core]
	repositoryformatversion = 1
	bare = true
	hooksPath = /dev/null
[gc]
	autoDetach = false
[http]
	followRedirects = false
[remote "origin"]
	url = ${url}
${kind === 'full' ? '' : partial}`;
}

async function createBareRepository(dir: string, config: string): Promise<void> {
  await mkdir(join(dir, 'objects'), { recursive: true, mode: 0o700 });
  await mkdir(join(dir, 'refs'));
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(dir, 'config'), config);
}

async function lockFilesIn(place: string, recursive: boolean): Promise<readonly string[]> {
  const names = await namesIn(place, recursive);
  return names.filter((name) => name.endsWith('.lock')).map((name) => join(place, name));
}

/** A missing folder counts as empty. */
async function namesIn(place: string, recursive: boolean): Promise<readonly string[]> {
  return readdir(place, { recursive }).catch(() => []);
}
