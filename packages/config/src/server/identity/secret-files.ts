/**
 * The files whose contents a root's jobs have as variables, phase by phase. A rule gives something here, and asks for nothing: so
 * for each variable the first rule counts, and a root that is known by several directories gets only what each of them has.
 */
import { matchesGlob, matchesRoot, type RootPlace } from '../glob.ts';
import type { ServerConfig } from '../server-config.ts';
import type { RootSettings, SecretFiles, SecretPhase } from '../repository-entry.ts';
import type { WrittenEnvFrom } from './identity-schema.ts';

export type WithRules = Pick<ServerConfig, 'repositories'>;

export type KnownPlace = Required<RootPlace>;

/** `repository` is `owner/name`. */
export function secretFilesFor({ repositories }: WithRules, repository: string, place: KnownPlace): SecretFiles {
  const all = settingsByDirectory(repositories, repository, place);
  return byPhase((phase) => {
    const [first = {}, ...others] = all.map((settings) => firstOf(settings, phase));
    const isCommon = (name: string, file: string) => others.every((other) => other[name] === file);
    return Object.fromEntries(Object.entries(first).filter(([name, file]) => isCommon(name, file)));
  });
}

/** Without a phase, a file is for applies: code of a branch that nobody has merged runs in previews. */
export function normaliseSecretFiles(written: WrittenEnvFrom): SecretFiles {
  if (isForApplies(written)) return byPhase((phase) => (phase === 'apply' ? written : {}));
  return byPhase((phase) => written[phase] ?? {});
}

/** For each directory of a root its settings, the first that counts first. */
export function settingsByDirectory(
  repositories: ServerConfig['repositories'],
  repository: string,
  place: KnownPlace,
): readonly (readonly RootSettings[])[] {
  const entries = repositories.filter(({ match }) => matchesGlob(match, repository));
  const rules = entries.flatMap(({ roots }) => roots);
  return place.dirs.map((dir) => {
    const own = rules.filter(({ match }) => matchesRoot(match, { name: place.name, dirs: [dir] }));
    return [...own, ...entries].map(({ settings }) => settings);
  });
}

function firstOf(settings: readonly RootSettings[], phase: SecretPhase): Readonly<Record<string, string>> {
  const below = settings.flatMap(({ envFrom }) => envFrom ?? []).toReversed();
  return Object.fromEntries(below.flatMap((each) => Object.entries(each[phase])));
}

/** A variable called `plan` has the name of a file, and no mapping. */
function isForApplies(written: WrittenEnvFrom): written is Record<string, string> {
  return Object.values(written).every((value) => typeof value === 'string');
}

function byPhase(filesOf: (phase: SecretPhase) => Readonly<Record<string, string>>): SecretFiles {
  return { preview: filesOf('preview'), plan: filesOf('plan'), apply: filesOf('apply') };
}
