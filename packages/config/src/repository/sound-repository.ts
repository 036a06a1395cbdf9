import { partOf, soundItems, soundPart } from '../yaml/sound.ts';
import { normaliseRoot } from './normalise-repository.ts';
import type { RepositorySubject } from './repository-rules.ts';
import { AutodiscoverEntry, RootEntry } from './repository-schema.ts';

/** The parts of the written file that the rules can judge: the whole file if its schema finds nothing wrong. */
export function soundRepository(file: unknown): Omit<RepositorySubject, 'policy'> {
  const entries = soundItems(RootEntry, partOf(file, 'roots'));
  const autodiscover = soundPart(AutodiscoverEntry, partOf(file, 'autodiscover'));
  return {
    roots: entries.map(({ index, value, wrong }) => ({ index, root: normaliseRoot(value), wrong })),
    ignore: autodiscover?.value.ignore ?? [],
    discovers: autodiscover?.value.mode === 'enabled' || autodiscover?.wrong.has('mode') === true,
  };
}
