/**
 * What planning by inputs cannot see: a changed file that is an input of no root, where a root that is not planned may read any
 * file. To plan such roots at every change would plan them for nothing nearly always, so a sentence names them instead.
 */
import type { Root } from '@nereid/domain/root';
import { isConfigFile } from '../config-files.ts';
import { isDocumentation } from '../inputs/directory-inputs.ts';

export interface JudgedRoot {
  readonly root: Pick<Root, 'name'>;
  /** Whether the change plans it. */
  readonly isPlanned: boolean;
  /** Why it may read any file; undefined also where the root says itself when it is modified, or is not planned by itself. */
  readonly opaque: string | undefined;
  /** The changed files that may modify it, and whether one does. */
  readonly candidates: () => Iterable<string>;
  readonly matches: (file: string) => boolean;
}

/** One sentence; undefined where every changed file is an input, or no other root may read it. Hostile. */
export function describeUnplanned(
  roots: readonly JudgedRoot[],
  changed: readonly string[],
  belongsToRoot: (file: string) => boolean,
): string | undefined {
  const readers = roots.filter(({ isPlanned, opaque }) => !isPlanned && opaque !== undefined);
  if (readers.length === 0) return undefined;
  const files = new Set(
    changed.filter((file) => !isConfigFile(file) && !isDocumentation(file) && !belongsToRoot(file)),
  );
  for (const { candidates, matches } of roots) {
    if (files.size === 0) return undefined;
    for (const file of candidates()) if (files.has(file) && matches(file)) files.delete(file);
  }
  return files.size === 0 ? undefined : sentence([...files], readers);
}

/** Enough to see what it is about. */
const ROOTS_SHOWN = 3;
const TEXT_SHOWN = 200;

function sentence(files: readonly string[], readers: readonly JudgedRoot[]): string {
  const [first = ''] = files;
  const more = files.length === 1 ? ' is an input' : ` and ${files.length - 1} more are inputs`;
  const who = readers.length === 1 ? 'a root that is' : `${readers.length} roots that are`;
  const names = readers
    .slice(0, ROOTS_SHOWN)
    .map(({ root, opaque = '' }) => `${root.name.slice(0, TEXT_SHOWN)} (${opaque.slice(0, TEXT_SHOWN)})`);
  const others = readers.length > ROOTS_SHOWN ? ` and ${readers.length - ROOTS_SHOWN} more` : '';
  const remedy = `name the file${files.length === 1 ? '' : 's'} in a string of the root, or in its when_modified`;
  return (
    `${JSON.stringify(first.slice(0, TEXT_SHOWN))}${more} of no root, but ${who} not planned may read any file: ` +
    `${names.join(', ')}${others}; ${remedy}`
  );
}
