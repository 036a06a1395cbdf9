/**
 * Contents that a revision names and git does not hold: files that Git LFS stores elsewhere, and other repositories. A check-out
 * has a pointer of some lines, or an empty folder, in their place; of files that a filter would decrypt, it has the encrypted bytes.
 */
import type { Mirror } from '../mirror/mirror.ts';
import { fetchContents, readSizedBlobs } from './blobs.ts';
import type { EncryptedContent } from './encrypted-files.ts';
import type { TreeFile } from './revision-tree.ts';

export type AbsentContent = LfsContent | Submodule | EncryptedContent;

export interface LfsContent {
  readonly kind: 'lfs';
  /** Relative to the repository's top. */
  readonly path: string;
  /** Undefined when its pointer cannot be read. */
  readonly object: LfsObject | undefined;
}

export interface LfsObject {
  /** SHA-256 of its content, 64 hex digits. */
  readonly id: string;
  readonly bytes: number;
}

export interface Submodule {
  readonly kind: 'submodule';
  readonly path: string;
  /** 40 hex digits. */
  readonly commit: string;
}

/** Git LFS reads no pointer outside of these sizes: two lines and an id take the first, its specification says the second. */
const POINTER_BYTES = { least: 100, below: 1_024 };

/** So many pointers fit into what is read at once. */
const READ_AT_ONCE = 20_000;

export async function findAbsentContents(
  mirror: Mirror,
  { sha, files }: { readonly sha: string; readonly files: readonly TreeFile[] },
  signal: AbortSignal | undefined,
): Promise<readonly AbsentContent[]> {
  const sizes = await fetchContents(mirror, { sha, files }, signal);
  const regular = new Set(files.filter(({ kind }) => kind === 'file').map(({ blob }) => blob));
  const small = [...regular].filter((blob) => {
    const bytes = sizes.get(blob) ?? 0;
    return bytes >= POINTER_BYTES.least && bytes < POINTER_BYTES.below;
  });
  const pointers = new Map<string, LfsObject | undefined>();
  for (let at = 0; at < small.length; at += READ_AT_ONCE) {
    const contents = await readSizedBlobs(mirror, small.slice(at, at + READ_AT_ONCE), sizes, signal);
    for (const [blob, content] of contents)
      if (content.kind === 'text' && isPointer(content.text)) pointers.set(blob, objectOf(content.text));
  }
  return files.flatMap(({ path, blob, kind }): readonly AbsentContent[] => {
    if (kind === 'submodule') return [{ kind, path, commit: blob }];
    return kind === 'file' && pointers.has(blob) ? [{ kind: 'lfs', path, object: pointers.get(blob) }] : [];
  });
}

/** Also of versions that nobody knows yet, and of the names that Git LFS had before. */
function isPointer(text: string): boolean {
  return /^version https?:\/\/(?:git-lfs\.github\.com\/spec|hawser\.github\.com\/spec|git-media\.io)\/v/.test(text);
}

function objectOf(pointer: string): LfsObject | undefined {
  const { id, bytes } = POINTER.exec(pointer)?.groups ?? {};
  return id === undefined ? undefined : { id, bytes: Number(bytes) };
}

/** An extension changes the content by a program, so its id says nothing about the file: such a pointer is not read. */
const POINTER =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\noid sha256:(?<id>[0-9a-f]{64})\r?\nsize (?<bytes>\d{1,15})\r?\n?$/;
