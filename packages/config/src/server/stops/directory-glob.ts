/** Directories that a person names: globs, as `roots` of the server's file has them, but by no name of a root. */
import { posix } from 'node:path';
import { ROOT_RULE } from '../../settings/globs-schema.ts';
import { NAME_RULE } from '../glob.ts';

const LENGTH_LIMIT = 200;

/**
 * The glob as it is matched, of a text like `prod/`, which shells complete, or `./prod`. `*` is `**`, which is about the top as well.
 * Undefined for a text that can match no directory.
 */
export function directoryGlobOf(text: string): string | undefined {
  const hasParent = text.split('/').includes('..');
  if (text.length > LENGTH_LIMIT || text.startsWith(NAME_RULE) || hasParent) return undefined;
  const plain = text === '' ? '' : posix.normalize(text).replace(/(?<=.)\/$/, '');
  if (!ROOT_RULE.pattern.test(plain)) return undefined;
  return plain === '*' ? '**' : plain;
}
