/**
 * The waves of a merge: which roots go in which, and how each wave stands. A wave begins when those before it are over. No root is
 * in an earlier wave than one for which it waits, so the order of roots and that of waves never wait for each other.
 */
import type { EndedStatus } from '../../deployment/status.ts';
import {
  haltingCheck,
  type CheckedSoak,
  type CheckResult,
  type CheckRule,
  type WaveChecks,
} from '../../gates/clock/wave-checks.ts';
import type { Rollout, RolloutRoot, Wave } from '../model.ts';
import { createRolloutGraph, inRolloutOrder } from './graph.ts';

/** A wave as the server's file has it, for the roots of one merge. */
export interface WaveRule extends Pick<Wave, 'name' | 'soakMs'> {
  /** The roots that it is about. */
  readonly rootNames: readonly string[];
  /** It takes so many of them at most. */
  readonly most: number;
}

/** The wave of all roots that the rules are about, but that none of them takes. */
const REST = 'the rest';

/** Empty unless one wave waits for another. A root that no rule is about is in none. */
export function planWaves(rules: readonly WaveRule[], roots: readonly RolloutRoot[]): readonly Wave[] {
  const deployed = roots.flatMap(({ rootName, deploymentId }) => (deploymentId === undefined ? [] : [rootName]));
  const { waitsFor } = createRolloutGraph(roots);
  const inOrder = inRolloutOrder(roots, deployed.toSorted());
  const before = new Map(inOrder.map((name) => [name, waitsFor(name).map(({ rootName }) => rootName)]));
  const inWaves = new Set(rules.flatMap(({ rootNames }) => rootNames));
  const taken = new Set<string>();
  const chosen = rules.map(({ name, soakMs, rootNames, most }) => {
    const own = chooseRoots({ wanted: new Set(rootNames), most, before, taken, inWaves });
    for (const rootName of own) taken.add(rootName);
    return { name, soakMs, rootNames: own };
  });
  const rest = inOrder.filter((name) => inWaves.has(name) && !taken.has(name));
  const waves = [...chosen, { name: REST, soakMs: 0, rootNames: rest }].filter(({ rootNames }) => rootNames.length > 0);
  return waves.length > 1 ? waves : [];
}

interface Choice {
  readonly wanted: ReadonlySet<string>;
  readonly most: number;
  /** For which roots each root waits, those first for which others wait. */
  readonly before: ReadonlyMap<string, readonly string[]>;
  /** In this wave, or an earlier one. */
  readonly taken: ReadonlySet<string>;
  readonly inWaves: ReadonlySet<string>;
}

/** The roots of one wave: of those that wait for no later one, also through roots of no wave. */
function chooseRoots({ wanted, most, before, taken, inWaves }: Choice): readonly string[] {
  const chosen: string[] = [];
  const notLater = new Set<string>();
  for (const [name, awaited] of before) {
    const isFree = awaited.every((one) => notLater.has(one));
    const isWanted = wanted.has(name) && !taken.has(name) && chosen.length < most;
    if (isFree && isWanted) chosen.push(name);
    if (taken.has(name) || (isFree && (isWanted || !inWaves.has(name)))) notLater.add(name);
  }
  return chosen;
}

/** How the deployment of a root ended: `done` once it took effect, by whatever deployment, and when, in epoch milliseconds. */
export type RootEffect =
  | { readonly kind: 'open' }
  | { readonly kind: 'done'; readonly at: number }
  | { readonly kind: 'failed'; readonly status: EndedStatus };

export type WaveStanding =
  /** `since`: when its last deployment ended, in epoch milliseconds. */
  | { readonly kind: 'over'; readonly since: number }
  | { readonly kind: 'open'; readonly rootNames: readonly string[] }
  | { readonly kind: 'halted'; readonly rootName: string; readonly status: EndedStatus }
  | { readonly kind: 'soaking'; readonly since: number; readonly until: number };

/** `now` is in epoch milliseconds. */
export function standingOfWave(
  { rootNames, soakMs }: Wave,
  effects: ReadonlyMap<string, RootEffect>,
  now: number,
): WaveStanding {
  const found = rootNames.map((rootName) => ({
    rootName,
    effect: effects.get(rootName) ?? ({ kind: 'open' } as const),
  }));
  for (const { rootName, effect } of found)
    if (effect.kind === 'failed') return { kind: 'halted', rootName, status: effect.status };
  const open = found.filter(({ effect }) => effect.kind === 'open').map(({ rootName }) => rootName);
  if (open.length > 0) return { kind: 'open', rootNames: open };
  const since = Math.max(...found.map(({ effect }) => (effect.kind === 'done' ? effect.at : 0)));
  const until = since + soakMs;
  return until > now ? { kind: 'soaking', since, until } : { kind: 'over', since };
}

/** The known results of the checks of a wave. */
export interface KnownChecks {
  /** As the server's file has them now. */
  readonly rules: readonly CheckRule[];
  /** As control signed it; absent before the first one was asked. */
  readonly found?: WaveChecks | undefined;
  /** After a check had halted the rollout, the first deployment of a root of the wave ended then, in epoch milliseconds. */
  readonly resumedAt?: number | undefined;
}

export type CheckedStanding =
  | { readonly kind: 'over' }
  /** `by`: the last result of the check that halts it. */
  | { readonly kind: 'check-failed'; readonly by: CheckResult }
  | ({ readonly kind: 'checked' } & CheckedSoak);

/** How a wave stands that has checks, and whose last root was deployed then, in epoch milliseconds. */
export function standingOfChecked(
  { soakMs }: Pick<Wave, 'soakMs'>,
  deployedAt: number,
  { rules, found, resumedAt }: KnownChecks,
): CheckedStanding {
  if (found?.state === 'passed') return { kind: 'over' };
  const by = found && haltingCheck(rules, found);
  if (by !== undefined && resumedAt === undefined) return { kind: 'check-failed', by };
  const checking = by === undefined ? found : undefined;
  const knownSince = checking === undefined ? 0 : Date.parse(checking.since);
  // Records have whole milliseconds.
  const since = Math.max(Math.trunc(deployedAt), resumedAt ?? 0, knownSince);
  const results = checking !== undefined && knownSince === since ? checking.results : [];
  return { kind: 'checked', since, until: since + soakMs, results };
}

/** The first rollout of a revision that has waves, which is the one of its merge: re-runs go by the same. Undefined where none has any. */
export function rolloutWithWaves<Some extends Pick<Rollout, 'orderedAt' | 'waves'>>(
  rollouts: readonly Some[],
): Some | undefined {
  return rollouts
    .filter(({ waves }) => waves !== undefined)
    .toSorted((one, other) => one.orderedAt.localeCompare(other.orderedAt))[0];
}

/** Where each root stands among the waves of the merge; their numbers count from 1. */
export function wavesByRoot(
  rollouts: readonly Pick<Rollout, 'orderedAt' | 'waves'>[],
): ReadonlyMap<string, { readonly name: string; readonly number: number; readonly of: number }> {
  const waves = rolloutWithWaves(rollouts)?.waves ?? [];
  const named = waves.flatMap(({ name, rootNames }, index) =>
    rootNames.map((rootName) => [rootName, { name, number: index + 1, of: waves.length }] as const),
  );
  return new Map(named);
}
