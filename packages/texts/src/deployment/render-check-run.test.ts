import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { ENDED_STATUSES, type Deployment, type DeploymentStatus, type Presentation } from '@nereid/domain/deployment';
import { NO_CHANGES, type Plan } from '@nereid/domain/plan';
import type { CheckRunContent } from '@nereid/forge';
import { aDeployment, aLock, anOverride, anUnlock, aPlan, aFailure } from '@nereid/domain/testing';
import { renderCheckRun, renderSuperseded } from './render-check-run.ts';

const LINKS = {
  deploymentUrl: 'https://console.example/deployments/3f2a?key=k',
  workflowUrl: 'https://temporal.example/namespaces/default/workflows/3f2a',
  laneUrl: 'https://temporal.example/namespaces/default/workflows/acme%2Finfra%7C%7Cnetwork',
  commitUrl: 'https://github.example/acme/infra/commit/abc1234',
  lockUrl: 'https://console.example/deployments/1111?key=k',
  carrierUrl: 'https://console.example/deployments/3f2b?key=k',
  pullRequestUrl: 'https://github.example/acme/infra/pull/12',
  hostsUrl: 'https://console.example/hosts',
};

const ALL_PLANS = { allPlansUrl: 'https://console.example/pulls/acme/infra/12?key=k' };

const unlocked = anUnlock({ askedAt: '2026-01-31T15:10:00.000Z' });
const approved = { answer: 'approved', by: 'carol', at: '2026-01-31T14:10:00.000Z' } as const;
const failure = aFailure({
  summary: 'Error: Reference to undeclared input variable',
  lines: ['Error: Reference to', '  on main.tf line 3'],
});

const denial = {
  name: 'cost',
  enforce: 'required',
  verdict: 'denied',
  denials: ['aws_instance.web costs more than 100 a month'],
  warnings: ['no tag called team'],
  owners: 'a member of acme/finance, or olga',
} as const;
const advice = { name: 'style', enforce: 'advisory', verdict: 'denied', denials: ['dashes'], warnings: [] } as const;
const passed = { name: 'safety', enforce: 'required', verdict: 'passed', denials: [], warnings: [] } as const;
const policies = [passed, advice, { ...denial, omitted: 12 }];
const overridden = anOverride({ deploymentId: 'd1', digest: aPlan().made.body.digest, at: '2026-01-31T14:06:00.000Z' });

const aPreview = {
  trigger: 'preview',
  pullRequest: 12,
  preview: { headSha: 'a'.repeat(40), baseSha: 'b'.repeat(40), expiresAt: '2026-01-01T00:00:00Z' },
} as const;

/** A preview whose plan may be confirmed. */
const forMerge = {
  ...aPreview,
  preview: { ...aPreview.preview, forMerge: { tree: 'd'.repeat(40), lane: 'never applied' } },
} as const;

/** The state holds this many resources. */
function aRemoval(status: DeploymentStatus, forget = 0): Deployment {
  const resources = Array.from({ length: forget }, (_none, n) => ({ address: `a.r${n}`, action: 'forget' as const }));
  const summary = { ...NO_CHANGES, forget, resources, omitted: 0 };
  const plan = status === 'planned' && { plan: aPlan({ hasChanges: forget > 0, summary, reviewRequired: false }) };
  const deployment = aDeployment({ status, ...plan, ...(status === 'plan-failed' && { failure }) });
  return { ...deployment, ...aPreview, preview: { ...aPreview.preview, isRemoval: true } };
}

