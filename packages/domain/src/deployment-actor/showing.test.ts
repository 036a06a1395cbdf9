import { expect, test } from '@jest/globals';
import type { DeploymentStatus } from '../deployment/status.ts';
import type { DeploymentActor } from './actor.ts';
import { advanceTo } from './changes.ts';
import { openDeployment } from './open.ts';
import { beginWriting, failShow, noteDifference, presentationOf, showDueAt, shown } from './showing.ts';
import { anInput } from './testing.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');
const CHECK_RUN = { id: 1, completed: false };
const CANCELLED = { kind: 'cancelled', why: 'something newer is to be shown' } as const;

/** With a check run that shows another state. */
const opened = openDeployment(
  anInput({ checkRuns: [CHECK_RUN], reported: { digest: 'of another state' } }),
  NOW,
  false,
);

function dueAt(actor: DeploymentActor, status: DeploymentStatus = 'planning'): number {
  return showDueAt(noteDifference(advanceTo(actor, status, NOW), NOW)) - NOW;
}

function writes(actor: DeploymentActor): DeploymentActor {
  return beginWriting(actor, 'show', presentationOf(actor));
}

test('a state that lasts a second is written', () => {
  expect(dueAt(opened)).toBe(1_000);
});

test('once the forge did not take a state before it was over, the next one is written if it lasts longer', () => {
  const behind = failShow(writes(opened), CANCELLED, NOW);

  expect(dueAt(behind)).toBe(15_000);
});

test('an end is written at once, however far behind the forge is', () => {
  const behind = failShow(writes(opened), CANCELLED, NOW);

  expect(dueAt(behind, 'apply-failed')).toBe(-NOW);
});

test('a forge that takes a state is not behind any more', () => {
  const behind = failShow(writes(opened), CANCELLED, NOW);
  const taken = shown(writes(behind), { kind: 'shown', deploymentId: 'd1', checkRuns: [CHECK_RUN] });

  expect(dueAt(taken, 'applying')).toBe(1_000);
});
