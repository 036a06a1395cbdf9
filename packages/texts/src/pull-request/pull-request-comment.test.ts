import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus, Progress } from '@nereid/domain/deployment';
import { NO_CHANGES } from '@nereid/domain/plan';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import type { PullRequestSubject } from './pull-request-check-run.ts';
import { isWorthAComment, renderPullRequestComment } from './pull-request-comment.ts';
import type { ShownPreview } from './pull-request-table.ts';

const UNCHANGED = aPlan({ hasChanges: false });

function preview(rootName: string, status: DeploymentStatus, more: Partial<Progress> = {}): ShownPreview {
  return { rootName, deployment: aDeployment({ status, ...more }), url: `https://console.example/${rootName}` };
}

function subject(previews: readonly ShownPreview[], more: Partial<PullRequestSubject> = {}): PullRequestSubject {
  return {
    headSha: 'a'.repeat(40),
    externalId: 'acme/infra#12',
    detailsUrl: 'https://console.example/pulls/acme/infra/12',
    previews,
    ...more,
  };
}

const failed = (summary: string) => preview('dns', 'plan-failed', { failure: { body: { summary, lines: [] } } });

describe('a comment says the same as the check run, when', () => {
  const SUBJECTS: Readonly<Record<string, PullRequestSubject>> = {
    planned: subject([
      preview('network', 'planned', { plan: UNCHANGED }),
      preview('database', 'planned', { plan: aPlan() }),
      failed('Error: Unsupported argument'),
    ]),
    'under-way': subject([preview('network', 'planning'), preview('database', 'queued')]),
    outdated: subject([{ ...preview('network', 'planned', { plan: aPlan() }), outdatedBy: 'b'.repeat(40) }]),
    conflict: subject([], {
      verdict: {
        conclusion: 'failure',
        title: 'Conflicts with main: nothing was planned',
        lines: ['network/main.tf', '```', '@everyone'],
      },
    }),
    unchanged: subject([preview('network', 'planned', { plan: UNCHANGED })]),
  };

  test.each(Object.entries(SUBJECTS))('a comment says the same as the check run when %s', async (name, one) => {
    const comment = `${renderPullRequestComment(one)}\n`;

    expect(comment).toBe(await goldenFile(name, comment));
  });
});

describe('text from outside', () => {
  test('mentions nobody and refers to no issue', () => {
    const text = 'see @everyone, @acme/admins, a@example.com, acme/infra#1, #2 and GH-3';

    const comment = renderPullRequestComment(
      subject([failed(text)], { verdict: { conclusion: 'failure', title: text, lines: [] } }),
    );
    const table = renderPullRequestComment(subject([failed(text)]));

    for (const markdown of [comment, table]) expect(markdown).not.toMatch(/@[a-z]|#\d|GH-\d/i);
  });

  test('is no cell of the table where it is the key of a resource that goes', () => {
    const resources = [{ address: 'aws_x.a["one|two"]', action: 'delete' as const }];
    const plan = aPlan({ summary: { ...NO_CHANGES, delete: 1, resources, omitted: 0 } });

    const comment = renderPullRequestComment(subject([preview('network', 'planned', { plan })]));

    expect(comment).toContain('<br>destroys 1: `aws_x.a["one\\|two"]` |');
  });

  test('is no markup, no link and no cell of the table', () => {
    const comment = renderPullRequestComment(
      subject([failed('| [x](https://evil.example) ![y](z) <img src=x> <!-- nereid: z --> `a` | b')]),
    );

    const [row] = comment.split('\n').filter((line) => line.includes('evil'));
    expect(row).toContain(String.raw`\| \[x\](https:\/\/evil.example) \!\[y\](z) \<img src=x\> \<\!-- nereid: z --\>`);
  });
});

test('a comment of a hundred roots is cut at a row, and keeps the link to all of them', () => {
  const many = Array.from({ length: 100 }, (_none, n) => ({
    ...failed('x'.repeat(900)),
    rootName: `root-${n}`,
  }));

  const comment = renderPullRequestComment(subject(many));

  expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(65_435);
  expect(comment).toContain('[All plans, with their logs](https://console.example/pulls/acme/infra/12)');
  expect(comment).toMatch(/x \|\n\n_There are more: the page has all of them\._$/);
});

describe('worth a comment is', () => {
  test.each<[string, boolean, PullRequestSubject]>([
    ['a plan with changes', true, subject([preview('network', 'planned', { plan: aPlan() })])],
    ['no plan without changes', false, subject([preview('network', 'planned', { plan: UNCHANGED })])],
    ['a plan that failed', true, subject([failed('no')])],
    ['a plan that was lost', true, subject([{ rootName: 'network' }])],
    ['no plan that is under way', false, subject([preview('network', 'planning')])],
    ['a conflict', true, subject([], { verdict: { conclusion: 'failure', title: 'Conflicts', lines: [] } })],
    ['no draft', false, subject([], { verdict: { conclusion: 'action_required', title: 'A draft', lines: [] } })],
    [
      'nothing that touches no root',
      false,
      subject([], { verdict: { conclusion: 'success', title: 'No', lines: [] } }),
    ],
  ])('worth a comment is %s', (_what, expected, one) => {
    expect(isWorthAComment(one)).toBe(expected);
  });
});

/** `UPDATE_GOLDEN=1` writes what is rendered, to be read in the diff. */
async function goldenFile(name: string, rendered: string): Promise<string> {
  const file = new URL(`golden/comment-${name}.golden`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) await writeFile(file, rendered);
  return readFile(file, 'utf8');
}
