import { readRepositoryFile } from '../repository.ts';

/** Who reads each variable, as the references say: `all`, or some of gateway, worker and console. Those of Temporal, all read. */
export async function readersOfVariables(): Promise<ReadonlyMap<string, string>> {
  const table = await readRepositoryFile('apps/docs/reference/environment.md');
  const rows = table.matchAll(/^\| `([A-Z][A-Z0-9_]*)` +\| ([a-z, ]+?) +\|/gm);
  const guide = (await readRepositoryFile('apps/docs/guides/temporal.md')).split(/^## /m);
  const ofTemporal = guide.find((section) => section.startsWith('Certificates and keys')) ?? '';
  return new Map([
    ...Array.from(ofTemporal.matchAll(/`(TEMPORAL_[A-Z_]+)/g), ([, name = '']) => [name, 'all'] as const),
    ...Array.from(rows, ([, name = '', readers = '']) => [name, readers] as const),
  ]);
}

/** A variable may be given in a file, whose path is then in another one. */
export const withoutFile = (variable: string) => variable.replace(/_FILE$/, '');
