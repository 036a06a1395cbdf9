import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { DeploymentStatus, Progress } from '@nereid/domain/deployment';
import { NO_CHANGES } from '@nereid/domain/plan';
import { aPlan, aFailure } from '@nereid/domain/testing';
import { pullRequestFragment, pullRequestPage } from './page.ts';
import type { PreviewView, PullRequestView, ShownLook } from './pull-request-view.ts';

const LOOK: ShownLook = {
  isOpen: true,
  headSha: 'a'.repeat(40),
  baseBranch: 'main',
  baseSha: 'b'.repeat(40),
  at: '2026-01-31T14:02:00.000Z',
};
const PLAN_JOB = { id: '5b1c8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90', startedAt: '2026-01-31T14:01:00.000Z' };
const UNCHANGED = aPlan({ hasChanges: false });

function preview(rootName: string, status: DeploymentStatus, progress: Partial<Progress> = {}): PreviewView {
  return {
    rootName,
    deploymentId: '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90',
    isUnread: false,
    planned: {
      dir: `infra/${rootName}`,
      workspace: 'default',
      receivedAt: '2026-01-31T14:00:00.000Z',
      warnings: [],
      progress: { status, times: {}, jobs: { plan: PLAN_JOB }, ...progress },
      isVague: false,
    },
    path: `deployments/3f2a?lane=acme%2Finfra%2F${rootName}&key=k`,
  };
}

function aView(previews: readonly PreviewView[], more: Partial<PullRequestView> = {}): PullRequestView {
  return {
    pull: { owner: 'acme', name: 'infra', number: 12 },
    title: 'Add a bucket',
    headline: 'Plan: 2 to add, 1 to change, 2 to destroy, in 1 of 3 roots',
    look: LOOK,
    unplanned: 0,
    previews,
    heads: [],
    unavailable: [],
    links: {
      pullRequest: 'https://github.example/acme/infra/pull/12',
      commit: `https://github.example/acme/infra/commit/${LOOK.headSha}`,
      checkRun: 'https://github.example/acme/infra/runs/5',
    },
    ...more,
  };
}

const failure = aFailure({
  summary: 'Error: Unsupported argument',
  lines: ['Error: Unsupported argument', '  on main.tf line 3'],
});

const FORGOTTEN = aPlan({
  summary: {
    ...{ ...NO_CHANGES, forget: 1, omitted: 0 },
    resources: [{ address: 'aws_db_instance.main', action: 'forget' }],
  },
});

const VIEWS: Readonly<Record<string, PullRequestView>> = {
  planned: aView(
    [
      preview('dns', 'planned', { plan: UNCHANGED }),
      { ...preview('database', 'planned', { plan: aPlan() }), outdatedBy: 'c'.repeat(40) },
      preview('network', 'plan-failed', { failure }),
    ],
    {
      heads: [
        {
          headSha: 'e'.repeat(40),
          at: '2026-01-31T13:00:00.000Z',
          title: 'No changes in 1 root',
          conclusion: 'success',
          commit: 'https://github.example/e',
        },
        { headSha: 'd'.repeat(40), at: '2026-01-31T12:00:00.000Z', commit: 'https://github.example/d' },
      ],
    },
  ),
  removes: aView(
    [
      { ...preview('database', 'planned', { plan: FORGOTTEN }), isRemoval: true },
      { ...preview('legacy', 'plan-failed', { failure }), isRemoval: true },
      { ...preview('empty', 'planned', { plan: UNCHANGED }), isRemoval: true },
      { ...preview('dns', 'planning'), isRemoval: true },
    ],
    { headline: 'Planning 1 of 4 roots' },
  ),
  'under-way': aView(
    [
      preview('dns', 'planning'),
      preview('database', 'preparing', {
        waitsFor: 'host',
        reason: 'Waiting for a host: 4 of 4 slots in use on 2 hosts',
      }),
    ],
    { headline: 'Planning 2 roots' },
  ),
  conflict: aView([], {
    headline: 'Conflicts with main: nothing was planned',
    verdict: { conclusion: 'failure', title: 'Conflicts with main: nothing was planned', lines: ['network/main.tf'] },
  }),
  closed: aView([], { headline: 'Not planned', look: { ...LOOK, isOpen: false } }),
};

describe('the page', () => {
  test.each(Object.entries(VIEWS))(
    'the page of a pull request that is "%s" says what people need to know',
    async (name, view) => {
      const fragment = `${pullRequestFragment(view).markup}\n`;

      expect(fragment).toBe(await goldenFile(name, fragment));
    },
  );
});

