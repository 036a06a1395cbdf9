import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { GitCommands } from '../command/git-commands.ts';
import { changeMirrorKind, createMirrorFolder, type MirrorKind } from './mirror-folder.ts';
import { NEW_SUFFIX } from './stored-mirrors.ts';

interface Place {
  readonly dir: string;
  readonly url: string;
  readonly git: Pick<GitCommands, 'fetch'>;
}

/** Makes the mirror completely or not at all: it is made beside its place, then moved there. */
export async function makeMirror(place: Place, signal: AbortSignal | undefined): Promise<void> {
  const { dir } = place;
  const made = `${dir}${NEW_SUFFIX}`;
  try {
    await fill(made, 'blobless', place, signal);
  } catch (error) {
    if (!(error instanceof Error) || !/filter '.*' not supported/i.test(error.message)) throw error;
    await fill(made, 'full', place, signal);
  }
  await rm(dir, { recursive: true, force: true });
  await rename(made, dir);
}

async function fill(
  made: string,
  kind: MirrorKind,
  { url, git }: Place,
  signal: AbortSignal | undefined,
): Promise<void> {
  await rm(made, { recursive: true, force: true });
  await mkdir(dirname(made), { recursive: true, mode: 0o700 });
  await createMirrorFolder(made, url, kind);
  await git.fetch({ cwd: made, refspecs: ['+refs/heads/*:refs/heads/*'], shas: [], signal });
  if (kind === 'blobless') await changeMirrorKind(made, url, 'small-blobs');
}
