import { expect, test } from '@jest/globals';
import { aDeployment, aFailure, aPlan } from '@nereid/domain/testing';
import { renderCheckRun } from './render-check-run.ts';
import type { ShownRevert } from './revert.ts';

const LINKS = { deploymentUrl: 'https://console.example/deployments/3f2a?key=k' };

const REVERT: ShownRevert = {
  deploymentId: '3f2b',
  sentence: 'Going back to abc1234 (#41, deployed 2026-11-12) would destroy 1, change 2.',
  way: ['To go back, press ', { kind: 'revert' }, ' on ', { kind: 'pull-request', number: 42 }, '.'],
  planUrl: 'https://console.example/deployments/3f2b?key=k',
  pullRequestUrl: 'https://github.example/acme/infra/pull/42',
};

const failed = aDeployment({
  status: 'apply-failed',
  plan: aPlan(),
  failure: aFailure({ summary: 'Error: quota', lines: ['Error: quota'] }),
});

function summaryWith(revert: ShownRevert | undefined): string {
  return renderCheckRun({ deployment: failed }, LINKS, { revert }).summary;
}

test('the check run of a failed apply says what going back would do, and links the plan and the pull request to revert', () => {
  expect(summaryWith(REVERT)).toContain(
    [
      String.raw`Going back to abc1234 (\#41, deployed 2026-11-12) would destroy 1, change 2.`,
      '[See the plan](https://console.example/deployments/3f2b?key=k).',
      'To go back, press **Revert** on [#42](https://github.example/acme/infra/pull/42).',
    ].join(' '),
  );
});

test('it comes after the next step, and before the failure', () => {
  const summary = summaryWith(REVERT);
  const [next, back, why] = ['**Re-run** this check', 'Going back to', '```text'].map((text) => summary.indexOf(text));

  expect([next, back, why].toSorted((one = 0, other = 0) => one - other)).toEqual([next, back, why]);
  expect(next).toBeGreaterThan(-1);
});

test('nothing is said where nothing is prepared', () => {
  expect(summaryWith(undefined)).not.toContain('oing back');
});
