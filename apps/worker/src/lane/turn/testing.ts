/** The turns of one lane, in a storage that is gone after each test. */
import { beforeEach, expect } from '@jest/globals';
import type { Deployment, EndedApply, Progress } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { deploymentAt, NOW, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { createBegunApplies, createDeploymentRecords, createLaneTurns } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { allowUnlock } from './allow-unlock.ts';
import { acquireTurn, type AskedTurn, type TurnContext } from './turn.ts';

export const CHANGES = { hasChanges: true } as const;
export const JOB = { hostId: 'h1', jobId: 'j1' };
export const APPLIED: EndedApply = { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } };
export const FAILED: EndedApply = { kind: 'failed', failure: { body: { summary: 'no', lines: [] } } };
export const LOCKED = { code: 'LANE_LOCKED', message: expect.stringMatching(/^[^@]+: unlock it, then press Re-run/) };

export const halts = { root: { ...deploymentAt(1).root, onFailure: 'halt' } } as const;
export const one = deploymentAt(1, halts);
export const two = deploymentAt(2, halts);
export const byHand = deploymentAt(3, { ...halts, trigger: 'manual' });

const store = storeOfEachTest();
export let context: TurnContext;

beforeEach(() => {
  context = {
    laneTurns: createLaneTurns(store),
    begunApplies: createBegunApplies(store),
    deploymentRecords: createDeploymentRecords(store),
    // Each commit contains those with a smaller SHA.
    mirrors: { isKnownAncestor: (_repository, ancestor, descendant) => Promise.resolve(ancestor <= descendant) },
    forge: { commits: { compare: () => Promise.reject(new Error('the mirror knows')) } },
  };
});

export function acquire(
  deployment: Deployment,
  { isReviewed = false, jobId = 'j1', plan = CHANGES, lane }: Partial<AskedTurn> = {},
): Promise<{ readonly hasBegun: boolean }> {
  return acquireTurn(context, { repository: REPOSITORY, deployment, jobId, plan, isReviewed, lane });
}

/** Its host began the apply of a deployment that has its turn. */
export async function begun({ id }: Deployment): Promise<void> {
  await context.begunApplies.of(DEFAULT_POOL).begin(id, JOB);
}

/** How that ended. */
export async function completed({ id }: Deployment, outcome: EndedApply): Promise<void> {
  await context.begunApplies.of(DEFAULT_POOL).complete(id, outcome);
}

export async function applied(
  deployment: Deployment,
  outcome: EndedApply = APPLIED,
  asked: Partial<AskedTurn> = {},
): Promise<void> {
  await acquire(deployment, asked);
  await begun(deployment);
  await completed(deployment, outcome);
}

export async function recorded(deployment: Deployment, status: Progress['status']): Promise<void> {
  const ended = { ...deployment, progress: progressAs(status) };
  await context.deploymentRecords.write({ version: 1, repository: REPOSITORY, deployment: ended, endedAt: NOW });
}

export function unlock(at = new Date().toISOString()): Promise<void> {
  return allowUnlock(context, REPOSITORY, 'network', { by: 'grace', at });
}
