/** What the processes of a stack have signed and verified since they started. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Counts {
  readonly signed: number;
  readonly verified: number;
}

const PREFIX = 'signatures.';

export function countsFileOf(folder: string, processId: number): string {
  return join(folder, `${PREFIX}${processId}`);
}

/** The sum over all processes with this working directory. */
export function readCounts(folder: string): Counts {
  const files = readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  const counts = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Counts); // As preload.ts wrote it.
  const sumOf = (what: keyof Counts) => counts.reduce((sum, one) => sum + one[what], 0);
  return { signed: sumOf('signed'), verified: sumOf('verified') };
}
