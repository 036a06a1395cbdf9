import { readRepositoryFile } from '../repository.ts';

/** Who reads each variable, as the reference says: `all`, or some of gateway, worker and console. */
export async function readersOfVariables(): Promise<ReadonlyMap<string, string>> {
  const table = await readRepositoryFile('apps/docs/reference/environment.md');
  const rows = table.matchAll(/^\| `([A-Z][A-Z0-9_]*)` +\| ([a-z, ]+?) +\|/gm);
  return new Map(Array.from(rows, ([, name = '', readers = '']) => [name, readers]));
}

/** A variable may be given in a file, whose path is then in another one. */
export const withoutFile = (variable: string) => variable.replace(/_FILE$/, '');
