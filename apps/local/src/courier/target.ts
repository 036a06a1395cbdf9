/** What an attack is about: a deployment that waits for a person, and everything that went through Temporal for it. */
import { randomUUID } from 'node:crypto';
import {
  orderOf,
  planButton,
  type Cancel,
  type Deployment,
  type HostJob,
  type Progress,
  type TerraformInput,
  type Unlock,
} from '@nereid/domain/deployment';
import { jobIdOf } from '@nereid/domain/host';
import type { RequestFor } from '@nereid/domain/intake';
import type { MergeReview } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';

export interface Target {
  readonly input: TerraformInput;
  readonly progress: Progress;
  readonly hostId: string;
}

/** It has everything that a signature takes but the key. */
export const MADE_UP = 'a..b';

/** An envelope that nobody signed. */
export function madeUp<Body>(body: Body): Signed<Body> {
  return { body, signature: MADE_UP };
}

/** A person who may confirm, and did not. */
export const CAROL = 'carol';

/** The deployment, which is said to stand otherwise. */
export function saidToBe({ input, progress }: Target, more: Partial<Progress> = {}): Deployment {
  return { ...input.deployment, progress: { ...progress, ...more } };
}

export function recordOf(target: Target, more: Partial<Progress>) {
  return {
    version: 1,
    repository: target.input.repository,
    deployment: saidToBe(target, more),
    endedAt: new Date().toISOString(),
  } as const;
}

/** The lie about it that would hurt most. */
export const APPLIED: Partial<Progress> = {
  status: 'succeeded',
  applied: { added: 0, changed: 0, destroyed: 0, imported: 0 },
  proof: madeUp({
    ...{ version: 1, deploymentId: 'made-up', jobId: 'made-up', order: 'made-up' },
    ...{ kind: 'applied', counts: { added: 0, changed: 0, destroyed: 0, imported: 0 } },
  }),
};

/** That somebody asked for the end of it. */
export function cancelOf({ input: { deployment } }: Target): Cancel {
  const askedAt = new Date().toISOString();
  return { version: 1, requestId: randomUUID(), deploymentId: deployment.id, by: CAROL, askedAt };
}

/** That somebody asked for the lock of its lane to be lifted. */
export function unlockOf({ repository: { owner, name }, deployment }: TerraformInput): Unlock {
  const lane = { repository: { owner, name }, rootName: deployment.root.name };
  return { version: 1, requestId: randomUUID(), ...lane, by: CAROL, askedAt: new Date().toISOString() };
}

/** An answer of a person who gave none. */
export function reviewOf({ input, progress }: Target, answer: 'approved' | 'rejected' = 'approved') {
  const { id: deploymentId } = input.deployment;
  const digest = progress.plan?.made.body.digest ?? '';
  const about = { version: 1, requestId: randomUUID(), deploymentId, answer, digest, by: CAROL } as const;
  return madeUp({ ...about, at: new Date().toISOString() });
}

/** That she confirmed its plan before the merge. */
export function mergeReviewOf({ input: { deployment }, progress }: Target): MergeReview {
  const { id: previewId, root, order = '' } = deployment;
  const plan = {
    previewId,
    order,
    digest: progress.plan?.made.body.digest ?? '',
    tree: 'd'.repeat(40),
    lane: 'never applied',
  };
  const press = { requestId: randomUUID(), by: CAROL, at: new Date().toISOString() };
  return { version: 1, ...press, rootName: root.name, pullRequest: 1, ...plan };
}

/** The job of its host, with steps that nobody ordered. */
export function jobOf({ input, hostId }: Target): HostJob {
  const { deployment, repository } = input;
  const root = { ...deployment.root, steps: { plan: [{ kind: 'run', run: `touch ${hostId}` }], apply: [] } } as const;
  return { jobId: jobIdOf(deployment.id, 'plan', 1), order: orderOf(repository, { ...deployment, root }) };
}

/** A policy that denies the plan is to be overridden. */
export function overrideOf(target: Target) {
  const { requestId, deploymentId, digest, by, at } = reviewOf(target).body;
  return madeUp({ version: 1, requestId, deploymentId, digest, by, at, policies: ['any'] });
}

