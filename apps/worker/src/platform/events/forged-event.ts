import { randomUUID } from 'node:crypto';
import type { Forged } from '@nereid/domain/events';
import type { ForgedError } from '@nereid/signature';

/** `about` is the id that was named: hostile, at most 100 characters. */
export function forgedEvent(error: ForgedError, about: string): Forged {
  const id = `${randomUUID()}:FORGED`;
  const at = new Date().toISOString();
  const fact = { version: 1, id, state: 'FORGED', forged: error.kind, sentence: error.message, about, at } as const;
  return { kind: 'forged', id, fact, error };
}
