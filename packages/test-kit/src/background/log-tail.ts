import { readFile } from 'node:fs/promises';

/** Enough for a stack trace and the lines before it. */
const TAIL_LINES = 20;

/** The last lines of a log, for the message of an error; empty when there is no log. */
export async function logTail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}
