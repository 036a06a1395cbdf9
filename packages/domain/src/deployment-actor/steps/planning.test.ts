import { describe, expect, test } from '@jest/globals';
import { aPress } from '../../testing.ts';
import { DIGEST, planned, plannedOn } from '../testing.ts';
import { auto, go, NOW, play, SHOWN, type Played } from '../testing/played-deployment.ts';

const FORGED = { kind: 'refused', code: 'FORGED', why: 'nobody signed the plan' } as const;
const PRESS = { kind: 'press', press: aPress({ deploymentId: 'd1', digest: DIGEST }) } as const;

/** The forge is being asked to show its plan. */
function aQuestion(): Played {
  const deployment = play();
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  return deployment;
}

test('the token that was sealed with the admission goes with the job of the plan, and not with that of the apply', () => {
  const about = { version: 1, repository: { owner: 'acme', name: 'infra' }, deploymentId: 'd1' } as const;
  const readToken = { body: { ...about, sealed: 'sealed' }, signature: 'signed by control' };
  const deployment = play({ ...auto, readToken });
  expect(deployment.asks('plan').job.readToken).toBe(readToken);

  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('begin', go);
  expect(deployment.asks('apply').job).not.toHaveProperty('readToken');
});

test.each([
  ['of no state, after a deployment that changed one', '0 ', 'awaiting-review'],
  ['of the state that was left', '8 abc', 'applying'],
] as const)('where nobody is asked, a plan %s is %s', (_what, stateVersion, status) => {
  const deployment = play({ ...auto, state: { lineage: 'abc' } });
  deployment.answers('plan', plannedOn('d1', 'h1', planned({ stateVersion })));
  if (status === 'applying') deployment.answers('begin', go);
  else deployment.answers('show', SHOWN);

  expect(deployment.progress.status).toBe(status);
});

describe('a plan that a person has to review', () => {
  test('is proven by the write that shows it, and told to nobody else before', () => {
    const deployment = aQuestion();

    const { progress } = deployment.asks('show').presentation.deployment;
    expect(progress).toMatchObject({ status: 'awaiting-review', plan: { made: { body: { digest: DIGEST } } } });
    expect(deployment.progress.status).toBe('planning');
    expect(deployment.progress).not.toHaveProperty('plan');

    deployment.answers('show', SHOWN);
    expect(deployment.progress).toMatchObject({ status: 'awaiting-review', plan: progress.plan });
    expect(deployment.asked('show')).toEqual([]);
    expect(deployment.effects.map(({ kind }) => kind)).not.toContain('verify-plan');
  });

  test('is proven by control where the forge has not answered within some seconds, and is written once', () => {
    const deployment = aQuestion();

    expect(deployment.waitsUntil()).toBe(NOW + 5_000);
    deployment.passes(5_000);
    deployment.answers('verify-plan', 'verified');

    expect(deployment.progress.status).toBe('awaiting-review');
    deployment.answers('show', SHOWN);
    expect(deployment.effects.filter(({ kind }) => kind === 'show')).toHaveLength(1);
  });

  test('that nobody signed is made again, without having been told to anybody', () => {
    const deployment = aQuestion();

    deployment.fails('show', FORGED);
    expect(deployment.asked('show')).toEqual([]);
    deployment.fails('verify-plan', FORGED);

    expect(deployment.progress).toMatchObject({ reason: expect.stringContaining('tried again') });
    expect(deployment.progress).not.toHaveProperty('plan');
    deployment.passes(1_000);
    expect(deployment.asks('plan').job.jobId).toBe('d1-plan-2');
  });

  test('is asked about all the same where something else of its question was not signed', () => {
    const deployment = aQuestion();

    deployment.fails('show', FORGED);
    deployment.answers('verify-plan', 'verified');

    expect(deployment.progress.status).toBe('awaiting-review');
    expect(deployment.asks('show')).toBeDefined();
  });

  test.each(['failed', 'lost'] as const)('is asked about again where nobody can say who signed it: %s', (kind) => {
    const deployment = aQuestion();
    deployment.passes(5_000);

    deployment.fails('verify-plan', { kind, why: 'control is away' });

    expect(deployment.progress.status).toBe('planning');
    expect(deployment.progress).not.toHaveProperty('plan');
    deployment.passes(5_000);
    deployment.answers('verify-plan', 'verified');
    expect(deployment.progress.status).toBe('awaiting-review');
  });

  test('that the forge has shown waits for control no longer, and its failure is nobody’s', () => {
    const deployment = aQuestion();
    deployment.passes(5_000);
    expect(deployment.asked('verify-plan')).toHaveLength(1);

    deployment.answers('show', SHOWN);
    expect(deployment.effects.at(-1)).toEqual({ kind: 'stop', what: 'work' });
    deployment.fails('verify-plan', { kind: 'cancelled', why: 'stopped' });

    expect(deployment.progress.status).toBe('awaiting-review');
  });

  test.each(['the forge', 'control'])('takes the press that comes before the answer of %s', (whose) => {
    const deployment = aQuestion();
    deployment.happens(PRESS);
    deployment.answers('verify-press', 'verified');
    expect(deployment.asked('begin')).toEqual([]);

    if (whose === 'the forge') deployment.answers('show', SHOWN);
    else {
      deployment.passes(5_000);
      deployment.answers('verify-plan', 'verified');
    }

    expect(deployment.asks('begin').beginning.review).toEqual(PRESS.press);
  });

  test('is not shown any more once the deployment is cancelled', () => {
    const deployment = aQuestion();

    deployment.happens({ kind: 'cancel-requested', at: new Date(NOW).toISOString() });

    expect(deployment.effects).toContainEqual({ kind: 'stop', what: 'show' });
    expect(deployment.progress.status).toBe('cancelled');
    expect(deployment.progress).not.toHaveProperty('plan');
  });
});
