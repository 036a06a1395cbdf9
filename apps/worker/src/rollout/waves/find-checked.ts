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
  /** A check had halted the rollout, by the stored record, and does so no more. */
  readonly resumed?: Resumed;
};

export interface Resumed {
  /** ISO 8601. */
  readonly haltedAt: string;
  /** A clause: "network was deployed again". */
  readonly why: string;
}

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
  const again = isHalted ? await deployedAgain(context, deployed, found, signal) : undefined;
  const standing = standingOfChecked(wave, since, { rules, found, resumedAt: again?.at });
  const isResumed = found?.state === 'halted' && standing.kind !== 'check-failed';
  return { ...standing, version: stored?.version, ...(isResumed && { resumed: resumedBy(found, again) }) };
}

function resumedBy({ at: haltedAt, haltedBy = '' }: WaveChecks, again: DeployedAgain | undefined): Resumed {
  const why =
    again === undefined
      ? `the server's file no longer has the check ${haltedBy}`
      : `${again.rootName} was deployed again`;
  return { haltedAt, why };
}

interface DeployedAgain {
  readonly rootName: string;
  /** In epoch milliseconds. */
  readonly at: number;
}

/** The first root of the wave of which a fix, or a re-run, took effect after the wave was halted. */
async function deployedAgain(
  context: CheckedContext,
  { repository, rollout, wave }: DeployedWave,
  { at }: WaveChecks,
  signal: AbortSignal | undefined,
): Promise<DeployedAgain | undefined> {
  const ends = await pMap(
    wave.rootNames,
    async (rootName) => {
      const place = { repository, rootName, sha: rollout.revision };
      const endedAt = await deployedAfter(context, place, Date.parse(at), signal);
      return endedAt === undefined ? [] : [{ rootName, at: endedAt }];
    },
    { concurrency: AT_ONCE },
  );
  return ends.flat().toSorted((one, other) => one.at - other.at)[0];
}
