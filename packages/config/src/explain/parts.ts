/** The parts of the configuration that are about one root, each with its place. */
import { defined } from '@nereid/domain/defined';
import { matchesGlob, matchesRoot, type RootPlace } from '../server/glob.ts';
import type { RepositoryEntry, RootSettings } from '../server/repository-entry.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { Path, Place } from '../yaml/problem.ts';
import { placeAt } from '../yaml/report.ts';
import { partOf } from '../yaml/sound.ts';
import type { YamlSource } from '../yaml/yaml-source.ts';
import type { SourceKind } from './explanation.ts';

export interface Part {
  readonly kind: SourceKind;
  readonly match?: string;
  readonly settings: RootSettings;
  /** Where the key stands in it, like `timeout.plan`. */
  readonly placeOf: (key: string) => Place;
}

export interface ServerParts {
  /** Rules for roots, then entries, each in the order of the file. */
  readonly rules: readonly Part[];
  readonly entries: readonly EntryPart[];
  /** The settings of all repositories, as far as they are written. */
  readonly whole: Part;
}

export interface EntryPart extends Part {
  readonly entry: RepositoryEntry;
}

/** A file that has been read, under the name by which its reader knows it. */
export interface NamedSource {
  readonly file: string;
  readonly source: YamlSource;
}

export function serverParts(
  { repositories, terraform }: Pick<ServerConfig, 'repositories' | 'terraform'>,
  named: NamedSource,
  repository: string,
  place: RootPlace,
): ServerParts {
  const matching = [...repositories.entries()].filter(([, { match }]) => matchesGlob(match, repository));
  const rules = matching.flatMap(([index, entry]) =>
    entry.roots
      .filter(({ match }) => matchesRoot(match, place))
      .map(({ match, settings }): Part => {
        const path = ['repositories', index, 'roots', match];
        return { kind: 'rule', match: `${match} of ${entry.match}`, settings, placeOf: placesBelow(named, path) };
      }),
  );
  const entries = matching.map(([index, entry]): EntryPart => {
    const placeOf = placesBelow(named, ['repositories', index]);
    return { kind: 'entry', match: entry.match, settings: entry.settings, placeOf, entry };
  });
  const written = partOf(named.source.value, 'terraform');
  const isWritten = (key: 'distribution' | 'network') => partOf(written, key) !== undefined;
  const settings: RootSettings = {
    ...defined({ terraformVersion: terraform.version }),
    ...(isWritten('distribution') && { distribution: terraform.distribution }),
    ...(isWritten('network') && { network: terraform.network }),
  };
  // The version of all roots is `terraform.version`.
  const placeOf = (key: string) => placeIn(named, ['terraform', key.replace('terraform_', '')]);
  return { rules, entries, whole: { kind: 'server', settings, placeOf } };
}

export function placesBelow(named: NamedSource, path: Path): Part['placeOf'] {
  return (key) => placeIn(named, [...path, ...key.split('.').filter((part) => part !== '')]);
}

export function placeIn({ file, source }: NamedSource, path: Path): Place {
  return { ...placeAt(source, path), file };
}
