/** Rules of `nereid.yaml` for the order of roots. One rule, one test. */
import { nearestOf } from '../yaml/nearest.ts';
import { quote, type Path, type Problem } from '../yaml/problem.ts';
import type { Report } from '../yaml/report.ts';
import { closingDependencies, groupOf } from './ordering.ts';
import type { RootConfig } from './repository-config.ts';
import type { DeclaredRoot, RepositorySubject } from './repository-rules.ts';

/** Where roots are discovered in addition, discovery knows the names. */
export function dependenciesAreKnown({ roots, discovers }: RepositorySubject, report: Report): void {
  if (discovers || roots.some(({ wrong }) => wrong.has('name'))) return;
  const names = roots.map(({ root }) => root.name);
  const known = new Set(names);
  eachDependency(roots, (path, name) => {
    if (!known.has(name)) report.error(path, unknownDependency(name, names));
  });
}

/** The same for a revision whose roots are known, those that were discovered included. */
export function unknownDependencies(roots: readonly RootConfig[]): readonly Problem[] {
  const names = roots.map(({ name }) => name);
  const known = new Set(names);
  return roots.flatMap(({ dependsOn = [], dirAt }) =>
    dependsOn
      .filter((name) => !known.has(name))
      .map((name) => ({ ...(dirAt ?? { path: '' }), message: `depends_on: ${unknownDependency(name, names)}` })),
  );
}

function unknownDependency(name: string, known: readonly string[]): string {
  const nearest = nearestOf(name, known);
  const remedy = nearest === undefined ? 'name a root, or remove it' : `did you mean ${quote(nearest)}?`;
  return `expected the name of a root, found ${quote(name)}; ${remedy}`;
}

export function noRootDependsOnItself({ roots }: RepositorySubject, report: Report): void {
  eachDependency(roots, (path, name, { root }) => {
    if (name === root.name)
      report.error(path, `expected the name of another root, found ${quote(name)} itself; remove it`);
  });
}

export function dependenciesHaveNoCycle({ roots }: RepositorySubject, report: Report): void {
  const indexes = new Map(roots.map(({ index, root }) => [root.name, index]));
  for (const { from, to, cycle } of closingDependencies(roots.map(({ root }) => root))) {
    // That is another rule's.
    if (from === to) continue;
    report.error(
      ['roots', indexes.get(from) ?? 0, 'depends_on'],
      `expected an order of deployments, found the cycle ${cycle}; remove one of these dependencies`,
    );
  }
}

/** Roots of a lower group go first, so they cannot wait for a higher one. */
export function dependenciesGoBefore({ roots }: RepositorySubject, report: Report): void {
  const groups = new Map(roots.map(({ root }) => [root.name, groupOf(root)]));
  eachDependency(roots, (path, name, { root }) => {
    const [own, other] = [groupOf(root), groups.get(name) ?? groupOf({})];
    if (other > own) report.error(path, laterGroup(name, own, other));
  });
}

export function laterGroup(name: string, own: number, other: number): string {
  return `expected a root of execution_order_group ${own} or lower, found ${quote(name)} of group ${other}, which goes later; change one of the groups`;
}

function eachDependency(
  roots: readonly DeclaredRoot[],
  visit: (path: Path, name: string, declared: DeclaredRoot) => void,
): void {
  for (const declared of roots) {
    for (const [at, name] of (declared.root.dependsOn ?? []).entries())
      visit(['roots', declared.index, 'depends_on', at], name, declared);
  }
}
