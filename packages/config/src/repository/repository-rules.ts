/** Rules for `nereid.yaml` beyond the shape of its keys. One rule, one test. */
import { posix } from 'node:path';
import { OVERRIDES, SETTING_OF_OVERRIDE, type Override } from '../settings/overrides.ts';
import type { RepositoryPolicy } from '../server/repository-policy/policy.ts';
import { settingsFor } from '../server/repository-policy/settings-for.ts';
import { describePlace, describeValue, quote, type Path } from '../yaml/problem.ts';
import type { Report, Rule } from '../yaml/report.ts';
import {
  dependenciesAreKnown,
  dependenciesGoBefore,
  dependenciesHaveNoCycle,
  noRootDependsOnItself,
} from './ordering-rules.ts';
import type { RootConfig } from './repository-config.ts';
import { isRootName, keyOf } from './root-name.ts';

/** The input of the rules: the parts of the file that have the right shape. */
export interface RepositorySubject {
  readonly roots: readonly DeclaredRoot[];
  /** The patterns of autodiscovery. */
  readonly ignore: readonly string[];
  /** Whether there may be other roots: they are discovered, or problems hide them. */
  readonly discovers: boolean;
  readonly policy: RepositoryPolicy;
}

export interface DeclaredRoot {
  /** Its place in the file's list. */
  readonly index: number;
  readonly root: RootConfig;
  /** Keys, as they are written, that have only a default because the file's value is invalid. */
  readonly wrong: ReadonlySet<string>;
}

export const repositoryRules: readonly Rule<RepositorySubject>[] = [
  namesAreWellFormed,
  namesAreUnique,
  directoriesStayInside,
  directoryAndWorkspaceOnce,
  varFilesStayInside,
  patternsStayInside,
  patternsAreCheap,
  workflowsAreKnown,
  onlyAllowedOverrides,
  onlyAllowedHosts,
  dependenciesAreKnown,
  noRootDependsOnItself,
  dependenciesHaveNoCycle,
  dependenciesGoBefore,
];

export function namesAreWellFormed({ roots }: RepositorySubject, report: Report): void {
  for (const { index, root } of roots) {
    if (isRootName(root.name)) continue;
    report.error(
      ['roots', index, 'name'],
      `expected a letter or digit, then letters, digits, ".", "_" or "-", at most 100 in all, found ${quote(root.name)}; rename the root`,
    );
  }
}

export function namesAreUnique({ roots }: RepositorySubject, report: Report): void {
  const named = roots.filter(({ wrong }) => !wrong.has('name'));
  for (const { index, root, first } of repeated(named, ({ name }) => keyOf(name))) {
    report.error(
      ['roots', index, 'name'],
      `expected a name that no other root has, found ${quote(root.name)}, which is ${describePlace(report.placeOf(['roots', first]))} already; give one of them another name`,
    );
  }
}

export function directoriesStayInside({ roots }: RepositorySubject, report: Report): void {
  for (const { index, root } of roots) {
    if (staysInside('.', root.dir)) continue;
    report.error(
      ['roots', index, 'dir'],
      `expected a directory inside the repository, relative to its top, found ${quote(root.dir)}; write it without a leading "/" or ".."`,
    );
  }
}

export function directoryAndWorkspaceOnce({ roots }: RepositorySubject, report: Report): void {
  const placed = roots.filter(({ wrong }) => !wrong.has('workspace'));
  for (const { index, root, first } of repeated(placed, ({ dir, workspace }) => JSON.stringify([dir, workspace]))) {
    report.error(
      ['roots', index, 'dir'],
      `expected each directory and workspace once, found ${quote(root.dir)} with workspace ${quote(root.workspace)}, which is ${describePlace(report.placeOf(['roots', first]))} already; remove one, or give it another workspace or a directory of its own`,
    );
  }
}

export function varFilesStayInside({ roots }: RepositorySubject, report: Report): void {
  eachText(roots.filter(isInside), 'varFiles', 'var_files', (path, file, { dir }) => {
    if (staysInside(dir, file)) return;
    report.error(
      path,
      `expected a file inside the repository, relative to ${quote(dir)}, found ${quote(file)}; move the file into the repository`,
    );
  });
}

export function patternsStayInside({ roots, ignore }: RepositorySubject, report: Report): void {
  const check = (path: Path, pattern: string, dir: string) => {
    if (staysInside(dir, pattern.replace(/^!/, ''))) return;
    report.error(
      path,
      `expected a pattern inside the repository, relative to ${quote(dir)}, found ${quote(pattern)}; remove the leading "/" or a ".."`,
    );
  };
  eachText(roots.filter(isInside), 'whenModified', 'when_modified', (path, pattern, { dir }) => {
    check(path, pattern, dir);
  });
  for (const [index, pattern] of ignore.entries()) check(['autodiscover', 'ignore', index], pattern, '.');
}

/** Matching cost grows exponentially with the wildcards in a segment: with three, the longest path takes milliseconds. */
const WILDCARDS_IN_A_SEGMENT = 3;

/** Three `**` are enough for any useful pattern. */
const DOUBLE_STARS = 3;

const PATTERN_LENGTH = 500;