test('what failed comes first, then what destroys, then what changes', () => {
  const { delete: _none, replace: _neither, ...summary } = aPlan().made.body.summary;
  const gentle = aPlan({ summary: { ...summary, delete: 0, replace: 0 } });
  const { markup } = pullRequestFragment(
    aView([
      preview('same', 'planned', { plan: UNCHANGED }),
      preview('gentle', 'planned', { plan: gentle }),
      preview('harsh', 'planned', { plan: aPlan() }),
      preview('broken', 'plan-failed', { failure }),
    ]),
  );

  expect(Array.from(markup.matchAll(/<th scope="row"><a [^>]*>(\w+)</g), ([, name]) => name)).toEqual([
    'broken',
    'harsh',
    'gentle',
    'same',
  ]);
});

test('a plan without changes is shown for what Terraform warns of', () => {
  const plan = aPlan({ hasChanges: false, warnings: { texts: ['check.sane failed'] } });

  const { markup } = pullRequestFragment(aView([preview('warned', 'planned', { plan })]));

  expect(markup).toContain('no changes; 1 warning');
  expect(markup).toContain('<li>check.sane failed</li>');
});

test('warnings about the configuration that the merge would give stand above its plans', () => {
  const configWarnings = ['expected nereid.yaml, found nereid.yml'];

  const { markup } = pullRequestFragment(aView([preview('network', 'planned')], { configWarnings }));

  expect(markup.indexOf('<li>expected nereid.yaml, found nereid.yml</li>')).toBeGreaterThan(0);
  expect(markup.indexOf('found nereid.yml')).toBeLessThan(markup.indexOf('<table'));
});

test('a plan that only moves says so, where the columns have nothing to count', () => {
  const nothing = { ...aPlan().made.body.summary, create: 0, update: 0, replace: 0, delete: 0, outputs: 0 };
  const plan = aPlan({ summary: { ...nothing, move: 2, resources: [] } });

  const { markup } = pullRequestFragment(aView([preview('moved', 'planned', { plan })]));

  expect(markup).toContain('<span class="detail">2 to move</span>');
});

test('what comes from repositories and users is text', () => {
  const hostile = '</script><script>alert(1)</script>" onclick="x';
  const plan = aPlan({
    summary: { ...aPlan().made.body.summary, resources: [{ address: hostile, action: 'delete' }] },
  });
  const named = (status: DeploymentStatus, progress: Partial<Progress>): PreviewView => ({
    ...preview(hostile, status, progress),
    outdatedBy: hostile,
    path: `deployments/x?lane=${hostile}`,
  });
  const view = aView(
    [
      named('planned', { plan }),
      named('plan-failed', { reason: hostile, failure: { body: { summary: hostile, lines: [hostile] } } }),
    ],
    {
      title: hostile,
      headline: hostile,
      configWarnings: [hostile],
      look: { ...LOOK, baseBranch: hostile, headSha: hostile, baseSha: hostile },
      verdict: { conclusion: 'failure', title: hostile, lines: [hostile] },
      heads: [{ headSha: hostile, at: hostile, title: hostile, commit: hostile }],
    },
  );

  const page = pullRequestPage(view).markup;

  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain('onclick="x');
});

test('a page loads nothing from elsewhere and has nothing inline', () => {
  const page = pullRequestPage(VIEWS['planned'] ?? aView([])).markup;

  expect(page).not.toMatch(/<style|style="|<script(?! src="\.\.\/\.\.\/\.\.\/assets\/)|\son\w+=/);
});

test('a hundred large plans are a page that a phone can load', () => {
  const resources = Array.from({ length: 300 }, (_none, n) => ({
    address: `module.${'x'.repeat(80)}[${n}]`,
    action: 'create' as const,
  }));
  const plan = aPlan({ summary: { ...aPlan().made.body.summary, create: 300, resources } });
  const many = Array.from({ length: 100 }, (_none, n) => preview(`root-${n}`, 'planned', { plan }));

  const { markup } = pullRequestFragment(aView(many));

  expect(markup.length).toBeLessThan(1_500_000);
  expect(markup).toContain('… and 250 more: see <a href="../../../deployments/3f2a?');
});

test('what is no failure does not look like one', () => {
  const unread: PreviewView = { rootName: 'dns', deploymentId: '3f2a', isUnread: true, path: 'deployments/3f2a' };

  const { markup } = pullRequestFragment(aView([unread], { unavailable: ['storage'] }));

  expect(markup).toContain('role="alert">The storage cannot be read in full');
  expect(markup).toMatch(/<span class="mood waiting">.*<\/svg> Cannot be read<\/span>/);
});

/** `UPDATE_GOLDEN=1` writes what is rendered, to be read in the diff. */
async function goldenFile(name: string, rendered: string): Promise<string> {
  const file = new URL(`golden/${name}.html`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) await writeFile(file, rendered);
  return readFile(file, 'utf8');
}
