import { describe, expect, test } from '@jest/globals';
import type { Progress } from '@nereid/domain/deployment';
import { NO_CHANGES, type ChangeAction, type PlanSummary } from '@nereid/domain/plan';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { renderCheckRun } from '../render-check-run.ts';

const LINKS = { deploymentUrl: 'https://console.example/deployments/3f2a?key=k' };

const checkRunOf = (summary: Partial<PlanSummary>, progress: Partial<Progress> = {}) => {
  const plan = aPlan({ summary: { ...NO_CHANGES, resources: [], omitted: 0, ...summary } });
  return renderCheckRun({ deployment: aDeployment({ status: 'awaiting-review', plan, ...progress }) }, LINKS);
};

describe('the first line', () => {
  const resource = (address: string, action: ChangeAction) => ({ address, action });

  test('says first what is lost, with names that lead to the plan', () => {
    const { summary } = checkRunOf({
      ...{ replace: 1, delete: 4, update: 3 },
      resources: [
        ...['a', 'b', 'c', 'd'].map((name) => resource(`aws_x.${name}`, 'delete')),
        resource('aws_db_instance.main', 'replace'),
        resource('aws_x.e', 'update'),
      ],
    });

    const [first = ''] = summary.split('\n');
    expect(first.replace(/\]\([^)]*\)|\[/g, '')).toBe(
      '**Destroys 4: `aws_x.a`, `aws_x.b`, `aws_x.c` and 1 more · replaces 1: `aws_db_instance.main` · changes 3**',
    );
    expect(first).toContain('https://console.example/deployments/3f2a/plan?key=k&at=aws_db_instance.main');
  });

  test.each(['awaiting-review', 'blocked', 'applying', 'planned'] as const)(
    'stands there while it lies ahead: %s',
    (status) => {
      expect(checkRunOf({ create: 2 }, { status }).summary).toMatch(/^\*\*Creates 2\*\*\n/);
    },
  );

  test.each(['succeeded', 'rejected', 'apply-failed'] as const)('is the outcome once there is one: %s', (status) => {
    expect(checkRunOf({ create: 2 }, { status }).summary).not.toContain('Creates 2');
  });
});

describe('more than ten resources', () => {
  const resources = Array.from({ length: 12 }, (_, index) => ({
    address: `aws_x.n${index}`,
    action: index === 0 ? ('delete' as const) : ('create' as const),
  }));

  test('are folded, but never those that lose something', () => {
    const { summary } = checkRunOf({ delete: 1, create: 11, resources });

    expect(summary).toContain('**Destroy**\n\n```diff\n- aws_x.n0\n```');
    expect(summary).toContain('<details><summary>Create: 11</summary>\n\n```diff\n+ aws_x.n1\n');
  });

  test('are not folded where they are fewer', () => {
    expect(checkRunOf({ delete: 1, create: 9, resources: resources.slice(0, 10) }).summary).not.toContain('<details>');
  });
});

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
