import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { Progress } from '@nereid/domain/deployment';
import { NO_CHANGES } from '@nereid/domain/plan';
import { aDeployment, aLock, anOverride, aPlan, withMade } from '@nereid/domain/testing';
import type { DeploymentView } from './deployment-view.ts';
import { deploymentPage, pageFragment } from './page.ts';

const planJob = { id: '5b1c8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90', startedAt: '2026-01-31T14:01:00.000Z' };
const approved = { answer: 'approved', by: 'carol', at: '2026-01-31T14:10:00.000Z' } as const;

const denial = {
  name: 'cost',
  enforce: 'required',
  verdict: 'denied',
  denials: ['<b>too</b> much'],
  warnings: ['no tag'],
  omitted: 3,
} as const;
const overridden = anOverride({
  deploymentId: 'd1',
  digest: aPlan().made.body.digest,
  policies: ['tags'],
  at: '2026-01-31T14:06:00.000Z',
});

const LEFT_BEHIND = {
  ...NO_CHANGES,
  forget: 2,
  resources: [
    { address: 'aws_db_instance.main', action: 'forget' },
    { address: 'aws_s3_bucket.logs', action: 'forget' },
  ],
  omitted: 0,
} as const;

const VIEWS: Readonly<Record<string, DeploymentView>> = {
  queued: aView({ status: 'queued' }, { ahead: 1 }),
  'queued-locked': aView({ status: 'queued' }, { lock: aLock(), ahead: 0 }),
  'waiting-for-host': aView({
    status: 'preparing',
    waitsFor: 'host',
    reason: 'Waiting for a host: 4 of 4 slots in use on 2 hosts',
  }),
  planning: aView({ status: 'planning', hostId: 'host-1', jobs: { plan: planJob } }),
  'trying-again': aView(
    { status: 'planning', hostId: 'host-1' },
    {
      pending: [
        { activity: 'plan', attempt: 1, isRunning: true },
        {
          activity: 'writeCheckRun',
          attempt: 3,
          isRunning: false,
          nextAttemptAt: '2026-01-31T14:02:00.000Z',
          lastFailure: 'GitHub answered 502 to <PATCH>',
        },
        { activity: 'keepPlan', attempt: 1, isRunning: false },
      ],
    },
  ),
  'awaiting-review': aView({ status: 'awaiting-review', plan: aPlan(), jobs: { plan: planJob } }),
  'awaiting-review-again': aView({
    status: 'awaiting-review',
    plan: aPlan(),
    jobs: { plan: planJob },
    reason: 'Planned again: the state changed since <the> plan was made',
  }),
  diverged: aView(
    { status: 'awaiting-review', plan: aPlan(), jobs: { plan: planJob } },
    { warnings: ['abc1234 is deployed, and def5678 does not contain it. This plan removes what abc1234 brought.'] },
  ),
  'denied-by-policy': aView({
    status: 'awaiting-review',
    plan: aPlan({ policies: [denial, { ...denial, name: 'tags' }] }),
    overrides: [overridden],
    jobs: { plan: planJob },
  }),
  succeeded: aView({
    status: 'succeeded',
    plan: aPlan(),
    review: approved,
    jobs: { plan: planJob, apply: planJob },
    applied: { added: 2, changed: 1, destroyed: 2, imported: 0 },
  }),
  'plan-failed': aView({
    status: 'plan-failed',
    jobs: { plan: planJob },
    failure: {
      body: { summary: 'Error: Unsupported argument', lines: ['Error: Unsupported argument', '  on main.tf line 3'] },
    },
  }),
  removal: aRemoval({ status: 'planned', plan: aPlan({ summary: LEFT_BEHIND }), jobs: { plan: planJob } }),
  'temporal-away': aView({ status: 'planning' }, { unavailable: ['temporal'] }),
};

describe('the page', () => {
  test.each(Object.entries(VIEWS))(
    'the page of a deployment that is "%s" says what a person needs to know',
    async (name, view) => {
      const fragment = `${pageFragment(view, '?lane=acme%2Finfra%2Fnetwork&key=k').markup}\n`;

      expect(fragment).toBe(await goldenFile(name, fragment));
    },
  );
});

test.each([true, false])('what Terraform warns of is shown, whether or not the plan has changes: %j', (hasChanges) => {
  const plan = aPlan({ hasChanges, warnings: { texts: ['check.sane failed: <b>'], omitted: 2 } });

  const { markup } = deploymentPage(aView({ status: hasChanges ? 'awaiting-review' : 'no-changes', plan }), '');

  expect(markup).toContain('<li>check.sane failed: &lt;b&gt;</li>');
  expect(markup).toContain('… and 2 more: see the log.');
});

