/** What the next wave of a merge waits for, beyond what lanes say: how its checks stand, and the command that resumes a halted one. */
import type { KeyObject } from 'node:crypto';
import type { RolloutDetail } from '@nereid/api';
import { checksOf, describeChecked, type ServerConfig } from '@nereid/config';
import { describeWave, type WaveBefore, type WaveChecks } from '@nereid/domain/gates';
import { rolloutWithWaves, type Rollout, type Wave } from '@nereid/domain/rollout';
import { createVerifier, openEnvelope } from '@nereid/signature';
import type { WaveCheckRecords } from '@nereid/storage';
import { describeNextWave, openedBy, rerunThatResumes } from '@nereid/texts';
import type { Logger } from 'pino';

interface AskedWave {
  readonly rollout: Pick<Rollout, 'id' | 'repository'>;
  readonly wave: Wave;
  /** From 1. */
  readonly number: number;
}

/** How a wave that soaks stands with its checks, by what control has signed. Undefined where nobody knows. Never throws. */
export type ReadChecked = (asked: AskedWave) => Promise<WaveBefore['standing'] | undefined>;

export interface CheckedSources {
  readonly waveCheckRecords: Pick<WaveCheckRecords, 'read'>;
  /** Public keys of control; without any, nothing is shown. */
  readonly controlKeys: readonly KeyObject[];
  readonly server: { current(): Pick<ServerConfig, 'waves'> };
  readonly logger: Pick<Logger, 'warn'>;
}

export function createReadChecked({ waveCheckRecords, controlKeys, server, logger }: CheckedSources): ReadChecked {
  const verifier = controlKeys.length === 0 ? undefined : createVerifier(controlKeys);
  return async ({ rollout: { id, repository }, wave, number }) => {
    if (verifier === undefined) return undefined;
    try {
      const stored = await waveCheckRecords.read(repository, id, number);
      if (stored === undefined) return undefined;
      const about = { repository, rollout: id, wave: number };
      const { body } = await openEnvelope(verifier, 'decision/wave-checks', stored.checks, about);
      return standingBy(body, wave, checksOf(server.current(), wave.name));
    } catch (error) {
      logger.warn({ err: error, rollout: id }, 'the checks of a wave cannot be read');
      return undefined;
    }
  };
}

function standingBy(
  { state, since, results }: WaveChecks,
  { soakMs }: Wave,
  checks: Parameters<typeof describeChecked>[0],
): WaveBefore['standing'] | undefined {
  // The others are over, or say so in their lanes.
  if (state !== 'checking' || checks.length === 0) return undefined;
  const from = Date.parse(since);
  return describeChecked(checks, { since: from, until: from + soakMs, results }, Date.now());
}

/** The sentences about the wave that others wait for. */
export async function nextWaveOf(
  { awaitedWave: number, halted, deployments }: RolloutDetail,
  rollouts: readonly Rollout[],
  readChecked: ReadChecked,
): Promise<Pick<RolloutDetail, 'halted' | 'nextWave'>> {
  const rollout = rolloutWithWaves(rollouts);
  const { waves = [] } = rollout ?? {};
  const wave = number === undefined ? undefined : waves[number - 1];
  if (number === undefined || rollout === undefined || wave === undefined) return {};
  if (halted !== undefined) {
    const ofWave = deployments.filter(({ rootName }) => wave.rootNames.includes(rootName));
    const rerun = rerunThatResumes(ofWave.map((one) => ({ ...one, deploymentId: one.id })));
    return rerun === undefined
      ? {}
      : { halted: `${halted} In a terminal, ${rerun.command} re-runs ${rerun.rootName}.` };
  }
  const standing = await readChecked({ rollout, wave, number });
  if (standing === undefined) return {};
  const clause = describeWave({ name: wave.name, number, of: waves.length, standing });
  return { nextWave: describeNextWave(clause, openedBy(standing)) };
}
