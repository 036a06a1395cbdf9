import { expect, test } from '@jest/globals';
import type { PlanDescription } from '@nereid/storage';
import { planDifference } from './plan-difference.ts';

const made: PlanDescription = {
  path: '/var/lib/nereid/work/d1/repo/infra',
  terraformVersion: '1.11.4',
  distribution: 'terraform',
  lockFileDigest: 'a'.repeat(64),
};

test('a host that offers the same may apply the plan', () => {
  expect(planDifference(made, { ...made })).toBeUndefined();
  expect(planDifference({ ...made, lockFileDigest: null }, { ...made, lockFileDigest: null })).toBeUndefined();
});

test.each<readonly [string, Partial<PlanDescription>, string]>([
  [
    'another version',
    { terraformVersion: '1.10.0' },
    'it was made with Terraform 1.11.4, this host has Terraform 1.10.0',
  ],
  [
    'another distribution',
    { distribution: 'tofu' },
    'it was made with Terraform 1.11.4, this host has OpenTofu 1.11.4',
  ],
  [
    'another place',
    { path: '/srv/d1/repo/infra' },
    'it was made in /var/lib/nereid/work/d1/repo/infra, this host has its root in /srv/d1/repo/infra',
  ],
  [
    'another lock file',
    { lockFileDigest: 'b'.repeat(64) },
    'it was made with the lock file aaaaaaaaaaaa, this host has the lock file bbbbbbbbbbbb',
  ],
  ['no lock file', { lockFileDigest: null }, 'it was made with the lock file aaaaaaaaaaaa, this host has no lock file'],
])('a plan is not applied with %s, and the sentence says what was expected and what was found', (_what, here, why) => {
  expect(planDifference(made, { ...made, ...here })).toBe(why);
});