export function extensionOf(target: Target) {
  const { requestId, deploymentId, digest, by, at } = reviewOf(target).body;
  return madeUp({ version: 1, requestId, deploymentId, digest, by, at, until: '2999-01-01T00:00:00.000Z' });
}

/** An event that the gateway did not sign: somebody presses Confirm. */
export function eventOf({ input, progress }: Target) {
  const { deployment, repository } = input;
  const { id: externalId, root, revision, checkRuns } = deployment;
  const name = `nereid/deploy: ${root.name}`;
  const checkRun = {
    id: checkRuns.at(-1)?.id ?? 1,
    name,
    headSha: revision.sha,
    externalId,
    conclusion: 'action_required',
  };
  const button = progress.plan && planButton('confirm', progress.plan.made);
  const event = { kind: 'button', repository, checkRun, button, sender: CAROL };
  const body = { version: 1, delivery: randomUUID(), receivedAt: new Date().toISOString(), event };
  return { body, signature: MADE_UP };
}

/** A request that the console did not sign: it asks in the name of somebody else. */
export function requestEventOf(
  { input: { repository } }: Target,
  request: RequestFor<'stop' | 'thaw' | 'break_glass' | 'skip_soak'>,
) {
  const event = { kind: 'request', repository, request, sender: CAROL };
  return madeUp({ version: 1, delivery: randomUUID(), receivedAt: new Date().toISOString(), event });
}

/** The same about no repository. */
export function operatorRequestOf(request: RequestFor<'stop_pool' | 'thaw_pool'>) {
  const event = { kind: 'operator-request', request, sender: CAROL };
  return madeUp({ version: 1, delivery: randomUUID(), receivedAt: new Date().toISOString(), event });
}

/** The permission to apply its plan on its host, in the job of `jobOf`. */
export function goOf(target: Target) {
  const { input, progress, hostId } = target;
  const { jobId, order } = jobOf(target);
  const about = { deploymentId: input.deployment.id, jobId, hostId, digest: progress.plan?.made.body.digest ?? '' };
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  return {
    body: { version: 1, ...about, order: order.signature, acceptBy: expiresAt, beginBy: expiresAt, expiresAt },
    signature: MADE_UP,
  };
}

/** That a lock of its state is to be freed. */
export function forceUnlockOf({ input: { repository, deployment } }: Target) {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const { body } = orderOf(repository, { ...deployment, id: randomUUID(), requestedBy: CAROL });
  return { body: { ...body, unlocking: { lockId: '1', commentId: 1, expiresAt } }, signature: MADE_UP };
}

/** That a command of somebody else's is to be run in the root. */
export function waveCheckOf({ input: { repository, deployment } }: Target) {
  const [askedAt, expiresAt] = [0, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const { body } = orderOf(repository, { ...deployment, id: randomUUID(), requestedBy: CAROL });
  const about = { rollout: `${deployment.revision.sha}/made-up`, wave: 1, check: 'page', timeoutMs: 60_000 };
  return { body: { ...body, checking: { ...about, run: 'true', askedAt, expiresAt } }, signature: MADE_UP };
}

/** The request for a deployment that needs no review, with steps of somebody else's. */
export function requestOf({ input }: Target) {
  const { id: _own, progress: _none, checkRuns: _neither, receivedAt: _nor, ...request } = input.deployment;
  const steps = { plan: [{ kind: 'run', run: 'true' }], apply: [] };
  const root = { ...request.root, planReview: 'auto', steps };
  const ids = { requestId: randomUUID(), deploymentId: randomUUID() };
  const revision = { ...request.revision, position: request.revision.position + 1 };
  return { ...request, version: 1, ...ids, root, revision, trigger: 'manual', order: MADE_UP };
}

/** That somebody was allowed to confirm. */
export function judgedOf(target: Target) {
  const action = { action: 'confirm', rootNames: [target.input.deployment.root.name] };
  return { body: { version: 1, delivery: randomUUID(), action }, signature: MADE_UP };
}
