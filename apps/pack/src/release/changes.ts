/** What users will notice of the next release: a file for each change, which `npm run changeset` makes. */
import { parseChangesetFile } from '@changesets/parse';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

export type Bump = 'major' | 'minor' | 'patch';

export interface Change {
  /** From the top of the repository. */
  readonly file: string;
  readonly bump: Bump;
  /** Markdown. */
  readonly summary: string;
}

const FOLDER = '.changeset';

/** In alphabetical order of their files. Throws where a file is no change. */
export async function readChanges(top: string): Promise<readonly Change[]> {
  const names = (await readdir(path.join(top, FOLDER))).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return Promise.all(names.toSorted().map((name) => readChange(top, `${FOLDER}/${name}`)));
}

async function readChange(top: string, file: string): Promise<Change> {
  const { summary, releases } = parseChangesetFile(await readFile(path.join(top, file), 'utf8'));
  const bump = releases[0]?.type;
  if (bump === undefined || bump === 'none' || summary === '')
    throw new Error(`${file}: expected a package with major, minor or patch, and a sentence; found neither`);
  return { file, bump, summary };
}

export async function removeChanges(top: string, changes: readonly Change[]): Promise<void> {
  for (const { file } of changes) await rm(path.join(top, file));
}