const STATES: Readonly<Record<string, Presentation>> = {
  queued: { deployment: aDeployment({ status: 'queued' }), ahead: 2 },
  'queued-next': { deployment: aDeployment({ status: 'queued' }), ahead: 0 },
  'queued-for-others': {
    deployment: aDeployment({ status: 'queued', reason: 'waits for network, which awaits its review' }),
    ahead: 0,
  },
  'queued-locked': { deployment: aDeployment({ status: 'queued' }), ahead: 0, lock: aLock() },
  blocked: {
    deployment: aDeployment({ status: 'blocked', reason: 'GitHub cannot be asked (502 since 40 s), next try in 15 s' }),
  },
  'blocked-with-plan': {
    deployment: aDeployment({
      status: 'blocked',
      plan: aPlan(),
      reason: 'Closed until Mon 08:00 Europe/Berlin (change freeze “Year end”)',
    }),
  },
  'waiting-for-host': {
    deployment: aDeployment({
      status: 'preparing',
      waitsFor: 'host',
      reason: 'Waiting for a host: 4 of 4 slots in use on 2 hosts',
    }),
  },
  'waiting-for-host-to-apply': {
    deployment: aDeployment({
      status: 'applying',
      hostId: 'host-1',
      plan: aPlan(),
      review: approved,
      waitsFor: 'host',
      reason: 'Waiting for a host: no host is running: start a worker',
    }),
  },
  preparing: { deployment: aDeployment({ status: 'preparing', hostId: 'host-1' }) },
  planning: { deployment: aDeployment({ status: 'planning', hostId: 'host-1' }) },
  'awaiting-review': { deployment: aDeployment({ status: 'awaiting-review', plan: aPlan() }) },
  'denied-by-policy': { deployment: aDeployment({ status: 'awaiting-review', plan: aPlan({ policies }) }) },
  'denied-by-policies-without-review': {
    deployment: aDeployment({
      status: 'awaiting-review',
      plan: aPlan({ reviewRequired: false, policies: [denial, { ...denial, name: 'tags', verdict: 'error' }] }),
    }),
  },
  'awaiting-review-overridden': {
    deployment: aDeployment({ status: 'awaiting-review', plan: aPlan({ policies }), overrides: [overridden] }),
  },
  'overridden-without-review': {
    deployment: aDeployment({
      status: 'awaiting-review',
      plan: aPlan({ reviewRequired: false, policies: [denial] }),
      overrides: [overridden],
    }),
  },
  'awaiting-review-with-notice': {
    deployment: aDeployment({ status: 'awaiting-review', plan: aPlan() }),
    notice: '@mallory may not confirm this: it takes write permission on the repository, @mallory has read',
  },
  'awaiting-review-under-a-new-name': {
    deployment: {
      ...aDeployment({ status: 'awaiting-review', plan: aPlan() }),
      formerly: { rootName: 'prod-network' },
    },
  },
  'awaiting-review-with-warning': {
    deployment: {
      ...aDeployment({ status: 'awaiting-review', plan: aPlan() }),
      warning: 'def5678 is deployed, and abc1234 does not contain it. This plan removes what def5678 brought.',
    },
  },
  'awaiting-review-again': {
    deployment: aDeployment({
      status: 'awaiting-review',
      plan: aPlan(),
      reason: 'Planned again: the plan that was kept is not there any more',
    }),
  },
  'confirmed-not-audited': {
    deployment: aDeployment({
      status: 'awaiting-review',
      plan: aPlan(),
      review: approved,
      reason: 'Nothing is applied before the audit trail is written: no space left on device',
    }),
  },
  applying: { deployment: aDeployment({ status: 'applying', plan: aPlan(), review: approved }) },
  'applying-worker-lost': {
    deployment: aDeployment({
      status: 'applying',
      plan: aPlan(),
      review: approved,
      reason: 'The worker was lost. The apply may still be running on host 3f2a: waiting for its outcome.',
    }),
  },
  succeeded: {
    deployment: aDeployment({
      status: 'succeeded',
      plan: aPlan(),
      review: approved,
      applied: { added: 2, changed: 1, destroyed: 2, imported: 0 },
    }),
  },
  'no-changes': { deployment: aDeployment({ status: 'no-changes', plan: aPlan({ hasChanges: false }) }) },
  planned: { deployment: { ...aDeployment({ status: 'planned', plan: aPlan() }), ...aPreview } },
  'planned-for-merge': {
    deployment: {
      ...aDeployment({ status: 'planned', plan: aPlan() }),
      ...forMerge,
      warning: '@carol confirmed an earlier plan of this root for the merge. That no longer counts.',
    },
  },
  'confirmed-for-merge': {
    deployment: {
      ...aDeployment({ status: 'planned', plan: aPlan() }),
      ...forMerge,
      confirmedForMerge: { by: 'carol', at: '2026-01-31T14:10:00.000Z' },
    },
  },
  'applying-as-reviewed': {
    deployment: aDeployment({ status: 'applying', plan: aPlan({ beforeMerge: true }), review: approved }),
  },
  'planned-in-a-new-workspace': {
    deployment: {
      ...aDeployment({ status: 'planned', plan: aPlan({ newWorkspace: true }) }),
      ...forMerge,
    },
  },
  'planned-unchanged': {
    deployment: { ...aDeployment({ status: 'planned', plan: aPlan({ hasChanges: false }) }), ...aPreview },
  },
  'preview-denied': { deployment: { ...aDeployment({ status: 'planned', plan: aPlan({ policies }) }), ...aPreview } },
  'preview-advised': {
    deployment: { ...aDeployment({ status: 'planned', plan: aPlan({ policies: [advice] }) }), ...aPreview },
  },
  'preview-failed': { deployment: { ...aDeployment({ status: 'plan-failed', failure }), ...aPreview } },
  'preview-of-removal': { deployment: aRemoval('planned', 2) },
  'preview-of-removal-empty': { deployment: aRemoval('planned') },
  'preview-of-removal-unread': { deployment: aRemoval('plan-failed') },
  'preview-of-removal-under-way': { deployment: aRemoval('planning') },
  'preview-cancelled': { deployment: { ...aDeployment({ status: 'cancelled' }), ...aPreview } },
  'plan-failed': { deployment: aDeployment({ status: 'plan-failed', failure }) },
  'plan-failed-state-locked': {
    deployment: aDeployment({
      status: 'plan-failed',
      failure: aFailure({
        summary: 'Error: Error acquiring the state lock',
        lines: ['Error: Error acquiring the state lock'],
        stateLock: {
          id: '594d17c1-7d4f-5256-08d1-4d67a8754dbd',
          who: 'ada@`laptop`',
          created: '2026-01-31 14:00:00 +0000 UTC',
        },
      }),
    }),
  },
  'apply-failed': { deployment: aDeployment({ status: 'apply-failed', failure, plan: aPlan(), review: approved }) },
  'apply-outcome-unknown': {
    deployment: aDeployment({
      status: 'apply-outcome-unknown',
      plan: aPlan(),
      review: approved,
      reason: 'Terraform left no exit code',
    }),
  },
  'apply-outcome-unknown-unlocked': {
    deployment: { ...aDeployment({ status: 'apply-outcome-unknown', plan: aPlan(), review: approved }), unlocked },
  },
  'succeeded-without-review': { deployment: aDeployment({ status: 'succeeded', plan: aPlan() }) },
  rejected: {
    deployment: aDeployment({ status: 'rejected', plan: aPlan(), review: { ...approved, answer: 'rejected' } }),
  },
  expired: { deployment: aDeployment({ status: 'expired', plan: aPlan() }) },
  cancelled: { deployment: aDeployment({ status: 'cancelled', reason: 'Cancelled by @carol' }) },
  skipped: { deployment: aDeployment({ status: 'skipped', reason: 'Already deployed with def5678' }) },
  'skipped-carried': {
    deployment: {
      ...aDeployment({ status: 'skipped', reason: 'Deployed with def5678, which contains it' }),
      carrier: { deploymentId: '3f2b', revision: 'def5678def5678def5678def5678def5678def56' },
    },
  },
  refused: {
    deployment: aDeployment({ status: 'refused', reason: 'The root network is not in this revision any more' }),
  },
  'host-lost': {
    deployment: aDeployment({ status: 'host-lost', reason: 'Host host-1 stopped answering while it planned' }),
  },
};

