import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Enough to show the cause of a failure, but not the story before it. */
const LINES = 15;

/** A line of JSON with a stack trace may be longer than a person reads. */
const LINE_LENGTH = 500;

/** The last lines of every log in the folder, each under the log's name. */
export async function logTails(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const tails = await Promise.all(names.sort().map((name) => tailOf(path.join(folder, name))));
  return tails.flat();
}

async function tailOf(file: string): Promise<readonly string[]> {
  const text = (await readFile(file, 'utf8')).trimEnd();
  const lines = text.split('\n').slice(-LINES);
  return [`${file} ends with:`, ...lines.map((line) => `  ${line.slice(0, LINE_LENGTH)}`)];
}
