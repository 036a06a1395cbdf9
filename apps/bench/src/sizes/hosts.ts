/**
 * Deployments a minute with one, two and three hosts, in turns in the same run. A plan and an apply wait for some seconds, as they
 * do for a cloud: so the slots of hosts are what limits them, and not the cores, which everything here shares.
 */
import { stat } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessName, Stack } from '@nereid/local/stack';
import { AT_ONCE } from '../deployments/by-hand.ts';
import { deploy } from '../deployments/deploy.ts';
import { changeOf, rootFiles, rootNames, SAMPLE } from '../deployments/sample-repository.ts';
import { withStack } from '../deployments/with-stack.ts';
import { median } from '../timing.ts';

export interface HostsBench {
  readonly roots: number;
  /** Of each host. */
  readonly slots: number;
  /** Seconds that a plan waits, and that an apply waits. */
  readonly waits: number;
  readonly counts: readonly OfCount[];
}

export interface OfCount {
  readonly hosts: number;
  /** Median of the rounds: deployments a minute, from the push to the last apply. */
  readonly aMinute: number;
  /** How many times as many as with one host. */
  readonly ratio: number;
  /** Median: which share of the cores was at work, from 0 to 1. */
  readonly busy: number;
}

/** Six times the slots of one host, and twice those of three, on two cores. */
const ROOTS = 24;

const WAITS_S = 3;

/** Odd, so that the median is one of them. */
const ROUNDS = 3;

/** Three times as long as one host takes. */
const DEADLINE_MS = 300_000;

const LOOK_MS = 250;

/** The first one always works. */
const HOSTS = ['worker-2', 'host-2', 'host-3'] as const satisfies readonly ProcessName[];

const WAITING = {
  plan: ['init', { run: `sleep ${WAITS_S}` }, 'plan'],
  apply: [{ run: `sleep ${WAITS_S}` }, 'apply'],
};

export function benchHosts(env: NodeJS.ProcessEnv): Promise<HostsBench> {
  const several = { hasSeveral: true, restarts: ROUNDS * HOSTS.length } as const;
  const slow = { workflow: 'waiting', workflows: { waiting: WAITING } } as const;
  return withStack({ env, planReview: 'auto', ...several, ...slow }, async (stack) => {
    const names = rootNames(ROOTS);
    await stack.github.createRepository({
      ...SAMPLE,
      files: rootFiles(names, stack.folders.state),
      collaborators: { alice: 'write' },
    });
    // Makes the mirrors and the lanes; it is not counted.
    await deployAll(stack, names, 0);
    const rounds: (readonly Measured[])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(await measureRound(stack, names, 1 + round * HOSTS.length));
    return { roots: ROOTS, slots: AT_ONCE, waits: WAITS_S, counts: HOSTS.map((_, index) => summary(index, rounds)) };
  });
}

interface Measured {
  readonly aMinute: number;
  readonly busy: number;
}

/** With one host, with two, and so on. */
async function measureRound(stack: Stack, names: readonly string[], first: number): Promise<readonly Measured[]> {
  const [, ...others] = HOSTS;
  for (const host of others) await stack.holdDown(host);
  const measured = [await deployAll(stack, names, first)];
  for (const [index, host] of others.entries()) {
    await stack.letUp(host);
    measured.push(await deployAll(stack, names, first + 1 + index));
  }
  return measured;
}

/** Resolves when all is shown, so that the next ones find GitHub with points. */
async function deployAll(stack: Stack, names: readonly string[], change: number): Promise<Measured> {
  const shown = deploy(stack, names.length, changeOf(names, change), DEADLINE_MS);
  const [measured] = await Promise.all([untilApplied(stack, names), shown]);
  return measured;
}

async function untilApplied({ folders }: Stack, names: readonly string[]): Promise<Measured> {
  const start = Date.now();
  const before = readCores();
  const appliedAt = async (name: string) => {
    const state = await stat(join(folders.state, `${name}.tfstate`)).catch(() => undefined);
    return state?.mtimeMs ?? 0;
  };
  for (;;) {
    const applied = await Promise.all(names.map(appliedAt));
    if (Math.min(...applied) > start)
      return { aMinute: (names.length * 60_000) / (Math.max(...applied) - start), busy: busySince(before) };
    if (Date.now() > start + DEADLINE_MS) throw new Error(`expected that all ${names.length} roots are applied`);
    await pause(LOOK_MS);
  }
}

interface Cores {
  readonly all: number;
  readonly idle: number;
}

/** Milliseconds of all cores since the machine started. */
function readCores(): Cores {
  const times = cpus().map((core) => core.times);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0);
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) };
}

function busySince(before: Cores): number {
  const after = readCores();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function summary(index: number, rounds: readonly (readonly Measured[])[]): OfCount {
  const of = (at: number, what: keyof Measured) => median(rounds.map((round) => round[at]?.[what] ?? Number.NaN));
  const aMinute = of(index, 'aMinute');
  return { hosts: index + 1, aMinute, ratio: aMinute / of(0, 'aMinute'), busy: of(index, 'busy') };
}