describe('every state has its check run', () => {
  test.each(Object.keys(STATES))('a deployment that is "%s" has its own check run', async (state) => {
    const subject = STATES[state];

    const links = { ...LINKS, ...(subject?.deployment.preview && ALL_PLANS) };
    const golden = asText(renderCheckRun(subject ?? neverHappens(), links));

    expect(golden).toBe(await goldenFile(state, golden));
  });

  test('and none of the ended ones is left out', () => {
    const shown = new Set<DeploymentStatus>(Object.values(STATES).map(({ deployment }) => deployment.progress.status));

    expect(ENDED_STATUSES.filter((status) => !shown.has(status))).toEqual([]);
  });
});

test.each(Object.entries(STATES))('%s keeps to the limits of GitHub', (_state, subject) => {
  const { status, conclusion, actions } = renderCheckRun(subject, LINKS);

  expect(conclusion !== undefined).toBe(status === 'completed');
  expect(actions.length === 0 || status === 'completed').toBe(true);
  for (const { label, identifier, description } of actions) {
    expect([label.length <= 20, identifier.length <= 20, description.length <= 40]).toEqual([true, true, true]);
  }
});

test('what is written again was completed when it was', () => {
  const at = '2026-01-31T14:05:00.000Z';
  const times = { 'awaiting-review': at, rejected: '2026-01-31T14:10:00.000Z' };
  const completedAt = (subject: Presentation) => renderCheckRun(subject, LINKS).completedAt;

  expect(completedAt({ deployment: aDeployment({ status: 'awaiting-review', times }) })).toBe(at);
  expect(completedAt({ deployment: aDeployment({ status: 'rejected', times }) })).toBe(times.rejected);
  expect(completedAt({ deployment: aDeployment({ status: 'queued' }), lock: { ...aLock(), at } })).toBe(at);
});

