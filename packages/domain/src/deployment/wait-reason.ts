/** Everything that a deployment can wait for, in one list: the API, the command line, events, metrics and alerts have these names. */
import { TRAIL_ACTIONS, type Action, type OperatorAction } from '../actions/actions.ts';

/**
 * Of the gates. `turn`: its lane is locked. `order`: the deployments of other lanes go first. Everybody asks them in this order, and a
 * deployment stops at the first: those at which it keeps waiting come before those that end it, because much may have changed by the time
 * they open.
 */
export const GATE_NAMES = ['turn', 'stop', 'window', 'soak', 'order', 'budget', 'age', 'policy', 'review'] as const;

export type GateName = (typeof GATE_NAMES)[number];

/**
 * Besides the gates. `queue`: another deployment of its lane goes first. `host`: no host has a slot. `outside`: something outside of
 * Nereid does not answer, such as the forge or storage. `record`: the record of its lane cannot be read.
 */
const OTHER_REASONS = ['queue', 'host', 'outside', 'record'] as const;

export type OtherReason = (typeof OTHER_REASONS)[number];

export const WAIT_REASONS = [...GATE_NAMES, ...OTHER_REASONS] as const;

export type WaitReason = GateName | OtherReason;

/** A person who may do this, the deployments of other lanes, or the people who write the server's file. */
export type Unblocker = Action | OperatorAction | 'other lanes' | 'operators';

/** The gate at which a deployment keeps waiting. */
export interface WaitAtGate {
  readonly gate: GateName;
  /** Who can end the wait. */
  readonly who: readonly Unblocker[];
  /** When the wait ends by itself, in epoch milliseconds. */
  readonly until?: number;
  /** The deployments of the same repository that the sentence names, in its order. */
  readonly named?: readonly NamedDeployment[];
  /** The number of the wave that it waits for, from 1: the one that a person may skip. */
  readonly wave?: number;
}

/** Named by its root. */
export interface NamedDeployment {
  readonly rootName: string;
  readonly deploymentId: string;
}

/** More would be no sentence. */
export const NAMED_LIMIT = 5;

/** For each field, what it is of what somebody said; undefined for what it cannot be. */
export type Readers<Said> = { readonly [Field in keyof Said]-?: (said: unknown) => Said[Field] | undefined };

/** The fields that can be read. */
export function readFields<Said>(readers: Readers<Said>, said: unknown): Partial<Said> {
  const fields = (said ?? {}) as Readonly<Partial<Record<keyof Said, unknown>>>; // Each is judged by its reader.
  const names = Object.keys(readers) as (keyof Said)[]; // Of the table.
  const read = names.map((name) => [name, readers[name](fields[name])] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Partial<Said>; // As the readers return them.
}

/** Undefined unless it names a gate. It may come from whoever reaches Temporal, so only names that are known are kept. */
export function readWaitAtGate(said: unknown): WaitAtGate | undefined {
  const { gate, who = [], ...more } = readFields(WAIT_AT_GATE, said);
  return gate === undefined ? undefined : { gate, who, ...more };
}

const WAIT_AT_GATE: Readers<WaitAtGate> = {
  gate: (said) => (isGateName(said) ? said : undefined),
  who: (said) => (Array.isArray(said) ? said.filter(isUnblocker) : undefined),
  until: (said) => (isTime(said) ? said : undefined),
  named: (said) => (Array.isArray(said) ? said.slice(0, NAMED_LIMIT).filter(isNamedDeployment) : undefined),
  wave: (said) => (Number.isSafeInteger(said) && Number(said) >= 1 ? Number(said) : undefined),
};

function isNamedDeployment(said: unknown): said is NamedDeployment {
  const { rootName, deploymentId } = (said ?? {}) as Readonly<Partial<Record<keyof NamedDeployment, unknown>>>; // Judged here.
  return isShort(rootName) && isShort(deploymentId);
}

/** Longer than any name of a root. */
const NAME_LIMIT = 300;

function isShort(said: unknown): said is string {
  return typeof said === 'string' && said !== '' && said.length <= NAME_LIMIT;
}

/** Whether it is a time in epoch milliseconds. */
export function isTime(said: unknown): said is number {
  return typeof said === 'number' && Math.abs(said) <= LATEST_MS;
}

/** No date is later. */
const LATEST_MS = 8.64e15;

function isGateName(name: unknown): name is GateName {
  return (GATE_NAMES as readonly unknown[]).includes(name);
}

function isUnblocker(who: unknown): who is Unblocker {
  return ['other lanes', 'operators', ...TRAIL_ACTIONS].includes(who as string); // Of another type, it is none of them.
}
