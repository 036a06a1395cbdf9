/** How a wave stands whose roots are all deployed, by what control has signed about its checks. */
import { haltingCheck, type CheckRule, type WaveChecks } from '@nereid/domain/gates';
import { standingOfChecked, type CheckedStanding, type Rollout, type Wave } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { deployedAfter, type DeployedAtContext } from '../deployed-at.ts';

export type CheckedContext = DeployedAtContext & Pick<WorkerContext, 'waveCheckRecords' | 'signatures'>;

interface DeployedWave {
  readonly repository: Repository;
  readonly rollout: Rollout;
  readonly wave: Wave;
  /** From 1. */
  readonly number: number;
  /** When its last root was deployed, in epoch milliseconds. */
  readonly since: number;
  /** As the server's file has them now. */
  readonly checks: readonly CheckRule[];
}

/** Records are small. */
const AT_ONCE = 20;

export type FoundStanding = CheckedStanding & {
  /** Of the stored record, whoever wrote it; undefined where there is none. */
  readonly version: string | undefined;
  /** When a check halted the rollout, by the stored record, ISO 8601. Absent where none did. */
  readonly haltedAt?: string;
};

export async function findChecked(
  context: CheckedContext,
  deployed: DeployedWave,
  signal: AbortSignal | undefined,
): Promise<FoundStanding> {
  const { repository, rollout, wave, number, since, checks: rules } = deployed;
  const { waveCheckRecords, signatures } = context;
  const { owner, name } = repository;
  const stored = await waveCheckRecords.read({ owner, name }, rollout.id, number);
  const about = { repository: { owner, name }, rollout: rollout.id, wave: number };
  // What control has not signed was not asked.
  const proven = stored && (await signatures.openIfGenuine('decision/wave-checks', stored.checks, about));
  const found = proven?.body;
  const isHalted = found !== undefined && haltingCheck(rules, found) !== undefined;
  const resumedAt = isHalted ? await resumedSince(context, deployed, found, signal) : undefined;
  const standing = standingOfChecked(wave, since, { rules, found, resumedAt });
  return { ...standing, version: stored?.version, ...(found?.state === 'halted' && { haltedAt: found.at }) };
}

/** A fix, or a re-run, of a root of the wave took effect then, after the wave was halted. */
async function resumedSince(
  context: CheckedContext,
  { repository, rollout, wave }: DeployedWave,
  { at }: WaveChecks,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const ends = await pMap(
    wave.rootNames,
    (rootName) => deployedAfter(context, { repository, rootName, sha: rollout.revision }, Date.parse(at), signal),
    { concurrency: AT_ONCE },
  );
  const known = ends.filter((end) => end !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