export function patternsAreCheap({ roots, ignore }: RepositorySubject, report: Report): void {
  const check = (path: Path, pattern: string) => {
    if (isCheap(pattern)) return;
    report.error(
      path,
      `expected a pattern of at most ${PATTERN_LENGTH} characters with at most ${WILDCARDS_IN_A_SEGMENT} "*" between two "/", ${DOUBLE_STARS} "**" and no "(", found ${quote(pattern)}; split it into several`,
    );
  };
  eachText(roots, 'whenModified', 'when_modified', check);
  for (const [index, pattern] of ignore.entries()) check(['autodiscover', 'ignore', index], pattern);
}

export function workflowsAreKnown({ roots, policy }: RepositorySubject, report: Report): void {
  for (const { index, root } of roots) {
    if (root.workflow === undefined || policy.workflows.has(root.workflow)) continue;
    const known = [...policy.workflows.keys()].map(quote).join(', ');
    report.error(
      ['roots', index, 'workflow'],
      `expected a workflow of the server (${known}), found ${quote(root.workflow)}; name one of these`,
    );
  }
}

export function onlyAllowedOverrides({ roots, policy }: RepositorySubject, report: Report): void {
  // Without a valid name, we cannot tell which settings the server sets for this root.
  for (const { index, root } of roots.filter(({ wrong }) => !wrong.has('name'))) {
    for (const refusal of refusedOverrides(policy, root)) {
      report.error(['roots', index, refusal.key], `${refusal.why}; remove it, or ask those who run the server`);
    }
  }
}

/** Hosts have credentials, so nobody but the server says who may run on them. */
export function onlyAllowedHosts({ roots, policy }: RepositorySubject, report: Report): void {
  for (const { index, root } of roots) {
    const { hosts, name, dir } = root;
    if (hosts === undefined) continue;
    const { fixed } = settingsFor(policy, { name, dirs: [dir] });
    const allowed = policy.allowedHosts.join(', ') || 'none';
    const expected = policy.allowedHosts.includes(hosts)
      ? fixed.hosts !== undefined && `nothing, because the server has a rule for the root ${quote(name)}`
      : `hosts that the server lets this repository ask for (${allowed})`;
    if (expected === false) continue;
    report.error(
      ['roots', index, 'hosts'],
      `expected ${expected}, found ${quote(hosts)}; remove it, or ask those who run the server`,
    );
  }
}

export interface RefusedOverride {
  readonly key: Override;
  readonly setting: (typeof SETTING_OF_OVERRIDE)[Override];
  readonly why: string;
}

/** The settings of this root that the server does not allow, with the reasons. */
export function refusedOverrides(policy: RepositoryPolicy, root: RootConfig): readonly RefusedOverride[] {
  const { fixed } = settingsFor(policy, { name: root.name, dirs: [root.dir] });
  return OVERRIDES.map((key) => ({ key, setting: SETTING_OF_OVERRIDE[key] }))
    .filter(({ setting }) => root[setting] !== undefined)
    .flatMap(({ key, setting }) => {
      const found = `found ${describeValue(root[setting])}`;
      if (!policy.allowedOverrides.includes(key)) {
        const allowed = policy.allowedOverrides.join(', ') || 'nothing';
        return [{ key, setting, why: `expected only what the server lets this repository set (${allowed}), ${found}` }];
      }
      if (fixed[setting] === undefined) return [];
      const name = quote(root.name);
      return [{ key, setting, why: `expected nothing, because the server has a rule for the root ${name}, ${found}` }];
    });
}

function eachText(
  roots: readonly DeclaredRoot[],
  list: 'varFiles' | 'whenModified',
  key: string,
  visit: (path: Path, text: string, root: RootConfig) => void,
): void {
  for (const { index, root } of roots) {
    for (const [at, text] of (root[list] ?? []).entries()) visit(['roots', index, key, at], text, root);
  }
}

/** A path relative to a directory outside the repository is outside as well. */
function isInside({ root }: DeclaredRoot): boolean {
  return staysInside('.', root.dir);
}

/** Whether a path, relative to a directory, is one of the repository. */
export function staysInside(dir: string, relative: string): boolean {
  // A backslash is a separator on some systems, and a control character is never meant.
  if (relative.startsWith('/') || /[\\\p{Cc}\p{Zl}\p{Zp}]/u.test(relative)) return false;
  const joined = posix.join(dir, relative);
  return joined !== '..' && !joined.startsWith('../');
}

/** Whether matching this pattern takes a bounded time, whatever the path. */
export function isCheap(pattern: string): boolean {
  const segments = pattern.split('/');
  return (
    pattern.length <= PATTERN_LENGTH &&
    !pattern.includes('(') &&
    segments.filter((segment) => segment.includes('**')).length <= DOUBLE_STARS &&
    segments.every((segment) => (segment.match(/\*+/g) ?? []).length <= WILDCARDS_IN_A_SEGMENT)
  );
}

/** The roots with the same key as an earlier root, whose index is `first`. */
function repeated(
  roots: readonly DeclaredRoot[],
  keyOfRoot: (root: RootConfig) => string,
): readonly (DeclaredRoot & { readonly first: number })[] {
  const seen = new Map<string, number>();
  return roots.flatMap((declared) => {
    const key = keyOfRoot(declared.root);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, declared.index);
    return first === undefined ? [] : [{ ...declared, first }];
  });
}
