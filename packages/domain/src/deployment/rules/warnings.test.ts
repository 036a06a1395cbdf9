import { expect, test } from '@jest/globals';
import type { DeploymentStatus } from '../status.ts';
import { deploymentAt } from '../../testing.ts';
import { aDeployment, aPlan } from '../../testing/samples.ts';
import { warningsOf } from './warnings.ts';

const WARNED = { warning: 'This plan removes what abc brought.', formerly: { rootName: 'prod-network' } };

test.each(['awaiting-review', 'planned'] as const)(
  'a plan that is %s has all that people must read first',
  (status) => {
    expect(warningsOf(warned(status))).toEqual([
      expect.stringContaining('deployed as prod-network before'),
      'This plan removes what abc brought.',
    ]);
  },
);

test.each(['planning', 'applying', 'succeeded'] as const)('nobody can act on one that is %s', (status) => {
  expect(warningsOf(warned(status))).toEqual([]);
});

test('a plan of an empty state says that everything would be made again', () => {
  const { progress, ...deployment } = warned('awaiting-review');
  const plan = { ...aPlan(), otherState: 'empty' } as const;

  expect(warningsOf({ ...deployment, progress: { ...progress, plan } })).toContainEqual(
    expect.stringContaining('its state is empty now'),
  );
});

test('a person reads why a plan may be of something else than they think', () => {
  const deployment = aDeployment({
    status: 'awaiting-review',
    plan: aPlan({ doubt: 'the workspace default is empty' }),
  });

  expect(warningsOf(deployment)).toEqual([
    'The workspace default is empty. So a person reviews this plan, whatever plan_review and auto_when say.',
  ]);
});

function warned(status: DeploymentStatus) {
  const deployment = deploymentAt(1);
  return { ...deployment, ...WARNED, progress: { ...deployment.progress, status } };
}