test('a plan that a policy denies cannot be confirmed for the merge', () => {
  const { preview } = aPreview;
  const forMerge = { ...preview, forMerge: { tree: 'd'.repeat(40), lane: 'd0' } };
  const labelsOf = (plan: Plan) => {
    const deployment = { ...aDeployment({ status: 'planned', plan }), ...aPreview, preview: forMerge };
    return renderCheckRun({ deployment }, LINKS).actions.map(({ label }) => label);
  };

  expect(labelsOf(aPlan({ policies: [denial] }))).toEqual([]);
  expect(labelsOf(aPlan({ policies: [advice] }))).toEqual(['Confirm for merge']);
});

test('the buttons of a review name the plan', () => {
  const { actions } = renderCheckRun({ deployment: aDeployment({ status: 'awaiting-review', plan: aPlan() }) }, LINKS);

  expect(actions.map(({ identifier }) => identifier)).toEqual(['confirm.0123456789ab', 'reject.0123456789ab']);
});

describe('a check run after which the deployment went on', () => {
  test.each<[string, Deployment]>([
    ['Confirmed by @carol', aDeployment({ status: 'applying', plan: aPlan(), review: approved })],
    ['Policies overridden by @olga', aDeployment({ status: 'applying', plan: aPlan(), overrides: [overridden] })],
    ['Unlocked by @carol', { ...aDeployment({ status: 'planning' }), unlocked }],
    ['Went on', aDeployment({ status: 'queued' })],
  ])('says "%s", and has no buttons', (title, deployment) => {
    const content = renderSuperseded(deployment, LINKS);

    expect(content).toMatchObject({ status: 'completed', conclusion: 'neutral', title, actions: [] });
    expect(content.summary).toMatch(/^This deployment went on: the newer check run/);
  });
});

test('the title of a deployment that waits at a gate begins with a capital, as all titles do', () => {
  const deployment = aDeployment({ status: 'blocked', reason: 'waits for wave 1 of 2 (canary): app' });

  expect(renderCheckRun({ deployment }, LINKS).title).toBe('Waits for wave 1 of 2 (canary): app');
});

test('the deployments that a wait names have links to their pages, and their names are no markup', () => {
  const deployment = aDeployment({ status: 'blocked', plan: aPlan(), reason: '1 of 1 apply on aws-prod: [dns]' });
  const named = [{ rootName: '[dns]', url: 'https://console.example/deployments/d1?key=k' }];

  expect(renderCheckRun({ deployment }, { ...LINKS, named }).summary).toContain(
    String.raw`Under way: [\[dns\]](https://console.example/deployments/d1?key=k)`,
  );
});

/** What a person would see, in a file that a person can read. */
function asText({ summary, actions, ...rest }: CheckRunContent): string {
  const buttons = actions.map(({ label, identifier, description }) => `[${label}] ${identifier}: ${description}`);
  const head = Object.entries(rest).map(([key, value]) => `${key}: ${value}`);
  return [...head, ...buttons, '', summary, ''].join('\n');
}

/** `UPDATE_GOLDEN=1` writes what is rendered, to be read in the diff. */
async function goldenFile(state: string, rendered: string): Promise<string> {
  const file = new URL(`golden/${state}.golden`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) await writeFile(file, rendered);
  return readFile(file, 'utf8');
}

function neverHappens(): never {
  throw new Error('expected a state of the table');
}
