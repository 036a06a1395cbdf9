import type { RootPlace } from '../server/glob.ts';
import type { Scope } from '../server/scope/scope.ts';
import type { ExplainedSetting } from './explanation.ts';
import { placeIn, type NamedSource } from './parts.ts';
import { matchOf } from './together.ts';

interface Entry {
  readonly section: string;
  readonly index: number;
  readonly entry: Scope & { readonly name: string };
  /** What it means for the root. */
  readonly value: string;
  /** In the words of the file; default: the same. */
  readonly written?: string;
}

/** An entry in a list of the server's file that holds for the root, together with the others that do. */
export function explainEntry(
  { section, index, entry, value, written = value }: Entry,
  named: NamedSource,
  place: RootPlace,
): ExplainedSetting {
  const at = placeIn(named, [section, index]);
  return {
    key: `${section}.${entry.name}`,
    ...{ value, isDefault: false, choice: 'together' },
    sources: [{ kind: 'server', at, match: matchOf(entry, place), value: written, counts: true }],
  };
}
