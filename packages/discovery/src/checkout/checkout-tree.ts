/** The files of a folder, as a revision has those of a commit: for people who want to know before they commit. */
import { createHash } from 'node:crypto';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RevisionTree } from '@nereid/git';
import type { ReadableTree } from '../repository-roots.ts';

/** Those of git, and the modules and providers that `terraform init` downloads. */
const SKIPPED: readonly string[] = ['.git', '.terraform'];

/** As in a mirror. */
const FILE_LIMIT_BYTES = 1024 * 1024;

type Kind = 'file' | 'link' | 'submodule';

const MODES: Readonly<Record<Kind, string>> = {
  file: '100644 blob',
  link: '120000 blob',
  submodule: '160000 commit',
};

interface Entry {
  readonly path: string;
  readonly kind: Kind;
  /** The place of a blob, which has no id before it is committed. */
  readonly blob: string;
}

export async function readCheckout(folder: string): Promise<ReadableTree> {
  const entries = await entriesBelow(folder, '');
  const byBlob = new Map(entries.map((entry) => [entry.blob, entry]));
  const listing = entries.map(({ path, kind, blob }) => `${MODES[kind]} ${blob}\t${path}\0`).join('');
  return {
    listing: () => Promise.resolve(listing),
    async contents(blobs) {
      const wanted = blobs.flatMap((blob) => byBlob.get(blob) ?? []);
      return new Map(
        await Promise.all(wanted.map(async (entry) => [entry.blob, await contentOf(folder, entry)] as const)),
      );
    },
  };
}

async function entriesBelow(folder: string, within: string): Promise<readonly Entry[]> {
  const found = await readdir(join(folder, within), { withFileTypes: true });
  const isSubmodule = within !== '' && found.some(({ name }) => name === '.git');
  if (isSubmodule) return [entryOf(within, 'submodule')];
  const entries: Entry[] = [];
  for (const one of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = within === '' ? one.name : `${within}/${one.name}`;
    if (one.isSymbolicLink()) entries.push(entryOf(path, 'link'));
    else if (one.isFile()) entries.push(entryOf(path, 'file'));
    else if (one.isDirectory() && !SKIPPED.includes(one.name)) entries.push(...(await entriesBelow(folder, path)));
  }
  return entries;
}

function entryOf(path: string, kind: Kind): Entry {
  return { path, kind, blob: createHash('sha1').update(path).digest('hex') };
}

type FileContent = Awaited<ReturnType<RevisionTree['contents']>> extends ReadonlyMap<string, infer One> ? One : never;

async function contentOf(folder: string, { path, kind }: Entry): Promise<FileContent> {
  const place = join(folder, path);
  if (kind === 'link') return { kind: 'text', text: await readlink(place) };
  const { size } = await stat(place);
  if (size > FILE_LIMIT_BYTES) return { kind: 'too-large', sizeBytes: size };
  return { kind: 'text', text: await readFile(place, 'utf8') };
}
