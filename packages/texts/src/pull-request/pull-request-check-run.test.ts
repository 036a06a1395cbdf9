import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus, Progress } from '@nereid/domain/deployment';
import { NO_CHANGES } from '@nereid/domain/plan';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { renderPullRequest, type PullRequestSubject } from './pull-request-check-run.ts';
import type { ShownPreview } from './pull-request-table.ts';

const HEAD = 'a'.repeat(40);
const DENIAL = { name: 'cost', enforce: 'required', verdict: 'denied', denials: ['too much'], warnings: [] } as const;
const DENIED = aPlan({ policies: [DENIAL] });
const UNCHANGED = aPlan({ hasChanges: false });

function preview(rootName: string, status: DeploymentStatus, more: Partial<Progress> = {}): ShownPreview {
  const deployment = aDeployment({ status, ...more });
  return { rootName, deployment, url: `https://console.example/${rootName}` };
}

function render(previews: readonly ShownPreview[], more: Partial<PullRequestSubject> = {}) {
  return renderPullRequest({
    headSha: HEAD,
    externalId: 'acme/infra#12',
    detailsUrl: 'https://github.example/acme/infra/pull/12',
    previews,
    ...more,
  });
}

test('a root that the merge would remove is named beside those that are planned', () => {
  const { summary } = render([preview('network', 'planned', { plan: aPlan() })], { removed: ['database'] });

  expect(summary).toContain('- database is removed, and its resources stay: nothing destroys them.');
  expect(summary.indexOf('`network`')).toBeLessThan(summary.indexOf('- database'));
});

describe('a root that the merge removes', () => {
  const aRemoval = (forget: number) => {
    const resources = Array.from({ length: forget }, (_none, n) => ({ address: `a.r${n}`, action: 'forget' as const }));
    const plan = aPlan({ hasChanges: forget > 0, summary: { ...NO_CHANGES, forget, resources, omitted: 0 } });
    return { ...preview('database', 'planned', { plan }), isRemoval: true } as const;
  };
  const failure = { body: { summary: 'Error: no access', lines: [] } };
  const unread = { ...preview('legacy', 'plan-failed', { failure }), isRemoval: true } as const;

  test('leaves behind what its state holds, and the check run says how to destroy it', () => {
    const subject = { removed: ['database'] };

    const { title, conclusion, summary } = render([aRemoval(3)], subject);

    expect({ title, conclusion }).toEqual({ title: 'Removes 1 root: 3 resources stay', conclusion: 'success' });
    expect(summary).toContain('| [`database`](https://console.example/database) | removed; 3 resources stay |');
    expect(summary).toContain('- database is removed, and its resources stay: nothing destroys them.');
    expect(summary).toContain('To destroy the resources, first merge a change that removes them and keeps the root');
  });

  test('stands beside those that are planned', () => {
    const planned = preview('network', 'planned', { plan: aPlan() });

    expect(render([planned, aRemoval(1)]).title).toBe(
      'Plan: 2 to add, 1 to change, 2 to destroy, in 1 of 1 root; removes 1 root: 1 resource stays',
    );
  });

  test('with an empty state leaves nothing behind', () => {
    const { title, summary } = render([aRemoval(0)], { removed: ['database'] });

    expect(title).toBe('Removes 1 root without resources');
    expect(summary).toContain('removed; its state holds nothing');
    expect(summary).not.toContain('To destroy');
  });

  test('fails nothing when its state cannot be read, and says why', () => {
    const { title, conclusion, summary } = render([unread, aRemoval(2)], { removed: ['legacy', 'database'] });

    expect({ title, conclusion }).toEqual({
      title: 'Removes 2 roots: at least 2 resources stay',
      conclusion: 'success',
    });
    expect(summary).toContain('removed; its state cannot be read: Error: no access');
    expect(render([unread]).title).toBe('Removes 1 root, whose state cannot be read');
    expect(render([{ rootName: 'legacy', isRemoval: true }])).toMatchObject({ conclusion: 'success' });
  });

  test('is in progress while its state is read', () => {
    const { status, summary } = render([{ ...preview('database', 'planning'), isRemoval: true }]);

    expect(status).toBe('in_progress');
    expect(summary).toContain('removed; reading its state');
  });
});

