/** How the waves of a merge stand, by what storage knows and hosts have signed. */
import { checksOf, describeChecked, describeTime, WAVES_ZONE, type ServerConfig, type WaveCheck } from '@nereid/config';
import { durationText } from '@nereid/domain/duration';
import type { WaveBefore } from '@nereid/domain/gates';
import { defined } from '@nereid/domain/defined';
import {
  rolloutWithWaves,
  standingOfWave,
  type RootEffect,
  type Rollout,
  type Wave,
  type WaveStanding,
} from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import type { KnownEnd } from '@nereid/storage';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { findChecked, type CheckedContext, type FoundStanding } from './find-checked.ts';
import { describeEnd } from '../describe.ts';
import { deployedAt, type DeployedPlace } from '../deployed-at.ts';
import { outcomeOf } from '../outcomes.ts';

export type WaveContext = CheckedContext &
  Pick<WorkerContext, 'rolloutRecords' | 'signatures' | 'logger'> & {
    readonly server: { current(): Pick<ServerConfig, 'waves'> };
  };

/** Records are small. */
const AT_ONCE = 20;

/** How many waves go before the wave of a root; undefined for a root of no wave. */
export function waveOf({ waves = [] }: Rollout, rootName: string): number | undefined {
  const index = waves.findIndex(({ rootNames }) => rootNames.includes(rootName));
  return index === -1 ? undefined : index;
}

/** The first of the waves up to `end` that is not over, in words. */
export async function findWaveBefore(...asked: Parameters<typeof findWaveLeft>): Promise<WaveBefore | undefined> {
  const left = await findWaveLeft(...asked);
  return left && described(left);
}

/** A wave that is not over. */
export interface WaveLeft {
  readonly wave: Wave;
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** As the server's file has them now. */
  readonly checks: readonly WaveCheck[];
  /** Another one of those asked for comes after it. */
  readonly isFurtherAhead: boolean;
  readonly standing: Exclude<WaveStanding | FoundStanding, { readonly kind: 'over' }>;
}

/** The first of the waves up to `end` that is not over. */
export async function findWaveLeft(
  context: WaveContext,
  repository: Repository,
  { rollout, end }: { readonly rollout: Rollout; readonly end?: number },
  signal?: AbortSignal,
): Promise<WaveLeft | undefined> {
  const { waves = [] } = rollout;
  const asked = waves.slice(0, end);
  if (asked.length === 0) return undefined;
  const skipped = await skippedWaves(context, repository, rollout.id);
  const ends = await endsOfRevision(context, repository, rollout.revision);
  for (const [index, wave] of asked.entries()) {
    if (skipped.has(index + 1)) continue;
    const effects = await effectsIn(context, { repository, sha: rollout.revision, wave, ends }, signal);
    const checks = checksOf(context.server.current(), wave.name);
    const number = index + 1;
    const deployed = standingOfWave(wave, effects, Date.now());
    const isChecked = checks.length > 0 && 'since' in deployed;
    const standing = isChecked
      ? await findChecked(context, { repository, rollout, wave, number, checks, since: deployed.since }, signal)
      : deployed;
    if (standing.kind === 'over') continue;
    const isFurtherAhead = asked.some((_later, other) => other > index && !skipped.has(other + 1));
    return { wave, number, of: waves.length, checks, standing, isFurtherAhead };
  }
  return undefined;
}

/** Whether a check has halted the rollout of a revision in the wave of this root: then its re-run resumes it, although it worked. */
export async function isHaltedByCheck(
  context: WaveContext,
  repository: Repository,
  { sha, rootName }: { readonly sha: string; readonly rootName: string },
): Promise<boolean> {
  const rollout = rolloutWithWaves(await context.rolloutRecords.ofRevision(repository, sha));
  const own = rollout && waveOf(rollout, rootName);
  if (rollout === undefined || own === undefined) return false;
  const left = await findWaveLeft(context, repository, { rollout, end: own + 1 });
  return left?.number === own + 1 && left.standing.kind === 'check-failed';
}

