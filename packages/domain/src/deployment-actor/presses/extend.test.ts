/** A plan whose review somebody extends. */
import { expect, test } from '@jest/globals';
import type { ReviewExtension } from '../../plan/review.ts';
import { anExtension, aPress } from '../../testing.ts';
import { aRoot, DIGEST, OTHER_DIGEST, planned, plannedOn } from '../testing.ts';
import { go, play, SHOWN, type Played } from '../testing/played-deployment.ts';

const UNTIL = '2998-01-31T14:00:00.000Z';

function asked(): Played {
  const deployment = play({ root: aRoot() });
  deployment.answers('plan', plannedOn('d1', 'h1', planned()));
  deployment.answers('show', SHOWN);
  return deployment;
}

/** Control says that intake signed it. */
function extend(deployment: Played, more: Partial<ReviewExtension>): void {
  deployment.happens({ kind: 'press', press: anExtension({ deploymentId: 'd1', digest: DIGEST, ...more }) });
  deployment.answers('verify-press', 'verified');
}

const endOf = ({ progress }: Played) => progress.plan?.expiresAt;

test('a review is open until the time of its extension, and the check run says so', () => {
  const deployment = asked();

  extend(deployment, { until: UNTIL });

  expect(endOf(deployment)).toBe(UNTIL);
  expect(deployment.asks('show').presentation.deployment.progress.plan?.expiresAt).toBe(UNTIL);
});

test('each press extends it once', () => {
  const deployment = asked();

  extend(deployment, { requestId: 'e1', until: UNTIL });
  deployment.happens({
    kind: 'press',
    press: anExtension({ deploymentId: 'd1', requestId: 'e1', until: '2999-01-01T00:00:00.000Z' }),
  });

  expect(endOf(deployment)).toBe(UNTIL);
});

test.each([
  ['of another plan', { digest: OTHER_DIGEST, until: UNTIL }],
  ['to an earlier time', { until: '2000-01-01T00:00:00.000Z' }],
  ['to no time', { until: 'soon' }],
])('an extension %s changes nothing', (_what, more) => {
  const deployment = asked();
  const end = endOf(deployment);

  extend(deployment, more);

  expect(endOf(deployment)).toBe(end);
  expect(end).toBeDefined();
});

test('an extension that nobody signed changes nothing', () => {
  const deployment = asked();
  const end = endOf(deployment);

  deployment.happens({ kind: 'press', press: anExtension({ deploymentId: 'd1', digest: DIGEST, until: UNTIL }) });
  expect(endOf(deployment)).toBe(end);
  deployment.fails('verify-press', { kind: 'refused', code: 'FORGED', why: 'nobody signed it' });

  expect(endOf(deployment)).toBe(end);
});

test('an extension after the answer changes nothing', () => {
  const deployment = asked();
  deployment.happens({ kind: 'press', press: aPress({ deploymentId: 'd1', digest: DIGEST }) });
  deployment.answers('begin', go);
  const end = endOf(deployment);

  extend(deployment, { until: UNTIL });

  expect(endOf(deployment)).toBe(end);
});
