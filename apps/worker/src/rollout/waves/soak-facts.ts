/** For which wave a deployment waits: that of its own merge, and those of the deployments that go with it. */
import type { Deployment } from '@nereid/domain/deployment';
import type { GateFacts, WaveBefore } from '@nereid/domain/gates';
import { fullName, type Repository } from '@nereid/domain/root';
import { isUnreadableRecord } from '@nereid/storage';
import { described, findWaveLeft, waveOf, type WaveContext } from './find-wave.ts';
import { RolloutMissingError } from '../outcomes.ts';

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
    return { unreadable: 'broken' };
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
  const left = await findWaveLeft(context, repository, { rollout, end: own }, signal);
  if (left === undefined) return undefined;
  // Whoever lost the list of those rollouts, or never wrote it, must not let anybody wait for ever.
  if (left.standing.kind === 'checked') await context.waveCheckRecords.add(repository, rollout.id);
  return asLanesShow(described(left));
}

/** A lane shows its wait for as long as it waits, and is not told of each answer. */
function asLanesShow({ standing, ...wave }: WaveBefore): WaveBefore {
  return { ...wave, standing: 'checks' in standing ? { ...standing, checks: ANSWERS } : standing };
}

const ANSWERS = 'nereid/rollout says how its checks stand';

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
