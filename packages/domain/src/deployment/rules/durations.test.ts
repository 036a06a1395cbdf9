import { expect, test } from '@jest/globals';
import { aDeployment } from '../../deployment-actor/testing.ts';
import { durationsOf } from './durations.ts';

test('a deployment says after a second that it is planned, a preview after ten', () => {
  const deployment = aDeployment();

  expect(durationsOf(deployment).quietMs).toBe(1_000);
  expect(durationsOf({ ...deployment, trigger: 'preview' }).quietMs).toBe(10_000);
});

test('what the caller says of a duration counts, for previews too', () => {
  expect(durationsOf({ ...aDeployment(), trigger: 'preview' }, { quietMs: 5 }).quietMs).toBe(5);
});
