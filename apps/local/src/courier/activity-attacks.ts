/** For each activity of ours, what somebody who schedules it from a workflow of their own could want of it. */
import { randomUUID } from 'node:crypto';
import {
  SWEEP_PARTS,
  type AskActivities,
  type ClaimActivities,
  type HostActivities,
  type ReconcileActivities,
  type RetentionActivities,
  type WatchActivities,
} from '@nereid/domain/activities';
import {
  orderOf,
  type ForceUnlockActivities,
  type ForceUnlockHostActivities,
  type WaveCheckHostActivities,
} from '@nereid/domain/deployment';
import type { TerraformActivities } from '@nereid/domain/deployment-actor';
import type { IntakeActivities } from '@nereid/domain/intake';
import type { LaneActivities } from '@nereid/domain/lane';
import type { PullRequestActivities } from '@nereid/domain/pull-request';
import type { RolloutActivities } from '@nereid/domain/rollout';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { withMade } from '@nereid/domain/testing';
import { claimQueue, CONTROL_QUEUE, LOOK_QUEUE, hostQueue } from '@nereid/domain/temporal-names';
import {
  APPLIED,
  CAROL,
  eventOf,
  forceUnlockOf,
  waveCheckOf,
  goOf,
  jobOf,
  judgedOf,
  MADE_UP,
  madeUp,
  mergeReviewOf,
  overrideOf,
  recordOf,
  operatorRequestOf,
  requestEventOf,
  reviewOf,
  saidToBe,
  type Target,
} from './target.ts';

export type ActivityName = keyof (AskActivities &
  IntakeActivities &
  ReconcileActivities &
  RetentionActivities &
  WatchActivities &
  LaneActivities &
  TerraformActivities &
  PullRequestActivities &
  RolloutActivities &
  ClaimActivities &
  ForceUnlockActivities &
  ForceUnlockHostActivities &
  WaveCheckHostActivities &
  HostActivities);

export interface ActivityAttack {
  readonly args: (target: Target) => readonly unknown[];
  readonly queue?: (target: Target) => string;
  /** `forged`: it says something that nobody signed, which is seen. `nothing`: it asks for what anybody may have. */
  readonly is: 'forged' | 'nothing';
}

const onHost = ({ hostId }: Target) => hostQueue(hostId);

const endOf = (target: Target) => ({ record: recordOf(target, APPLIED), audits: [], deletesPlan: false });

const laneOf = (target: Target) => ({
  version: 1,
  repository: { ...target.input.repository, installationId: 66 },
  rootName: target.input.deployment.root.name,
  running: { ...saidToBe(target), force: true },
  manual: [],
  merged: [],
  seen: { requestIds: [], merges: [] },
  writer: { runId: 'somebody', sequence: 1 },
});

