/** Messages that this release understands. What a newer one sent, or somebody by hand, changes nothing and is logged. */
import { log } from '@temporalio/workflow';

/** Whether the message has version 1 and these fields, which are texts. */
export function isReadable(name: string, message: unknown, fields: readonly string[]): boolean {
  const why = unreadable(message, fields);
  if (why !== undefined) log.warn('a signal cannot be read and was dropped', { signal: name, why });
  return why === undefined;
}

/** What was expected instead; undefined when the message can be read. Pure. */
export function unreadable(message: unknown, fields: readonly string[]): string | undefined {
  if (typeof message !== 'object' || message === null) return 'expected an object';
  const found = new Map<string, unknown>(Object.entries(message));
  if (found.get('version') !== 1) return 'expected version 1; upgrade the workers';
  const missing = fields.find((field) => typeof found.get(field) !== 'string');
  return missing === undefined ? undefined : `expected a text as ${missing}`;
}
