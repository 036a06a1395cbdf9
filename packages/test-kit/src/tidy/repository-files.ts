import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { SourceFile } from './source-file.ts';

const TOP = path.join(import.meta.dirname, '../../../..');

/** Every text file that is tracked or would be added by the next `git add .`; a link is not, because what it leads to is. */
export async function repositoryFiles(): Promise<readonly SourceFile[]> {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    // Room for the names of 100,000 files.
    { cwd: TOP, maxBuffer: 16 * 1024 * 1024 },
  );
  const paths = stdout.split('\0').filter((name) => name !== '' && isFile(path.join(TOP, name)));
  const files = await Promise.all(
    paths.map(async (name) => ({ path: name, text: await readFile(path.join(TOP, name), 'utf8') })),
  );
  return files.filter(({ text }) => !text.includes('\0'));
}

/** One that was removed may still be tracked. */
function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
