/** Whether a commit is deployed to a root, by the deployments that took effect there, as their hosts signed. */
import type { DeploymentRecord } from '@nereid/domain/deployment';
import { poolOf, type Repository } from '@nereid/domain/root';
import type { TurnContext } from '../lane/turn/turn.ts';
import { deploymentsInEffect, revisionsDeployed, type RolloutContext } from './outcomes.ts';

export type DeployedContext = RolloutContext & Pick<TurnContext, 'mirrors' | 'forge'>;

export type DeployedAtContext = DeployedContext & Pick<TurnContext, 'begunApplies'>;

export interface DeployedPlace {
  readonly repository: Repository;
  readonly rootName: string;
  readonly sha: string;
}

/** When it was deployed first, of the last deployments, in epoch milliseconds; undefined if none of them contains it. */
export async function deployedAt(
  context: DeployedAtContext,
  { repository, rootName, sha }: DeployedPlace,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  let first: DeploymentRecord | undefined;
  // The newest first. What was deployed before the commit does not contain it.
  for (const record of await deploymentsInEffect(context, repository, rootName)) {
    if (await contains(context, { repository, sha, head: record.deployment.revision.sha }, signal)) first = record;
    else if (first !== undefined) break;
  }
  return first && tookEffectAt(context, first);
}

/** The time in its record comes through Temporal, where somebody could shorten a soak: hosts say before when it cannot have been. */
async function tookEffectAt(context: DeployedAtContext, record: DeploymentRecord): Promise<number> {
  return Math.max(Date.parse(record.endedAt), await provenAt(context, record));
}

/** The last time at which its host worked on it, as the host says beside Temporal, in epoch milliseconds; 0 if it says nothing. */
async function provenAt(
  { begunApplies }: DeployedAtContext,
  { deployment: { id, root, progress } }: DeploymentRecord,
): Promise<number> {
  const applied = progress.status === 'succeeded' ? await begunApplies.of(poolOf(root)).read(id) : undefined;
  const byHosts = [applied?.endedAt, applied?.at, progress.plan?.made.body.plannedAt];
  return Math.max(...byHosts.map((at) => (at === undefined ? 0 : Date.parse(at))));
}

/**
 * When it was deployed for the first time after that, in epoch milliseconds; undefined if it was not, of the last deployments. Only
 * the word of hosts counts: whoever reaches Temporal could hold back the record of an earlier deployment, and have it end later.
 */
export async function deployedAfter(
  context: DeployedAtContext,
  { repository, rootName, sha }: DeployedPlace,
  afterMs: number,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  for (const record of (await deploymentsInEffect(context, repository, rootName)).toReversed()) {
    const head = record.deployment.revision.sha;
    if ((await provenAt(context, record)) <= afterMs) continue;
    if (await contains(context, { repository, sha, head }, signal)) return tookEffectAt(context, record);
  }
  return undefined;
}

/** Whether it is. */
export async function isDeployed(
  context: DeployedContext,
  { repository, rootName, sha }: DeployedPlace,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const head of await revisionsDeployed(context, repository, rootName))
    if (await contains(context, { repository, sha, head }, signal)) return true;
  return false;
}

interface Commits {
  readonly repository: Repository;
  readonly sha: string;
  readonly head: string;
}

async function contains(
  { mirrors, forge }: DeployedContext,
  { repository, sha, head }: Commits,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (head === sha) return true;
  const known = await mirrors.isKnownAncestor(repository, sha, head, signal);
  return known ?? (await forge.commits.compare(repository, sha, head)) === 'ahead';
}
