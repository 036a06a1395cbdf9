import type { Scope } from '../server/scope/scope.ts';
import type { RootPlace } from '../server/glob.ts';
import type { Path } from '../yaml/problem.ts';
import type { ExplainedSetting } from './explanation.ts';
import { placeIn, type NamedSource } from './parts.ts';
import { matchOf } from './together.ts';

interface Entry extends Meaning {
  readonly section: string;
  readonly index: number;
  readonly entry: Scope & { readonly name: string };
}

interface Meaning {
  /** What it means for the root. */
  readonly value: string;
  /** In the words of the file; default: the same. */
  readonly written?: string;
}

/** An entry in a list of the server's file that holds for the root, together with the others that do. */
export function explainEntry(
  { section, index, entry, ...meaning }: Entry,
  named: NamedSource,
  place: RootPlace,
): ExplainedSetting {
  return explainScope(
    { key: `${section}.${entry.name}`, path: [section, index], scope: entry, ...meaning },
    named,
    place,
  );
}

interface Scoped extends Meaning {
  readonly key: string;
  readonly path: Path;
  readonly scope: Scope;
}

/** A part of the server's file, wherever it stands, that holds for the root. */
export function explainScope(
  { key, path, scope, value, written = value }: Scoped,
  named: NamedSource,
  place: RootPlace,
): ExplainedSetting {
  return {
    ...{ key, value, isDefault: false, choice: 'together' },
    sources: [{ kind: 'server', at: placeIn(named, path), match: matchOf(scope, place), value: written, counts: true }],
  };
}