/** In words. */
export function described(left: WaveLeft): WaveBefore {
  const { wave, number, of, isFurtherAhead } = left;
  const soak = wave.soakMs === 0 ? undefined : durationText(wave.soakMs);
  return {
    ...{ name: wave.name, number, of, standing: inWords(left, Date.now()) },
    ...defined({ soak }),
    ...(isFurtherAhead && { isFurtherAhead }),
  };
}

function inWords({ standing, checks }: WaveLeft, now: number): WaveBefore['standing'] {
  switch (standing.kind) {
    case 'open':
      return standing;
    case 'halted':
      return { kind: 'halted', rootName: standing.rootName, how: describeEnd(standing.status) };
    case 'check-failed': {
      const { check, failures, answer, at } = standing.by;
      return { kind: 'check-failed', check, failures, answer, said: describeTime(WAVES_ZONE, Date.parse(at), now) };
    }
    case 'soaking': {
      const { until } = standing;
      return { kind: 'soaking', until, said: describeTime(WAVES_ZONE, until, now) };
    }
    case 'checked':
      return describeChecked(checks, standing, now);
  }
}

/** The numbers of the waves that somebody skipped. One that control has not signed was not. */
export async function skippedWaves(
  { rolloutRecords, signatures }: Pick<WaveContext, 'rolloutRecords' | 'signatures'>,
  { owner, name }: Repository,
  id: string,
): Promise<ReadonlySet<number>> {
  const about = { repository: { owner, name }, rollout: id };
  const skips = await rolloutRecords.skips({ owner, name }, id);
  const proven = await Promise.all(skips.map((one) => signatures.openIfGenuine('decision/skip-soak', one, about)));
  return new Set(proven.flatMap((one) => one?.body.wave ?? []));
}

type Ends = ReadonlyMap<string, readonly KnownEnd[]>;

/** Of the merge, however many messages told of it, and of its re-runs. */
async function endsOfRevision({ rolloutRecords }: WaveContext, repository: Repository, sha: string): Promise<Ends> {
  const rollouts = await rolloutRecords.ofRevision(repository, sha);
  const listed = await pMap(rollouts, ({ id }) => rolloutRecords.ends(repository, id), { concurrency: AT_ONCE });
  const all = Map.groupBy(
    listed.flatMap((ends) => [...ends]),
    ([rootName]) => rootName,
  );
  return new Map([...all].map(([rootName, found]) => [rootName, found.flatMap(([, ends]) => ends)]));
}

interface AskedWave {
  readonly repository: Repository;
  readonly sha: string;
  readonly wave: Wave;
  readonly ends: Ends;
}

async function effectsIn(
  context: WaveContext,
  { repository, sha, wave, ends }: AskedWave,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, RootEffect>> {
  const effects = await pMap(
    wave.rootNames,
    async (rootName) => {
      const place = { repository, rootName, sha };
      return [rootName, await effectOf(context, place, ends.get(rootName) ?? [], signal)] as const;
    },
    { concurrency: AT_ONCE },
  );
  return new Map(effects);
}

/** One that failed is deployed all the same, once a later commit is: a fix. */
async function effectOf(
  context: WaveContext,
  place: DeployedPlace,
  ends: readonly KnownEnd[],
  signal: AbortSignal | undefined,
): Promise<RootEffect> {
  if (ends.length === 0) return { kind: 'open' };
  const took = ends.filter((end) => end.kind === 'ended' && ['succeeded', 'no-changes'].includes(end.status));
  if (took.length > 0) return { kind: 'done', at: Math.min(...took.map(({ at }) => at)) };
  const at = await deployedAt(context, place, signal);
  if (at !== undefined) return { kind: 'done', at };
  const outcome = await outcomeOf(context, place.repository, place.rootName, ends);
  if (outcome.kind === 'open') return outcome;
  return { kind: 'failed', status: outcome.kind === 'failed' ? outcome.status : 'skipped' };
}
