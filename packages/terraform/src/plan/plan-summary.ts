/** What a plan would do, from `terraform show -json`. Pure. No value gets out: only addresses, actions and counts do. */
import {
  CHANGE_ACTIONS,
  NO_CHANGES,
  type KnownCount,
  type ChangeAction,
  type PlanSummary,
  type ResourceChange,
} from '@nereid/domain/plan';
import { z } from 'zod';
import { cut } from '../failure/failure.ts';

/** The limits that `PlanSummary` promises. */
export const RESOURCE_LIMIT = 200;
export const ADDRESS_LENGTH_LIMIT = 200;

type KnownAction = Exclude<ChangeAction, 'unknown'>;

/** The meaning of the lists of actions that Terraform and OpenTofu write. They may write others one day: these are unknown. */
const ACTIONS: ReadonlyMap<string, readonly KnownAction[]> = new Map<string, readonly KnownAction[]>([
  ['no-op', []],
  ['read', []],
  ['create', ['create']],
  ['update', ['update']],
  ['delete', ['delete']],
  ['forget', ['forget']],
  ['delete,create', ['replace']],
  ['create,delete', ['replace']],
  // OpenTofu's replacement of a resource that says `destroy = false`: nothing is destroyed.
  ['forget,create', ['forget', 'create']],
  ['create,forget', ['forget', 'create']],
]);

const WORDS_LENGTH_LIMIT = 60;

const Actions = z.array(z.string()).transform((listed) => ACTIONS.get(listed.join()) ?? unknownAction(listed));

interface UnknownAction {
  readonly words: string;
}

function unknownAction(listed: readonly string[]): UnknownAction {
  return { words: cut(listed.join(', '), WORDS_LENGTH_LIMIT) };
}

const Change = z.object({ actions: Actions, importing: z.unknown().optional() });

/** Terraform calls the form of checks experimental. */
const Check = z.object({
  address: z.object({ to_display: z.string() }),
  status: z.string(),
  instances: z.array(z.object({ problems: z.array(z.object({ message: z.string() })).default([]) })).default([]),
});

const Invoked = z.object({
  address: z.string(),
  lifecycle_action_trigger: z.object({ action_trigger_event: z.string() }).optional(),
});

/** What else an apply does, or leaves undone: actions of providers, and changes that wait for another plan. */
const OTHERS = {
  action_invocations: listOf(Invoked, ({ address, lifecycle_action_trigger: trigger }) => [
    address,
    trigger === undefined ? 'invoke' : `invoke, ${trigger.action_trigger_event}`,
  ]),
  deferred_changes: listOf(
    z.object({ reason: z.string(), resource_change: z.object({ address: z.string() }) }),
    ({ reason, resource_change: { address } }) => [address, `deferred, ${reason}`],
  ),
  deferred_action_invocations: listOf(
    z.object({ reason: z.string(), action_invocation: z.object({ address: z.string() }) }),
    ({ reason, action_invocation: { address } }) => [address, `invocation deferred, ${reason}`],
  ),
};

interface OtherChange {
  readonly address: string;
  readonly words: string;
}

/** Of each, its address and what happens to it. One of another form than is known counts as well. */
function listOf<T>(one: z.ZodType<T>, describe: (known: T) => readonly [address: string, words: string]) {
  return z
    .unknown()
    .transform((value) => [value ?? []].flat().map((each) => otherChange(one.safeParse(each).data, describe)))
    .optional();
}

function otherChange<T>(
  known: T | undefined,
  describe: (known: T) => readonly [address: string, words: string],
): OtherChange {
  const [address, words] = known === undefined ? ['?', 'in a form that is not known'] : describe(known);
  return { address: cut(address, ADDRESS_LENGTH_LIMIT), words: cut(words, WORDS_LENGTH_LIMIT) };
}

const RootModule = z.object({
  resources: z.array(z.object({ mode: z.string() })).default([]),
  module_calls: z.record(z.string(), z.unknown()).default({}),
});

/** The fields of Terraform's and OpenTofu's JSON plan that are used; format 1 has been stable since Terraform 1.1. */
export const PlanJson = z.object({
  format_version: z.string().regex(/^(?:0\.[12]|1\.\d+)$/),
  resource_changes: z
    .array(
      z.object({
        address: z.string(),
        previous_address: z.string().optional(),
        type: z.string().optional().catch(undefined),
        change: Change,
      }),
    )
    .default([]),
  ...OTHERS,
  output_changes: z.record(z.string(), Change).default({}),
  /** An apply of it would be refused. */
  errored: z.boolean().default(false),
  checks: z.array(Check).default([]).catch([]),
  configuration: z.object({ root_module: RootModule }).optional().catch(undefined),
});

