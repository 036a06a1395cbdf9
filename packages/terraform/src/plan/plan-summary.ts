/** What a plan would do, from `terraform show -json`. Pure. No value gets out: only addresses, actions and counts do. */
import type { ChangeAction, PlanSummary, ResourceChange } from '@nereid/contracts';
import { z } from 'zod';
import { cut } from '../job/failure.ts';

/** The limits that `PlanSummary` promises. */
export const RESOURCE_LIMIT = 200;
export const ADDRESS_LENGTH_LIMIT = 200;

/** The meaning of Terraform's lists of actions. Any other list makes a plan unreadable: it cannot be shown truthfully. */
const ACTIONS = {
  'no-op': 'none',
  read: 'none',
  create: 'create',
  update: 'update',
  delete: 'delete',
  forget: 'forget',
  'delete,create': 'replace',
  'create,delete': 'replace',
  'create,forget': 'replace',
} as const satisfies Record<string, ChangeAction | 'none'>;

const Action = z
  .array(z.string())
  .transform((actions) => actions.join())
  .pipe(z.literal(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])) // Object.keys() types keys as strings.
  .transform((actions) => ACTIONS[actions]);

const Change = z.object({ actions: Action, importing: z.unknown().optional() });

/** The fields of Terraform's and OpenTofu's JSON plan that are used; format 1 has been stable since Terraform 1.1. */
export const PlanJson = z.object({
  format_version: z.string().regex(/^(?:0\.[12]|1\.\d+)$/),
  resource_changes: z
    .array(z.object({ address: z.string(), previous_address: z.string().optional(), change: Change }))
    .default([]),
  output_changes: z.record(z.string(), Change).default({}),
});

export type PlanJson = z.infer<typeof PlanJson>;
type PlannedResource = PlanJson['resource_changes'][number];

/** Destructive actions come first: readers must not miss them. */
const ORDER: readonly ChangeAction[] = ['delete', 'replace', 'forget', 'update', 'create', 'import', 'move'];

export function summarisePlan(plan: PlanJson): PlanSummary {
  const counts = { create: 0, update: 0, replace: 0, delete: 0, import: 0, move: 0, forget: 0 };
  const changed: ResourceChange[] = [];
  for (const resource of plan.resource_changes) {
    const actions = actionsOf(resource);
    for (const action of actions) counts[action] += 1;
    if (actions[0]) changed.push({ address: cut(resource.address, ADDRESS_LENGTH_LIMIT), action: actions[0] });
  }
  changed.sort((a, b) => ORDER.indexOf(a.action) - ORDER.indexOf(b.action));
  return {
    ...counts,
    outputs: Object.values(plan.output_changes).filter(({ actions }) => actions !== 'none').length,
    resources: changed.slice(0, RESOURCE_LIMIT),
    omitted: Math.max(0, changed.length - RESOURCE_LIMIT),
  };
}

/** All actions on one resource, the gravest first: an imported or moved resource can be updated in the same plan. */
function actionsOf({ address, previous_address: previous, change }: PlannedResource): readonly ChangeAction[] {
  const { actions: action } = change;
  return [
    ...(action === 'none' ? [] : [action]),
    ...(change.importing === undefined || change.importing === null ? [] : ['import' as const]),
    ...(previous === undefined || previous === address ? [] : ['move' as const]),
  ];
}
