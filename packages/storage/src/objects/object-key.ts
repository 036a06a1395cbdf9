import { InvalidKeyError } from '../errors.ts';

/** S3's own limit. */
const KEY_LIMIT = 1024;

/**
 * One part of a key. Few characters are allowed, so that a key is the same in a folder, a bucket and a URL; `~` stays free
 * for files beside the objects of a folder. Repository names may begin with a dot (`.github`).
 */
const SEGMENT = /^[A-Za-z0-9._@=-]{1,255}$/;

/** Throws `InvalidKeyError` unless this is a key: `a/b/c`, each part plain, none of them `.` or `..`. */
export function checkKey(key: string): void {
  if (key.length > KEY_LIMIT) throw new InvalidKeyError(key, `it is longer than ${KEY_LIMIT} characters`);
  for (const segment of key.split('/')) {
    if (isSegment(segment)) continue;
    throw new InvalidKeyError(key, `${JSON.stringify(segment)} may contain only letters, digits and . _ @ = -`);
  }
}

/** Throws `InvalidKeyError` unless this is empty or a key followed by `/`. */
export function checkPrefix(prefix: string): void {
  if (prefix === '') return;
  if (!prefix.endsWith('/')) throw new InvalidKeyError(prefix, 'a prefix ends in /');
  checkKey(prefix.slice(0, -1));
}

export function isSegment(name: string): boolean {
  return name !== '.' && name !== '..' && SEGMENT.test(name);
}

export async function* keysOf(stamped: AsyncIterable<{ readonly key: string }>): AsyncGenerator<string> {
  for await (const { key } of stamped) yield key;
}