export type PlanJson = z.infer<typeof PlanJson>;
type PlannedResource = PlanJson['resource_changes'][number];

export function summarisePlan(plan: PlanJson): PlanSummary {
  const counts: Record<KnownCount, number> = { ...NO_CHANGES };
  let unknown = 0;
  const changed: ResourceChange[] = [];
  for (const resource of plan.resource_changes) {
    const address = cut(resource.address, ADDRESS_LENGTH_LIMIT);
    const { actions } = resource.change;
    if ('words' in actions) {
      unknown += 1;
      changed.push({ address, action: 'unknown', words: actions.words });
      continue;
    }
    const alone = besides(resource);
    for (const action of [...actions, ...alone]) counts[action] += 1;
    for (const action of actions.length > 0 ? actions : alone.slice(0, 1)) changed.push({ address, action });
  }
  for (const other of othersIn(plan)) {
    unknown += 1;
    changed.push({ ...other, action: 'unknown' });
  }
  changed.sort((a, b) => CHANGE_ACTIONS.indexOf(a.action) - CHANGE_ACTIONS.indexOf(b.action));
  return {
    ...counts,
    ...(unknown > 0 && { unknown }),
    outputs: Object.values(plan.output_changes).filter(({ actions }) => 'words' in actions || actions.length > 0)
      .length,
    resources: changed.slice(0, RESOURCE_LIMIT),
    omitted: Math.max(0, changed.length - RESOURCE_LIMIT),
  };
}

/** Far more than a plan has that a rule is to confirm. */
const TYPES_LIMIT = 50;

/** The types of all resources that change; undefined where the plan may do anything else, or does not say. */
export function typesIn(plan: PlanJson): readonly string[] | undefined {
  if (othersIn(plan).length > 0) return undefined;
  const changed = plan.resource_changes.filter(
    (resource) => 'words' in resource.change.actions || [...resource.change.actions, ...besides(resource)].length > 0,
  );
  const types = [...new Set(changed.map(({ type }) => type))].toSorted();
  const isKnown = types.length <= TYPES_LIMIT && types.every((type) => type !== undefined && TYPE.test(type));
  return isKnown ? types.filter((type) => type !== undefined) : undefined;
}

/** Whether it destroys resources, and the root has no code for any: neither resources of its own nor modules. */
export function isWithoutCode({ configuration, resource_changes: changes }: PlanJson): boolean {
  if (configuration === undefined) return false;
  const { resources, module_calls: modules } = configuration.root_module;
  const isEmpty = resources.every(({ mode }) => mode === 'data') && Object.keys(modules).length === 0;
  return isEmpty && changes.some(({ change: { actions } }) => !('words' in actions) && actions.includes('delete'));
}

function othersIn(plan: PlanJson): readonly OtherChange[] {
  const { action_invocations: invoked = [], deferred_changes: deferred = [] } = plan;
  return [...invoked, ...deferred, ...(plan.deferred_action_invocations ?? [])];
}

/** As Terraform allows names of resource types. */
const TYPE = /^[\w-]{1,100}$/;

/** An imported or moved resource can be changed in the same plan, and is listed by that. */
function besides({ address, previous_address: previous, change }: PlannedResource): readonly ('import' | 'move')[] {
  return [
    ...(change.importing === undefined || change.importing === null ? [] : ['import' as const]),
    ...(previous === undefined || previous === address ? [] : ['move' as const]),
  ];
}

/** Enough for people, and for the memory of a host. */
const CHECKS_LIMIT = 100;
const MESSAGE_LENGTH_LIMIT = 10_000;

/** A sentence for each problem that a check found, with the message of its author. Values can be part of it. */
export function failedChecks({ checks }: PlanJson): readonly string[] {
  const failed = checks.filter(({ status }) => status === 'fail' || status === 'error');
  const sentences = failed.flatMap(({ address, instances }) => {
    const messages = instances.flatMap(({ problems }) => problems.map(({ message }) => message));
    const lead = `${address.to_display} failed`;
    return messages.length === 0 ? [lead] : messages.map((message) => `${lead}: ${message}`);
  });
  return sentences.slice(0, CHECKS_LIMIT).map((sentence) => cut(sentence, MESSAGE_LENGTH_LIMIT));
}
