import { describe, expect, test } from '@jest/globals';
import { hasEnded } from '../deployment/status.ts';
import type { ReviewedBefore } from '../plan/merge-review.ts';
import fc from 'fast-check';
import { anInput, aRoot, DIGEST, OTHER_DIGEST } from './testing.ts';
import { DeploymentInMemory, isShown, jobEventsOf } from './testing/deployment-in-memory.ts';
import { aReview, SIGNED } from './testing/world-of-deployment.ts';
import { aCancel, aMergeReview, aNotice } from '../testing.ts';

/** What happens to a deployment from outside, and when, in milliseconds. */
interface Stimulus {
  readonly at: number;
  readonly kind: 'approve' | 'reject' | 'forge' | 'cancel' | 'notice' | 'show again' | 'ring';
  readonly digest: string;
  /** The number of the press: the same one may come twice. */
  readonly press: number;
  /** Who confirms. */
  readonly by: string;
}

const stimulus: fc.Arbitrary<Stimulus> = fc.record({
  at: fc.nat(200_000),
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('approve' as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom('reject' as const, 'forge' as const, 'notice' as const, 'show again' as const),
    },
    { weight: 3, arbitrary: fc.constant('ring' as const) },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
  ),
  digest: fc.constantFrom(DIGEST, DIGEST, OTHER_DIGEST),
  press: fc.nat(20),
  by: fc.constantFrom('ada', 'bob', 'carol'),
});

const SICK_MS = 300_000;

/** Longer than the review is open. */
const HEALED_MS = 8 * 24 * 3_600_000;

type Review = 'required' | 'auto' | 'before_merge' | 'several';

/** Of two people. */
const SEVERAL = { planReview: 'required', review: { count: 2, eachOf: [] } } as const;

const reviewed: ReviewedBefore = { review: aMergeReview({ digest: OTHER_DIGEST, at: '2026-01-31T13:00:00.000Z' }) };

/** A deployment to which all this happened, in a world that has been well for long since. */
function live(stimuli: readonly Stimulus[], review: Review, seed: number): DeploymentInMemory {
  const root = aRoot(review === 'several' ? SEVERAL : { planReview: review });
  const start = { root, ...(review === 'before_merge' && { reviewed }) };
  const deployment = new DeploymentInMemory(anInput(start), randomOf(seed));
  for (const one of stimuli) deployment.at(deployment.now + one.at, () => happen(deployment, one));
  deployment.passUntil(deployment.now + SICK_MS);
  deployment.isHealthy = true;
  deployment.passUntil(deployment.now + HEALED_MS);
  return deployment;
}

function happen(deployment: DeploymentInMemory, { kind, digest, press, by }: Stimulus): void {
  const at = new Date(deployment.now).toISOString();
  switch (kind) {
    case 'approve':
    case 'reject':
    case 'forge': {
      const answer = kind === 'reject' ? 'rejected' : 'approved';
      const signature = kind === 'forge' ? 'made up' : SIGNED;
      const requestId = `press-${kind}-${press}`;
      const person = kind === 'approve' ? by : kind;
      deployment.happen({
        kind: 'press',
        press: aReview({ requestId, answer, digest, by: person, byId: person.charCodeAt(0) }, signature),
      });
      return;
    }
    case 'cancel': {
      deployment.happen({ kind: 'cancelling', message: aCancel({ by: 'carol' }) });
      deployment.happen({ kind: 'cancel-requested', at });
      return;
    }
    case 'notice': {
      deployment.happen({ kind: 'notice', message: aNotice({ deploymentId: 'd1', sentence: 'Too late.' }) });
      return;
    }
    case 'ring': {
      deployment.happen({ kind: 'ask-again' });
      return;
    }
    case 'show again': {
      if (deployment.result === undefined) deployment.overwrite();
    }
  }
}

/** Between 0 and 1: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const one = Math.imul(state ^ (state >>> 15), 1 | state);
    const two = (one + Math.imul(one ^ (one >>> 7), 61 | one)) ^ one;
    return ((two ^ (two >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A few seconds. */
const RUNS = 1_000;

/** The same lives in every run of the tests: whoever looks for rarer ones gives another, `SEED=11 make unit ARGS=deployment-actor`. */
const SEED = Number(process.env['SEED'] ?? 7);

/** What happened to all of them while they waited at gates. */
const seenAtGates = new Set<string>();

/** A question there that fails may have met an outage, or a gate that is still closed. */
const AT_GATES = ['ask-again', 'press', 'cancel-requested', 'begin failed', 'begin answered', 'verify-press answered'];

describe('whatever happens to a deployment, once the world is well', () => {
  test('it ends once, as what was applied; nothing is applied twice or without permission, and GitHub and the audit trail say so', () => {
    fc.assert(
      fc.property(
        fc.array(stimulus, { maxLength: 25, size: 'max' }),
        fc.constantFrom<Review>('required', 'auto', 'before_merge', 'several'),
        fc.nat(),
        (all, review, seed) => {
          const deployment = live(all, review, seed);
          const { result } = deployment;

          expect(hasEnded(result?.progress.status ?? 'queued')).toBe(true);
          expect(isShown(deployment)).toBe(true);
          expectTrue(deployment);
          expectAudited(deployment);
          expectNamed(deployment);
          if (review === 'several') expectTwo(deployment);
          if (deployment.gates.isRejected) expect(result?.progress.status).toBe('rejected');
          for (const one of deployment.gates.seen) seenAtGates.add(one);
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    expect([...seenAtGates]).toEqual(expect.arrayContaining(AT_GATES));
  });
});

/** Its status says whether something was applied. */
function expectTrue({ result, applied }: DeploymentInMemory): void {
  const { status = 'queued' } = result?.progress ?? {};

  if (applied.length > 0) expect(['succeeded', 'apply-failed', 'apply-outcome-unknown']).toContain(status);
  else expect(['succeeded', 'apply-failed']).not.toContain(status);
}

/** Each start that the audit trail has gets one end, and what was applied has a start. */
function expectAudited({ trail, applied }: DeploymentInMemory): void {
  const events = jobEventsOf(trail);
  const started = new Set(events.filter(({ state }) => state === 'RUNNING').map(({ jobId }) => jobId));
  for (const jobId of started) {
    const ends = new Set(
      events.filter((one) => one.jobId === jobId && one.state !== 'RUNNING').map(({ state }) => state),
    );
    expect([jobId, ends.size]).toEqual([jobId, 1]);
  }
  for (const jobId of applied) expect(started).toContain(jobId);
}

/** What was applied, two people have confirmed, of whom both are shown. */
function expectTwo({ result, applied }: DeploymentInMemory): void {
  const people = new Set(result?.progress.approvals?.map(({ body }) => body.by));

  expect(people).not.toContain('forge');
  if (applied.length > 0) expect(people.size).toBe(2);
}

/** Nobody is named as the one who answered but by a signed press. */
function expectNamed({ result, presses }: DeploymentInMemory): void {
  const { review } = result?.progress ?? {};
  if (review === undefined) return;
  expect(review.by).not.toBe('forge');
  expect(presses.some(({ body }) => body.by === review.by)).toBe(true);
}