/** Of an activity of several parts, one for each. */
export const ACTIVITIES: Readonly<Record<ActivityName, ActivityAttack | readonly ActivityAttack[]>> = {
  handleEvent: [
    { is: 'forged', args: (target) => [eventOf(target)] },
    // Neither makes a person's stop, nor lifts one.
    {
      is: 'forged',
      args: (target) => [
        requestEventOf(target, { action: 'stop', for: '7d', reason: 'It went well', directories: [] }),
      ],
    },
    { is: 'forged', args: (target) => [requestEventOf(target, { action: 'thaw' })] },
    {
      is: 'forged',
      args: () => [operatorRequestOf({ action: 'stop_pool', pool: '*', for: '7d', reason: 'It went well' })],
    },
    { is: 'forged', args: () => [operatorRequestOf({ action: 'thaw_pool', pool: '*' })] },
    // Nor has anything pass one.
    {
      is: 'forged',
      args: (target) => {
        const { id: deploymentId, root } = target.input.deployment;
        const where = { rootName: root.name, deploymentId } as const;
        return [requestEventOf(target, { action: 'break_glass', ...where, reason: 'It went well' })];
      },
    },
    // Nor lets a wave begin.
    {
      is: 'forged',
      args: (target) => {
        const { sha: revision } = target.input.deployment.revision;
        return [requestEventOf(target, { action: 'skip_soak', revision, wave: 1, reason: 'It went well' })];
      },
    },
  ],
  recordUserActions: [
    { is: 'forged', args: (target) => [eventOf(target), [judgedOf(target)]] },
    { is: 'forged', args: (target) => [eventOf(target), { notTaken: `@${CAROL} may not` }] },
  ],
  answer: [
    {
      is: 'forged',
      args: ({ input: { repository, deployment } }) => [
        'showLateOutcome',
        {
          body: {
            ...{ version: 1, repository, rootName: deployment.root.name, deploymentId: deployment.id },
            sentence: 'It went well.',
          },
          signature: MADE_UP,
        },
      ],
    },
    {
      is: 'forged',
      args: ({ input: { repository, deployment } }) => [
        'sealReadToken',
        { version: 1, order: orderOf({ ...repository, name: 'secrets' }, deployment) },
      ],
    },
    // Permission to apply that nobody gave.
    {
      is: 'forged',
      args: (target) => [
        'sealIdentityToken',
        { version: 1, order: orderOf(target.input.repository, target.input.deployment), apply: { go: goOf(target) } },
      ],
    },
    // The answer is for whoever asked; nobody else takes it.
    {
      is: 'nothing',
      args: ({ input: { repository } }) => [
        'askAccess',
        { version: 1, login: CAROL, repositories: [repository], nonce: 'n' },
      ],
    },
  ],
  reconcile: [
    { is: 'nothing', args: () => ['listRepositories'] },
    {
      is: 'nothing',
      args: ({ input: { repository } }) => ['reconcileRepositories', [{ repository, branch: 'feature' }]],
    },
    { is: 'nothing', args: () => ['redeliverWebhooks'] },
  ],
  // Another clock than that of Temporal removes nothing more: the earliest one counts.
  sweep: SWEEP_PARTS.map((part): ActivityAttack => ({ is: 'nothing', args: () => [part, '2999-01-31T00:00:00.000Z'] })),
  watch: [
    { is: 'nothing', args: () => ['lastWatch'] },
    { is: 'nothing', args: () => ['reportStuck', []] },
    { is: 'nothing', args: () => ['resumeLanes'] },
    { is: 'nothing', args: () => ['reportClosed'] },
  ],
  readLane: { is: 'nothing', args: ({ input: { repository } }) => [repository, 'network', null, 'news'] },
  admitDeployment: {
    is: 'forged',
    args: (target) => [{ record: laneOf(target), ifVersion: 'made-up', compareWith: 'a'.repeat(40) }],
  },
  settleLane: [
    {
      is: 'forged',
      args: (target) => [
        { record: laneOf(target), ifVersion: 'made-up', ended: [recordOf(target, APPLIED)], audits: [] },
      ],
    },
    {
      is: 'forged',
      args: (target) => [
        {
          ...{ record: laneOf(target), ifVersion: 'made-up', ended: [recordOf(target, APPLIED)], audits: [] },
          returned: { show: { deployment: saidToBe(target, APPLIED) }, withinMs: 1_000 },
        },
      ],
    },
  ],
  findTerraform: {
    is: 'nothing',
    args: ({ input: { repository, deployment } }) => [
      repository,
      deployment.root.name,
      { deploymentId: deployment.id, pool: DEFAULT_POOL },
    ],
  },
  showCheckRuns: {
    is: 'forged',
    args: (target) => [target.input.repository, [{ deployment: saidToBe(target, APPLIED) }]],
  },
  showCheckRun: [
    { is: 'forged', args: (target) => [target.input.repository, { deployment: saidToBe(target, APPLIED) }] },
    // One of several people has confirmed the plan, who did not.
    {
      is: 'forged',
      args: (target) => [target.input.repository, { deployment: saidToBe(target, { approvals: [reviewOf(target)] }) }],
    },
  ],
  verifyPlan: {
    is: 'forged',
    args: (target) => {
      const { plan } = target.progress;
      const summary = plan && { ...plan.made.body.summary, create: 7 };
      return [target.input.deployment, plan && summary && withMade(plan, { summary })];
    },
  },
  findReviewedPlan: [
    { is: 'forged', args: (target) => [target.input.repository, { ...saidToBe(target), requestedBy: CAROL }] },
    {
      is: 'forged',
      args: (target) => [
        target.input.repository,
        { ...saidToBe(target), reviewed: { review: madeUp(mergeReviewOf(target)) } },
      ],
    },
  ],
  // The plan is genuine, and nobody has confirmed it.
  carryReview: {
    is: 'forged',
    args: (target) => {
      const { plan } = target.progress;
      const { repository } = target.input;
      const confirmed = { made: plan?.made, approvals: [reviewOf(target)] };
      return [{ repository, deployment: saidToBe(target), plan, confirmed }];
    },
  },
  findDependencies: { is: 'nothing', args: ({ input: { repository } }) => [repository, []] },
  verifyPress: [
    { is: 'forged', args: (target) => [reviewOf(target)] },
    { is: 'forged', args: (target) => [overrideOf(target)] },
  ],
  begin: {
    is: 'forged',
    args: (target) => [
      {
        repository: target.input.repository,
        deployment: saidToBe(target),
        review: reviewOf(target),
        job: { id: randomUUID(), startedAt: new Date().toISOString() },
        hostId: target.hostId,
        audits: [],
      },
    ],
  },
  recordAside: [
    {
      is: 'forged',
      args: (target) => [
        { repository: target.input.repository, deployment: saidToBe(target), review: reviewOf(target), sentence: 'no' },
      ],
    },
    {
      is: 'forged',
      args: (target) => [{ repository: target.input.repository, deployment: saidToBe(target, APPLIED), audits: [] }],
    },
  ],
  endDeployment: [
    { is: 'forged', args: (target) => [{ ...endOf(target), show: {} }] },
    { is: 'forged', args: (target) => [{ ...endOf(target), isTold: true }] },
  ],
  isHostAlive: { is: 'nothing', args: ({ hostId }) => [hostId] },
  explainWait: { is: 'nothing', args: () => [DEFAULT_POOL] },
  syncPullRequest: {
    is: 'nothing',
    args: ({ input: { repository } }) => [repository, { number: 1 }, []],
    queue: () => LOOK_QUEUE,
  },
  showPullRequest: { is: 'nothing', args: ({ input: { repository } }) => [repository, { number: 1 }] },
  showRollout: [
    { is: 'nothing', args: ({ input: { repository, deployment } }) => [repository, deployment.revision.sha] },
    { is: 'nothing', args: ({ input: { repository } }) => [repository, "' OR '1' = '1"] },
  ],
  // It takes a slot, and gives it back when nothing comes of it.
  claimHost: { is: 'nothing', args: () => [randomUUID()], queue: () => claimQueue(DEFAULT_POOL) },
  claimAndPlan: { is: 'forged', args: (target) => [jobOf(target)], queue: () => claimQueue(DEFAULT_POOL) },
  applyOnHost: {
    is: 'forged',
    args: (target) => [{ ...jobOf(target), go: goOf(target) }],
    queue: onHost,
  },
  forceUnlockOnHost: { is: 'forged', args: (target) => [forceUnlockOf(target)], queue: onHost },
  checkOnHost: { is: 'forged', args: (target) => [waveCheckOf(target)], queue: onHost },
  answerForceUnlock: {
    is: 'forged',
    args: (target) => [
      forceUnlockOf(target),
      { body: { version: 1, forceUnlockId: target.input.deployment.id, order: MADE_UP }, signature: MADE_UP },
    ],
  },
  inspectApply: {
    is: 'forged',
    args: (target) => [{ ...jobOf(target), go: goOf(target) }],
    queue: onHost,
  },
  // A cancellation of its activity does the same.
  stopOnHost: { is: 'nothing', args: () => [randomUUID()], queue: onHost },
  // It removes a tree, which is made again.
  cleanUpHost: { is: 'nothing', args: () => [randomUUID()], queue: onHost },
};

export function queueOf({ queue = () => CONTROL_QUEUE }: ActivityAttack, target: Target): string {
  return queue(target);
}
