import { expect, test } from '@jest/globals';
import type { Progress } from '@nereid/domain/deployment';
import { NO_CHANGES, type PlanSummary } from '@nereid/domain/plan';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { renderCheckRun } from '../render-check-run.ts';

const LINKS = { deploymentUrl: 'https://console.example/deployments/3f2a?key=k' };

const checkRunOf = (summary: Partial<PlanSummary>, progress: Partial<Progress> = {}) => {
  const plan = aPlan({ summary: { ...NO_CHANGES, resources: [], omitted: 0, ...summary } });
  return renderCheckRun({ deployment: aDeployment({ status: 'awaiting-review', plan, ...progress }) }, LINKS);
};

test('an unknown change is shown first, by the words of Terraform, which stay in their fence', () => {
  const { title, summary } = checkRunOf({
    ...{ unknown: 1, create: 1 },
    resources: [
      { address: 'aws_x.a', action: 'unknown', words: 'explode```, @everyone' },
      { address: 'aws_x.b', action: 'create' },
    ],
  });

  expect(title).toBe('Plan: 1 to add, 0 to change, 0 to destroy, 1 unknown change');
  expect(summary).toContain('| Unknown | Destroy | Replace | Change | Create |');
  expect(summary).toContain('````diff\n- aws_x.a (explode```, @everyone)\n````');
  expect(summary.indexOf('aws_x.a')).toBeLessThan(summary.indexOf('aws_x.b'));
});

const WARNED = { texts: ['check.sane failed: the answer is not one```', '@everyone <script>'], omitted: 2 };

test('what Terraform warns of stands above the changes, in a fence that it cannot leave', () => {
  const plan = aPlan({ warnings: WARNED });
  const { title, summary } = checkRunOf({}, { plan });

  expect(title).toBe('Plan: 2 to add, 1 to change, 2 to destroy; 4 warnings');
  expect(summary).toContain(
    '**Terraform warns**\n\n````diff\n! check.sane failed: the answer is not one```\n! @everyone <script>\n````\n\n… and 2 more: see the log.',
  );
  expect(summary.indexOf('check.sane')).toBeLessThan(summary.indexOf('| Destroy |'));
});

test.each([
  ['no-changes', 'The infrastructure already matches this revision'],
  ['planned', 'Merging this pull request would change nothing here'],
] as const)('a plan without changes says what Terraform warns of as well: %s', (status, lead) => {
  const plan = aPlan({ hasChanges: false, warnings: { texts: ['check.sane failed'] } });
  const { title, summary } = checkRunOf({}, { status, plan });

  expect(title).toBe('No changes; 1 warning');
  expect(summary).toContain(lead);
  expect(summary).toContain('! check.sane failed');
});

test('a plan that only moves and changes outputs says so, and so does its apply', () => {
  const applied = { added: 0, changed: 0, destroyed: 0, imported: 0 };

  expect(checkRunOf({ move: 2, outputs: 1 }).title).toBe('Plan: 2 to move, 1 output changes');
  expect(checkRunOf({ move: 2, outputs: 1 }, { status: 'succeeded', applied }).title).toBe(
    'Applied: 2 moved, 1 output changed',
  );
});
