import { expect, test } from '@jest/globals';
import { aDeployment } from '../../deployment-actor/testing.ts';
import { durationsOf } from './durations.ts';

test('a deployment says after a second that it is planned, a preview after ten', () => {
  const deployment = aDeployment();

  expect(durationsOf(deployment).quietMs).toBe(1_000);
  expect(durationsOf({ ...deployment, trigger: 'preview' }).quietMs).toBe(10_000);
});

test('a deployment of a merge of many roots says less often how it stands, because one check run shows all of them', () => {
  const together = { rollout: 'sha/one' };

  expect(durationsOf({ ...aDeployment(), together })).toMatchObject({ quietMs: 1_000, claimRefreshMs: 60_000 });
  expect(durationsOf({ ...aDeployment(), together: { ...together, isLarge: true } })).toMatchObject({
    quietMs: 5_000,
    claimRefreshMs: 300_000,
  });
});

test('what the caller says of a duration counts, for previews too', () => {
  expect(durationsOf({ ...aDeployment(), trigger: 'preview' }, { quietMs: 5 }).quietMs).toBe(5);
});