describe('the check run of a pull request', () => {
  test.each<[string, readonly ShownPreview[], object]>([
    [
      'is in progress while a root is planned',
      [preview('network', 'planning'), preview('dns', 'planned', { plan: aPlan() })],
      { status: 'in_progress', title: 'Planning 1 of 2 roots' },
    ],
    [
      'is a success when all roots are planned, and counts what changes',
      [preview('network', 'planned', { plan: aPlan() }), preview('dns', 'planned', { plan: UNCHANGED })],
      {
        status: 'completed',
        conclusion: 'success',
        title: expect.stringMatching(/^Plan: \d+ to add, .*, in 1 of 2 roots$/),
      },
    ],
    [
      'says when nothing changes',
      [preview('dns', 'planned', { plan: UNCHANGED })],
      { conclusion: 'success', title: 'No changes in 1 root' },
    ],
    [
      'is a failure when a root could not be planned',
      [
        preview('network', 'plan-failed', { failure: { body: { summary: 'no', lines: [] } } }),
        preview('dns', 'planned'),
      ],
      { conclusion: 'failure', title: '1 of 2 roots could not be planned' },
    ],
    [
      'is a failure when a plan was lost, because nobody knows what it said',
      [{ rootName: 'network' }, preview('dns', 'planned', { plan: UNCHANGED })],
      { conclusion: 'failure', title: '1 of 2 roots could not be planned' },
    ],
    [
      'is a failure when all plans were lost',
      [{ rootName: 'network' }],
      { conclusion: 'failure', title: '1 of 1 root could not be planned' },
    ],
    [
      'is a failure when a required policy denies a plan, and says which',
      [preview('network', 'planned', { plan: DENIED }), preview('dns', 'planned', { plan: UNCHANGED })],
      { conclusion: 'failure', title: 'network: Policy cost denies: too much' },
    ],
    [
      'is a failure when policies deny several plans',
      [preview('network', 'planned', { plan: DENIED }), preview('dns', 'planned', { plan: DENIED })],
      { conclusion: 'failure', title: 'Policies deny the plans of 2 of 2 roots' },
    ],
    [
      'is a success when only advice denies',
      [preview('network', 'planned', { plan: aPlan({ policies: [{ ...DENIAL, enforce: 'advisory' }] }) })],
      { conclusion: 'success' },
    ],
  ])('the check run of a pull request %s', (_what, previews, expected) => {
    expect(render(previews)).toMatchObject(expected);
  });

  test('keeps its conclusion while plans are made again, so that a busy root blocks nobody', () => {
    expect(render([preview('network', 'planning')], { before: 'failure' })).toMatchObject({
      status: 'completed',
      conclusion: 'failure',
      title: 'Out of date: planning again',
    });
  });

  test('says that the state changed outside of Nereid', () => {
    const renewed = { ...preview('network', 'planning'), isOfNewState: true };

    const { title } = render([renewed, preview('dns', 'planning')], { before: 'success' });

    expect(title).toBe('Out of date: the state changed outside of Nereid, planning again');
  });

  test('says which commit made it out of date', () => {
    const outdated = { ...preview('network', 'planned', { plan: aPlan() }), outdatedBy: 'b'.repeat(40) };

    const { title, summary, conclusion } = render([outdated], { before: 'success' });

    expect({ title, conclusion }).toEqual({
      title: 'Out of date: bbbbbbb was merged, planned again after its deployment',
      conclusion: 'success',
    });
    expect(summary).toContain('(before `bbbbbbb`)');
  });

  test.each<[string, readonly ShownPreview[], Partial<PullRequestSubject>, string]>([
    ['planned again', [preview('network', 'planning')], { before: 'success' }, 'Out of date: planning again'],
    [
      'out of date',
      [{ ...preview('network', 'planned', { plan: UNCHANGED }), outdatedBy: 'b'.repeat(40) }],
      {},
      'Out of date: bbbbbbb was merged, planned again after its deployment',
    ],
    [
      'at rest, because nobody looks whether they are',
      [preview('network', 'planned', { plan: UNCHANGED })],
      { isIdle: true, remark: 'at rest' },
      'May be out of date (at rest)',
    ],
  ])('fails while plans are %s, where that blocks', (_how, previews, more, title) => {
    expect(render(previews, { ...more, blocksStale: true })).toMatchObject({ conclusion: 'failure', title });
    expect(render(previews, { before: 'success', ...more }).conclusion).toBe('success');
  });

  test('is in progress at first, and a success once it is up to date, where stale plans block', () => {
    expect(render([preview('network', 'planning')], { blocksStale: true }).status).toBe('in_progress');
    expect(
      render([preview('network', 'planned', { plan: UNCHANGED })], { before: 'failure', blocksStale: true }),
    ).toMatchObject({ conclusion: 'success', title: 'No changes in 1 root' });
  });

  test('lists what failed first, then what destroys, then what changes', () => {
    const { delete: _none, replace: _neither, ...summary } = aPlan().made.body.summary;
    const gentle = aPlan({ summary: { ...summary, delete: 0, replace: 0 } });
    const { summary: table } = render([
      preview('same', 'planned', { plan: UNCHANGED }),
      preview('gentle', 'planned', { plan: gentle }),
      preview('harsh', 'planned', { plan: aPlan() }),
      preview('broken', 'plan-failed'),
    ]);

    expect(Array.from(table.matchAll(/^\| \[`(\w+)`\]/gm), ([, name]) => name)).toEqual([
      'broken',
      'harsh',
      'gentle',
      'same',
    ]);
  });

  test('shows names of files as they are, whatever they are', () => {
    const verdict = {
      conclusion: 'failure',
      title: 'Conflicts with main',
      lines: ['a`b.tf', '```', '@everyone'],
    } as const;

    const { summary, conclusion, actions } = render([], { verdict });

    expect({ conclusion, actions }).toEqual({ conclusion: 'failure', actions: [] });
    expect(summary).toBe('````text\na`b.tf\n```\n@everyone\n````');
  });

  test('of a hundred roots fits into what GitHub takes', () => {
    const many = Array.from({ length: 100 }, (_none, n) =>
      preview(`root-${n}-${'x'.repeat(90)}`, 'planned', { plan: aPlan() }),
    );

    expect(Buffer.byteLength(render(many).summary)).toBeLessThanOrEqual(65_535);
  });
});

test('warnings about the configuration stand above the table', () => {
  const configWarnings = ['expected nereid.yaml, found nereid.yml, which is not read; rename it'];

  const { summary, conclusion } = render([preview('network', 'planned', { plan: aPlan() })], { configWarnings });

  expect(conclusion).toBe('success');
  expect(summary).toMatch(
    /configuration\*\*\n\n```diff\n! expected nereid\.yaml, found nereid\.yml, .*\n```\n\n\| Root/,
  );
});

test('plans of some roots are no success where more would be changed', () => {
  const some = [preview('network', 'planned', { plan: UNCHANGED })];

  expect(render(some, { unplanned: 119 })).toMatchObject({
    status: 'completed',
    conclusion: 'action_required',
    title: 'No changes in 1 root, 119 roots not planned',
  });
  expect(render([preview('network', 'planning')], { unplanned: 1 })).toMatchObject({
    status: 'in_progress',
    title: 'Planning 1 root, 1 root not planned',
  });
});
