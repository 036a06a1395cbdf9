/**
 * What work takes of a stack whose host is a process of its own: CPU of each process and its commands, commands, requests,
 * events, memory.
 */
import type { Stack } from '@nereid/local/stack';
import { countRequests } from '../deployments/deploy.ts';
import { countEvents } from '../deployments/history.ts';
import { readOwn, type OwnProcess } from '../deployments/processes.ts';
import { findKinds, KINDS, type Kind } from '../sizes/kinds.ts';
import { readAll, watchMost, type Ids } from '../sizes/status.ts';
import { readCommands, startedSince, type Commands } from './commands.ts';

export interface Costs {
  /** Milliseconds of CPU. `git of control`: all commands of that process, with the launcher that starts them. */
  readonly cpuMs: Readonly<Record<Spender, number>>;
  readonly commands: Commands;
  /** To GitHub's API. */
  readonly requests: number;
  /** Of history, of all types of workflow. */
  readonly events: number;
  /** MiB of each process, before and at most. */
  readonly memory: { readonly before: OfKinds; readonly most: OfKinds };
}

type OfKinds = Readonly<Record<Kind, number>>;

const OTHERS = ['git of control', 'commands of host', 'temporal', 'GitHub stand-in'] as const;

const SPENDERS = [...KINDS, ...OTHERS] as const;

export type Spender = (typeof SPENDERS)[number];

/** Temporal's cost of counting is not among the costs. */
export async function costsOf(stack: Stack, work: () => Promise<unknown>): Promise<Costs> {
  const ids = await findKinds();
  stack.github.resetTraffic();
  const eventsBefore = await sumOfEvents(stack);
  const before = await readSpent(stack, ids);
  const memory = { before: await readAll(ids), most: await watchMost(ids, work) };
  const after = await readSpent(stack, ids);
  const requests = countRequests(stack);
  return {
    cpuMs: ofSpenders((spender) => after.cpuMs[spender] - before.cpuMs[spender]),
    commands: startedSince(before.commands, after.commands),
    requests,
    events: (await sumOfEvents(stack)) - eventsBefore,
    memory,
  };
}

async function sumOfEvents({ temporalAddress }: Stack): Promise<number> {
  return Object.values(await countEvents(temporalAddress)).reduce((all, count) => all + count, 0);
}

async function readSpent(stack: Stack, ids: Ids): Promise<Pick<Costs, 'cpuMs' | 'commands'>> {
  const own = await readOwn();
  const [control, host] = await Promise.all([ids.control, ids.host].map((id) => readCommands(stack.folders.top, id)));
  const { user, system } = process.cpuUsage();
  const cpuMs = {
    ...Object.fromEntries(KINDS.map((kind) => [kind, sum(own.filter(({ id }) => id === ids[kind]))])),
    'git of control': launched(own, ids.control),
    'commands of host': launched(own, ids.host),
    temporal: sum(own.filter(({ part }) => part === 'temporal')),
    // It is this process.
    'GitHub stand-in': (user + system) / 1_000,
  } as Costs['cpuMs']; // All of them.
  return { cpuMs, commands: { ...of(control, 'control'), ...of(host, 'host') } };
}

function of(commands: Commands = {}, kind: Kind): Commands {
  return Object.fromEntries(Object.entries(commands).map(([name, count]) => [`${kind}: ${name}`, count]));
}

function launched(own: readonly OwnProcess[], parent: number): number {
  const launchers = own.filter((one) => one.part === 'launcher' && one.parent === parent);
  return launchers.reduce((all, { cpuMs, childrenMs }) => all + cpuMs + childrenMs, 0);
}

function sum(processes: readonly OwnProcess[]): number {
  return processes.reduce((all, { cpuMs }) => all + cpuMs, 0);
}

function ofSpenders(valueOf: (spender: Spender) => number): Costs['cpuMs'] {
  return Object.fromEntries(SPENDERS.map((spender) => [spender, valueOf(spender)])) as Costs['cpuMs']; // All of them.
}
