/** The processes of a stack with a host of its own: each kind once. */
import { readFile } from 'node:fs/promises';
import { readOwn } from '../deployments/processes.ts';

export const KINDS = ['gateway', 'control', 'host', 'console'] as const;

export type Kind = (typeof KINDS)[number];

/** Their ids. Throws unless there is exactly one of each kind. */
export async function findKinds(): Promise<Readonly<Record<Kind, number>>> {
  const found = await Promise.all(
    (await readOwn()).map(async ({ id, part }) => {
      if (part !== 'worker') return [part, id] as const;
      const { WORKER_ROLES } = await environmentOf(id);
      return [WORKER_ROLES === 'terraform' ? 'host' : WORKER_ROLES, id] as const;
    }),
  );
  const idOf = (kind: Kind): number => {
    const [only, ...others] = found.filter(([of]) => of === kind);
    if (only === undefined || others.length > 0)
      throw new Error(`expected one process of the kind ${kind}, found ${only === undefined ? 0 : 1 + others.length}`);
    return only[1];
  };
  return ofKinds(idOf);
}

export function ofKinds<T>(valueOf: (kind: Kind) => T): Readonly<Record<Kind, T>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, valueOf(kind)])) as Record<Kind, T>; // All of them.
}

/** With which a process was started. */
export async function environmentOf(id: number): Promise<Readonly<Record<string, string>>> {
  const entries = (await readFile(`/proc/${id}/environ`, 'utf8')).split('\0').filter((entry) => entry.includes('='));
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const),
  );
}
