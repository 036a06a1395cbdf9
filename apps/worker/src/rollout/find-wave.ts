/** How the waves of a merge stand, by what storage knows and hosts have signed. */
import { describeTime } from '@nereid/config';
import { durationText } from '@nereid/domain/duration';
import type { GateFacts, WaveBefore } from '@nereid/domain/gates';
import { defined } from '@nereid/domain/defined';
import { standingOfWave, type RootEffect, type Rollout, type Wave, type WaveStanding } from '@nereid/domain/rollout';
import type { Deployment } from '@nereid/domain/deployment';
import { fullName, type Repository } from '@nereid/domain/root';
import { isUnreadableRecord, type KnownEnd } from '@nereid/storage';
import pMap from 'p-map';
import type { WorkerContext } from '../platform/context.ts';
import { describeEnd } from './describe.ts';
import { deployedAt, type DeployedAtContext, type DeployedPlace } from './deployed-at.ts';
import { outcomeOf, RolloutMissingError } from './outcomes.ts';

export type WaveContext = DeployedAtContext & Pick<WorkerContext, 'rolloutRecords' | 'signatures' | 'logger'>;

/** People of all zones read it. */
const ZONE = 'UTC';

/** Records are small. */
const AT_ONCE = 20;

/** A deployment, and those that go with it, because it contains them: it waits for their waves as well. */
interface InWaves extends Pick<Deployment, 'root' | 'together'> {
  readonly carried?: readonly Pick<Deployment, 'together'>[];
}

/** The facts of the gate `soak` about a deployment. Throws while storage or the forge is away. */
export async function soakFacts(
  context: WaveContext,
  repository: Repository,
  { root, together, carried = [] }: InWaves,
  signal?: AbortSignal,
): Promise<GateFacts['soak']> {
  const ids = new Set([{ together }, ...carried].flatMap((one) => one.together?.waves ?? []));
  try {
    for (const id of ids) {
      const before = await findBeforeRoot(context, repository, { id, rootName: root.name }, signal);
      if (before !== undefined) return { before };
    }
    return {};
  } catch (error) {
    if (!isUnreadableRecord(error) && !(error instanceof RolloutMissingError)) throw error;
    context.logger.warn({ err: error, repository: fullName(repository) }, 'the waves of a merge cannot be read');
    return { isUnknown: true };
  }
}

async function findBeforeRoot(
  context: WaveContext,
  repository: Repository,
  { id, rootName }: { readonly id: string; readonly rootName: string },
  signal: AbortSignal | undefined,
): Promise<GateFacts['soak']['before']> {
  const rollout = await context.rolloutRecords.read(repository, id);
  if (rollout === undefined) throw new RolloutMissingError(id);
  const own = waveOf(rollout, rootName);
  if (own === undefined) return undefined;
  return findWaveBefore(context, repository, { rollout, end: own }, signal);
}

/** More than are merged while a root waits for a wave. */
const CARRIED = 50;

/** Those that went with a deployment, as control stored it. A root deploys only the newest where its rule says so. */
export async function carriedBy(
  { deploymentRecords }: Pick<WaveContext, 'deploymentRecords'>,
  repository: Repository,
  { id, root }: Pick<Deployment, 'id' | 'root'>,
): Promise<readonly Deployment[]> {
  if (root.queue !== 'newest') return [];
  const ended = await deploymentRecords.latest(repository, root.name, CARRIED);
  return ended.map(({ deployment }) => deployment).filter(({ carrier }) => carrier?.deploymentId === id);
}

/** How many waves go before the wave of a root; undefined for a root of no wave. */
export function waveOf({ waves = [] }: Rollout, rootName: string): number | undefined {
  const index = waves.findIndex(({ rootNames }) => rootNames.includes(rootName));
  return index === -1 ? undefined : index;
}

/** The first of the waves up to `end` that is not over. */
export async function findWaveBefore(
  context: WaveContext,
  repository: Repository,
  { rollout, end }: { readonly rollout: Rollout; readonly end?: number },
  signal?: AbortSignal,
): Promise<GateFacts['soak']['before']> {
  const { waves = [] } = rollout;
  const asked = waves.slice(0, end);
  if (asked.length === 0) return undefined;
  const skipped = await skippedWaves(context, repository, rollout.id);
  const ends = await endsOfRevision(context, repository, rollout.revision);
  for (const [index, wave] of asked.entries()) {
    if (skipped.has(index + 1)) continue;
    const effects = await effectsIn(context, { repository, sha: rollout.revision, wave, ends }, signal);
    const standing = standingOfWave(wave, effects, Date.now());
    if (standing.kind === 'over') continue;
    const isNextAnother = asked.some((_later, other) => other > index && !skipped.has(other + 1));
    const before = described({ wave, number: index + 1, of: waves.length, standing });
    return { ...before, ...(isNextAnother && { isFurtherAhead: true }) };
  }
  return undefined;
}

interface Standing {
  readonly wave: Wave;
  readonly number: number;
  readonly of: number;
  readonly standing: Exclude<WaveStanding, { readonly kind: 'over' }>;
}

function described({ wave: { name, soakMs }, number, of, standing }: Standing): WaveBefore {
  const soak = soakMs === 0 ? undefined : durationText(soakMs);
  return { ...{ name, number, of }, ...defined({ soak }), standing: inWords(standing) };
}

function inWords(standing: Standing['standing']): WaveBefore['standing'] {
  switch (standing.kind) {
    case 'open':
      return standing;
    case 'halted':
      return { kind: 'halted', rootName: standing.rootName, how: describeEnd(standing.status) };
    case 'soaking': {
      const { until } = standing;
      return { kind: 'soaking', until, said: describeTime(ZONE, until, Date.now()) };
    }
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
