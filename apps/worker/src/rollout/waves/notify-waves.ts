/** Tells the lanes that wait for a wave to look again. */
import { hasEnded, type Deployment } from '@nereid/domain/deployment';
import type { Rollout } from '@nereid/domain/rollout';
import { fullName, type Repository } from '@nereid/domain/root';
import pMap from 'p-map';
import { wakeLane } from '../../lane/signal-lane.ts';
import type { WorkerContext } from '../../platform/context.ts';
import { findWaveLeft, skippedWaves, waveOf, type WaveContext, type WaveLeft } from './find-wave.ts';

type NotifyContext = WaveContext & Pick<WorkerContext, 'server' | 'temporal' | 'logger'>;

/** The rest of a very large wave looks by itself, within an hour. */
const NOTIFY_LIMIT = 500;

const AT_ONCE = 20;

/** A deployment's end waits no longer for slow storage or a slow Temporal. */
const NOTIFY_TIMEOUT_MS = 10_000;

/** So many failed deployments of a root may have halted a merge that a fix resumes. */
const RECENT = 20;

/** After the end of a deployment is stored. Never throws: what is not told now is found later. */
export async function notifyWaves(context: NotifyContext, repository: Repository, ended: Deployment): Promise<void> {
  if (context.server.current().waves.length === 0 && ended.together?.waves === undefined) return;
  const signal = AbortSignal.timeout(NOTIFY_TIMEOUT_MS);
  try {
    for (const [id, isConcerned] of await rolloutsOf(context, repository, ended)) {
      const rollout = await context.rolloutRecords.read(repository, id);
      const own = rollout && waveOf(rollout, ended.root.name);
      if (rollout === undefined || own === undefined) continue;
      if (!isConcerned && !(await isHalted(context, repository, { id, wave: own + 1 }))) continue;
      const left = await findWaveLeft(context, repository, { rollout, end: own + 1 }, signal);
      const isChecked = left?.standing.kind === 'checked';
      if (isChecked) await context.waveCheckRecords.add(repository, id);
      if (isChecked || (isConcerned && isNews(left, ended.root.name)))
        await wakeWaves(context, repository, { rollout, number: own + 1 }, signal);
    }
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), root: ended.root.name };
    context.logger.warn(fields, 'lanes that wait for a wave could not be told: they look by themselves later');
  }
}

/** As long as others of the wave are under way, or one of them halts it, nothing else begins. */
function isNews(left: WaveLeft | undefined, rootName: string): boolean {
  const standing = left?.standing;
  return standing?.kind === 'halted' ? standing.rootName === rootName : standing?.kind !== 'open';
}

/** By its checks. Whether that is proven is asked later: of most rollouts this is all that has to be read. */
async function isHalted(
  { waveCheckRecords }: NotifyContext,
  repository: Repository,
  { id, wave }: { readonly id: string; readonly wave: number },
): Promise<boolean> {
  return (await waveCheckRecords.read(repository, id, wave))?.checks.body.state === 'halted';
}

/**
 * First its own, and those that it may resume, because it is a fix of what failed in them. Of the others, each with false, a check may
 * have halted one, although the root itself was deployed.
 */
async function rolloutsOf(
  { deploymentRecords, server }: NotifyContext,
  repository: Repository,
  { root, together, progress: { status } }: Deployment,
): Promise<ReadonlyMap<string, boolean>> {
  const own = together?.waves === undefined ? [] : [together.waves];
  if (status !== 'succeeded' && status !== 'no-changes') return new Map(own.map((id) => [id, true]));
  const recent = (await deploymentRecords.latest(repository, root.name, RECENT)).map(({ deployment }) => deployment);
  const failed = recent.filter(({ progress }) => hasEnded(progress.status) && progress.status !== status);
  const isChecked = server.current().waves.some(({ checks }) => checks.length > 0);
  const concerned = new Set([...own, ...idsOf(failed)]);
  const all = new Set([...concerned, ...(isChecked ? idsOf(recent) : [])]);
  return new Map([...all].map((id) => [id, concerned.has(id)]));
}

function idsOf(deployments: readonly Deployment[]): readonly string[] {
  return deployments.flatMap(({ together }) => together?.waves ?? []);
}

/** Those of one wave, which `number` counts from 0, and of the waves after it that wait for no other, because somebody skipped it. */
export async function wakeWaves(
  context: Pick<WorkerContext, 'temporal' | 'rolloutRecords' | 'signatures'>,
  repository: Repository,
  { rollout: { id, waves = [] }, number }: { readonly rollout: Rollout; readonly number: number },
  signal: AbortSignal,
): Promise<void> {
  const skipped = await skippedWaves(context, repository, id);
  const last = waves.findIndex((_wave, index) => index >= number && !skipped.has(index + 1));
  const woken = waves.slice(number, last === -1 ? undefined : last + 1);
  const names = woken.flatMap(({ rootNames }) => rootNames).slice(0, NOTIFY_LIMIT);
  await pMap(names, (rootName) => wakeLane(context, repository, rootName, { withinMs: NOTIFY_TIMEOUT_MS }), {
    concurrency: AT_ONCE,
    signal,
  });
}
