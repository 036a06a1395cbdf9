/** What is different between two plans of one root, by resource, as Terraform's own text has it. Pure. */
import type { PlanParts } from '@nereid/texts';

export interface PlanComparison {
  readonly changed: readonly ChangedPart[];
  /** Only in the plan of the page. */
  readonly added: readonly ComparedPart[];
  /** Only in the plan that it is compared with. */
  readonly removed: readonly ComparedPart[];
  /** The names of those that are the same, line by line. */
  readonly same: readonly string[];
}

export interface ComparedPart {
  readonly name: string;
  readonly lines: readonly string[];
}

export interface ChangedPart {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Values that differ from plan to plan are differences as well: nobody knows which of them matter. */
export function comparePlans(before: PlanParts, after: PlanParts): PlanComparison {
  const [old, next] = [partsOf(before), partsOf(after)];
  const both = [...next].flatMap(([name, lines]) => {
    const earlier = old.get(name);
    return earlier === undefined ? [] : [{ name, before: earlier, after: lines }];
  });
  const isSame = (part: ChangedPart) => part.before.join('\n') === part.after.join('\n');
  return {
    changed: both.filter((part) => !isSame(part)),
    added: onlyIn(next, old),
    removed: onlyIn(old, next),
    same: both.filter(isSame).map(({ name }) => name),
  };
}

function onlyIn(
  parts: ReadonlyMap<string, readonly string[]>,
  others: ReadonlyMap<string, readonly string[]>,
): readonly ComparedPart[] {
  return [...parts].filter(([name]) => !others.has(name)).map(([name, lines]) => ({ name, lines }));
}

/** No address has a space outside of a key, so these names are no resources. */
function partsOf({ resources, outputs, drift, notes }: PlanParts): ReadonlyMap<string, readonly string[]> {
  return new Map([
    ...resources,
    ...(outputs.length > 0 ? [['outputs of the root', outputs] as const] : []),
    ...[...drift].map(([name, lines]) => [`${name}, outside of Terraform`, lines] as const),
    ...(notes.length > 0 ? [['notes of Terraform', notes] as const] : []),
  ]);
}
