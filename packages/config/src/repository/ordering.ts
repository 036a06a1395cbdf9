/** The order in which roots of one merge are deployed, as their file declares it. Pure. */
import type { RootConfig } from './repository-config.ts';

/** The fields that decide on the order of a root. */
export type Ordered = Pick<RootConfig, 'name' | 'dependsOn' | 'executionOrderGroup'>;

/** A root without a group is in this one, as with Atlantis. */
export const DEFAULT_GROUP = 0;

export function groupOf({ executionOrderGroup = DEFAULT_GROUP }: Pick<RootConfig, 'executionOrderGroup'>): number {
  return executionOrderGroup;
}

/** A dependency that closes a cycle: without all of these, there is none. */
export interface ClosingDependency {
  readonly from: string;
  readonly to: string;
  /** `a → b → a`; the middle of a long cycle is left out. */
  readonly cycle: string;
}

interface Visit {
  readonly name: string;
  readonly dependsOn: readonly string[];
  next: number;
}

/** Finds the cycles in one walk, whose stack is its own: a chain may have ten thousand roots. Unknown names lead nowhere. */
export function closingDependencies(roots: readonly Ordered[]): readonly ClosingDependency[] {
  const byName = new Map(roots.map((root) => [root.name, root]));
  const closing: ClosingDependency[] = [];
  const done = new Set<string>();
  const depths = new Map<string, number>();
  const stack: Visit[] = [];
  const enter = (name: string) => {
    depths.set(name, stack.length);
    stack.push({ name, dependsOn: byName.get(name)?.dependsOn ?? [], next: 0 });
  };
  for (const { name } of roots) {
    if (!done.has(name)) enter(name);
    for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
      const to = visit.dependsOn[visit.next];
      visit.next += 1;
      const depth = to === undefined ? undefined : depths.get(to);
      if (to === undefined) {
        stack.pop();
        depths.delete(visit.name);
        done.add(visit.name);
      } else if (depth !== undefined) closing.push({ from: visit.name, to, cycle: describe(stack, depth) });
      else if (!done.has(to) && byName.has(to)) enter(to);
    }
  }
  return closing;
}

/** A person sees the mistake in fewer names; a hostile cycle has ten thousand. */
const NAMED = 10;

function describe(stack: readonly Visit[], from: number): string {
  const first = stack[from]?.name ?? '';
  const rest = stack.slice(from + 1, from + NAMED).map(({ name }) => name);
  const leftOut = stack.length - from - 1 - rest.length;
  return [first, ...rest, ...(leftOut > 0 ? [`… ${leftOut} more …`] : []), first].join(' → ');
}
