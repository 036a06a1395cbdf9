/**
 * Files that a filter of git would decrypt on the computers of the people who have the key. A check-out of a host has the encrypted
 * bytes in their place, and git says nothing of it.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { TreeFile } from './revision-tree.ts';

export interface EncryptedContent {
  readonly kind: 'encrypted';
  /** Relative to the repository's top. */
  readonly path: string;
  /** The name of the filter, such as `git-crypt`. */
  readonly filter: string;
}

/** What the tools behind such filters write first. */
const BEGINNINGS: readonly (readonly [filter: string, attribute: RegExp, beginning: string])[] = [
  ['git-crypt', /\bfilter=git-crypt(?:-\S+)?(?:\s|$)/, '\0GITCRYPT\0'],
  ['transcrypt', /\bfilter=crypt(?:-\S+)?(?:\s|$)/, 'U2FsdGVkX1'],
  ['git-agecrypt', /\bfilter=git-agecrypt(?:\s|$)/, 'age-encryption.org/v1'],
];

const BEGINNING_BYTES = Math.max(...BEGINNINGS.map(([, , beginning]) => beginning.length));

/** Files with attributes have kilobytes. */
const ATTRIBUTES_BYTES = 1024 * 1024;

/** So many files are open at once. */
const OPEN_AT_ONCE = 64;

/** Reads nothing but attributes in a revision without such filters. `tree` is a check-out of the files, absolute. */
export async function findEncrypted(tree: string, files: readonly TreeFile[]): Promise<readonly EncryptedContent[]> {
  const regular = files.filter(({ kind }) => kind === 'file');
  const attributes = regular.filter((file) => path.posix.basename(file.path) === '.gitattributes');
  const texts = await beginnings(tree, attributes, ATTRIBUTES_BYTES);
  const used = BEGINNINGS.filter(([, attribute]) => [...texts.values()].some((text) => attribute.test(text)));
  if (used.length === 0) return [];
  const found = await beginnings(tree, regular, BEGINNING_BYTES);
  return [...found].flatMap(([file, text]) => {
    const [filter] = used.find(([, , beginning]) => text.startsWith(beginning)) ?? [];
    return filter === undefined ? [] : [{ kind: 'encrypted', path: file, filter }];
  });
}

async function beginnings(
  tree: string,
  files: readonly TreeFile[],
  bytes: number,
): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>();
  for (let at = 0; at < files.length; at += OPEN_AT_ONCE) {
    const some = files.slice(at, at + OPEN_AT_ONCE);
    const texts = await Promise.all(some.map((file) => beginningOf(path.join(tree, file.path), bytes)));
    for (const [index, { path: name }] of some.entries()) read.set(name, texts[index] ?? '');
  }
  return read;
}

async function beginningOf(file: string, bytes: number): Promise<string> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
