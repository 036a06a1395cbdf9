/**
 * `depends_on` and `execution_order_group` of `atlantis.yaml`. Atlantis looks a dependency up by the name of a project among those
 * that were planned, and ignores one that it does not find; it does not look for cycles. Such a dependency is a warning here.
 */
import { quote } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import { closingDependencies, groupOf } from '../ordering.ts';
import { laterGroup } from '../ordering-rules.ts';
import type { RootConfig } from '../repository-config.ts';

/** A root, with the names by which Atlantis knows it and those on which it depends. */
export interface NamedProject {
  readonly root: RootConfig;
  /** As it is written; Atlantis finds a project without a name by none. */
  readonly name: string | undefined;
  readonly dependsOn: readonly string[];
}

/** The roots with the dependencies that lead somewhere. */
export function withDependencies(projects: readonly NamedProject[], report: Report): readonly RootConfig[] {
  const known = new Map(projects.flatMap(({ name, root }) => (name === undefined ? [] : [[name, root] as const])));
  const found = projects.map(({ root, dependsOn }, index) => {
    const names = dependsOn.flatMap((name, at) => {
      const why = whyIgnored(root, name, known.get(name));
      if (why === undefined) return known.get(name)?.name ?? [];
      report.warn(['projects', index, 'depends_on', at], `${why}; it is ignored`);
      return [];
    });
    return names.length === 0 ? root : { ...root, dependsOn: [...new Set(names)] };
  });
  return withoutCycles(found, report);
}

function whyIgnored(root: RootConfig, name: string, other: RootConfig | undefined): string | undefined {
  if (other === undefined) return `expected the name of a project, found ${quote(name)}`;
  if (other.name === root.name) return `expected the name of another project, found ${quote(name)} itself`;
  const [own, others] = [groupOf(root), groupOf(other)];
  return others > own ? laterGroup(name, own, others) : undefined;
}

function withoutCycles(roots: readonly RootConfig[], report: Report): readonly RootConfig[] {
  const closing = Map.groupBy(closingDependencies(roots), ({ from }) => from);
  return roots.map((root, index) => {
    const cycles = closing.get(root.name);
    if (cycles === undefined) return root;
    for (const { to, cycle } of cycles) {
      const why = `expected an order of deployments, found the cycle ${cycle}`;
      report.warn(['projects', index, 'depends_on'], `${why}; ${quote(to)} is ignored`);
    }
    const ignored = new Set(cycles.map(({ to }) => to));
    return { ...root, dependsOn: (root.dependsOn ?? []).filter((name) => !ignored.has(name)) };
  });
}
