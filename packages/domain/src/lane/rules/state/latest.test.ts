import { expect, test } from '@jest/globals';
import { aPlan, withMade } from '../../../testing/samples.ts';
import { deploymentAt } from '../../../testing.ts';
import { advanced } from '../../../deployment/rules/progress.ts';
import { laterOf, latestOf } from './latest.ts';

const at = (hour: number) => `2026-01-31T${hour}:00:00.000Z`;

/** One that applied a plan of this state, at this hour. */
function applied(hour: number, status: 'succeeded' | 'apply-failed', stateVersion?: string) {
  const deployment = advanced(deploymentAt(hour), status, at(hour));
  const plan = withMade(aPlan(), stateVersion === undefined ? {} : { stateVersion });
  return latestOf({ ...deployment, progress: { ...deployment.progress, plan } }, at(hour));
}

test('the state that is left is that of the last deployment that knows of one', () => {
  const succeeded = applied(10, 'succeeded', '7 abc');

  expect(laterOf(succeeded, applied(11, 'succeeded', '3 xyz'))?.state).toEqual({ lineage: 'xyz' });
  expect(laterOf(succeeded, applied(11, 'apply-failed', '0 '))?.state).toEqual({ lineage: 'abc' });
  expect(laterOf(succeeded, applied(11, 'succeeded'))?.state).toEqual({ lineage: 'abc' });
  expect(laterOf(undefined, applied(11, 'apply-failed', '0 '))).not.toHaveProperty('state');
});