describe('after a failed apply', () => {
  const revert: NonNullable<DeploymentView['revert']> = {
    deploymentId: '3f2b8c1e',
    sentence: 'Going back to abc1234 would destroy 1.',
    way: ['To go back, press ', { kind: 'revert' }, ' on ', { kind: 'pull-request', number: 42 }, '.'],
    pullRequest: 'https://github.example/acme/infra/pull/42',
  };
  const view = aView({ status: 'apply-failed' }, { revert });

  test('the page says what going back would do, and links the plan and the pull request', () => {
    const { markup } = pageFragment(view, '?lane=acme%2Finfra%2Fnetwork');

    expect(markup).toContain(
      'Going back to abc1234 would destroy 1. <a href="3f2b8c1e?lane=acme%2Finfra%2Fnetwork">See the plan</a>. ' +
        'To go back, press <strong>Revert</strong> on <a href="https://github.example/acme/infra/pull/42">#42</a>.',
    );
  });

  test('somebody who came by a link sees no other page by it', () => {
    const { markup } = pageFragment(view, '?lane=acme%2Finfra%2Fnetwork&key=k');

    expect(markup).toContain('Going back to abc1234');
    expect(markup).not.toContain('See the plan');
  });
});

test('the page of a plan to go back says what it is', () => {
  const headSha = 'def5678'.padEnd(40, '0');
  const parents = { headSha, baseSha: headSha, expiresAt: '2026-01-31T15:00:00.000Z' };
  const preview = { ...parents, reverts: { deploymentId: 'd1' } };
  const deployment = { ...aDeployment({ status: 'planned' }), trigger: 'preview', preview } as const;

  const { markup } = deploymentPage(aView({ status: 'planned', plan: aPlan() }, { deployment }), '');

  expect(markup).toContain('To see what going back from def5678 would change');
  expect(markup).not.toContain('what the merge would change');
});

test('a page names the trace of its deployment, where there is one', () => {
  const trace = 'a'.repeat(32);

  expect(deploymentPage(aView({ status: 'planning' }, { trace }), '').markup).toContain(
    `, in the trace <code>${trace}</code>`,
  );
  expect(deploymentPage(aView({ status: 'planning' }), '').markup).not.toContain('in the trace');
});

test('a page has the warnings about the configuration, also once nobody is asked any more', () => {
  const { deployment } = aView({ status: 'succeeded' });
  const configWarnings = ['expected nereid.yaml, found nereid.yml'];

  expect(
    deploymentPage(aView({ status: 'succeeded' }, { deployment: { ...deployment, configWarnings } }), '').markup,
  ).toContain('<li>expected nereid.yaml, found nereid.yml</li>');
  expect(deploymentPage(aView({ status: 'succeeded' }), '').markup).not.toContain('Warnings about');
});

test('what comes from repositories and users is text', () => {
  const hostile = '</script><script>alert(1)</script>" onclick="x';
  const deployment = aDeployment({ status: 'queued' });
  const revision = { ...deployment.revision, title: hostile, author: hostile, branch: hostile };
  const plan = aPlan();
  const view = aView(
    {
      status: 'plan-failed',
      reason: hostile,
      failure: { body: { summary: hostile, lines: [hostile] } },
      plan: withMade(plan, {
        summary: { ...plan.made.body.summary, resources: [{ address: hostile, action: 'delete' }] },
      }),
    },
    { deployment: { ...deployment, requestedBy: hostile, revision, configWarnings: [hostile] } },
  );

  const page = deploymentPage(view, '?lane="><script>').markup;

  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain('onclick="x');
});

test('a page loads nothing from elsewhere and has nothing inline', () => {
  const page = deploymentPage(aView({ status: 'awaiting-review', plan: aPlan() }), '').markup;

  expect(page).not.toMatch(/<style|style="|<script(?! src="\.\.\/assets\/)|\son\w+=/);
  const loaded = Array.from(
    page.matchAll(/<(?:script|link|img)\b[^>]*?\b(?:src|href)="(?<at>[^"]*)"/g),
    ({ groups }) => groups?.['at'],
  );
  expect(
    loaded.filter((at) => at !== 'data:,' && !/^\.\.\/assets\/[0-9a-f]{12}\/[\w-]+\.(?:css|js)$/.test(at ?? '')),
  ).toEqual([]);
  expect(loaded.at(-1)).toMatch(/console\.js$/);
});

function aView(
  progress: Partial<Progress> & Pick<Progress, 'status'>,
  view: Partial<DeploymentView> = {},
): DeploymentView {
  const { progress: whole, ...deployment } = aDeployment(progress);
  return {
    id: deployment.id,
    lane: { owner: 'acme', name: 'infra', rootName: 'network' },
    deployment,
    progress: whole,
    warnings: [],
    offers: [],
    unavailable: [],
    links: {
      checkRun: 'https://github.example/acme/infra/runs/5',
      commit: 'https://github.example/acme/infra/commit/abc1234',
      pullRequest: 'https://github.example/acme/infra/pull/12',
      workflow: 'https://temporal.example/namespaces/default/workflows/3f2a',
    },
    ...view,
  };
}

function aRemoval(progress: Partial<Progress> & Pick<Progress, 'status'>): DeploymentView {
  const { deployment, ...view } = aView(progress);
  const [headSha, baseSha] = ['a'.repeat(40), 'b'.repeat(40)];
  const preview = { headSha, baseSha, expiresAt: '2026-01-31T15:00:00.000Z', isRemoval: true } as const;
  return { ...view, deployment: { ...deployment, trigger: 'preview', pullRequest: 12, preview } };
}

/** `UPDATE_GOLDEN=1` writes what is rendered, to be read in the diff. */
async function goldenFile(name: string, rendered: string): Promise<string> {
  const file = new URL(`golden/${name}.html`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) await writeFile(file, rendered);
  return readFile(file, 'utf8');
}
