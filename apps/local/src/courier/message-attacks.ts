/** For each signal that workflows of ours take, and for each workflow, what somebody else could send or start. */
import { randomUUID } from 'node:crypto';
import type { Question } from '@nereid/domain/activities';
import { orderOf } from '@nereid/domain/deployment';
import { laneWorkflowId } from '@nereid/domain/lane';
import { pullRequestWorkflowId } from '@nereid/domain/pull-request';
import { CONTROL_QUEUE, type MESSAGE, type WORKFLOW } from '@nereid/domain/temporal-names';
import {
  cancelOf,
  CAROL,
  eventOf,
  extensionOf,
  forceUnlockOf,
  waveCheckOf,
  goOf,
  MADE_UP,
  madeUp,
  overrideOf,
  requestOf,
  reviewOf,
  saidToBe,
  unlockOf,
  type Target,
} from './target.ts';

export type SignalName = Exclude<keyof typeof MESSAGE, 'lane' | 'answer' | 'knows' | 'progress'>;

export interface SignalAttack {
  readonly to: (target: Target) => string;
  readonly body: (target: Target) => object;
  /** As in `ActivityAttack`. */
  readonly is: 'forged' | 'nothing';
}

const lane = ({ input: { repository, deployment } }: Target) => laneWorkflowId(repository, deployment.root.name);
const own = ({ input: { deployment } }: Target) => deployment.id;
/** Runs for none of the sample's pull requests. */
const pull = ({ input: { repository } }: Target) => pullRequestWorkflowId(repository, { number: 1 });

/** Carol lifted a lock, which nobody asked for. */
const unlocked = ({ input }: Target) => madeUp(unlockOf(input));

/** In the order in which they are sent: each finds the deployment as the one before has left it. */
export const SIGNALS: Readonly<Record<SignalName, SignalAttack>> = {
  resume: { is: 'nothing', to: lane, body: () => ({}) },
  showAgain: { is: 'forged', to: own, body: (target) => ({ unlocked: unlocked(target) }) },
  look: { is: 'nothing', to: pull, body: () => ({}) },
  previewEnded: { is: 'nothing', to: pull, body: () => ({}) },
  // There is none to lift; a lock that storage knows is tried on its own.
  unlock: { is: 'nothing', to: lane, body: unlocked },
  lookAgain: { is: 'nothing', to: lane, body: () => ({}) },
  askAgain: { is: 'nothing', to: own, body: () => ({}) },
  extend: { is: 'forged', to: own, body: extensionOf },
  policyOverride: { is: 'forged', to: own, body: overrideOf },
  planReview: { is: 'forged', to: own, body: (target) => reviewOf(target) },
  notice: {
    is: 'forged',
    to: lane,
    body: (target) =>
      madeUp({
        version: 1,
        deploymentId: own(target),
        sentence: `Ask @${CAROL}: she has confirmed this already.`,
      }),
  },
  newRevision: { is: 'forged', to: lane, body: (target) => requestOf(target) },
  cancelling: { is: 'forged', to: own, body: (target) => madeUp(cancelOf(target)) },
  deploymentEnded: {
    is: 'nothing',
    to: lane,
    body: () => ({ deploymentId: randomUUID(), progress: { status: 'succeeded', times: {}, jobs: {} } }),
  },
  // The deployment ends, which is a delay; that it was Carol who ended it is what nobody may say.
  cancel: {
    is: 'forged',
    to: lane,
    body: (target) => madeUp(cancelOf(target)),
  },
};

export interface WorkflowAttack {
  readonly input: (target: Target) => object;
  readonly is: 'forged' | 'nothing';
}

export const WORKFLOWS: Readonly<Record<Exclude<keyof typeof WORKFLOW, 'ask'>, WorkflowAttack>> = {
  intake: { is: 'forged', input: eventOf },
  deploy: {
    is: 'forged',
    input: (target) => {
      const { deploymentId: id, version: _none, ...request } = requestOf(target);
      const progress = { status: 'queued', times: {}, jobs: {} };
      const waiting = { ...request, id, receivedAt: new Date().toISOString(), progress, checkRuns: [] };
      const { repository } = target.input;
      const seen = { requestIds: [], merges: [] };
      const kept = { manual: [waiting], merged: [], seen, writer: { runId: 'somebody', sequence: 1 } };
      const record = { version: 1, repository, rootName: 'made-up', ...kept };
      const carried = { record, recordVersion: null, notices: {}, reported: {} };
      return { repository, rootName: 'made-up', durations: { idleMs: 1 }, carried };
    },
  },
  terraform: {
    is: 'forged',
    input: (target) => {
      const deployment = { ...saidToBe(target), id: randomUUID() };
      return { ...target.input, deployment: { ...deployment, root: { ...deployment.root, planReview: 'auto' } } };
    },
  },
  forceUnlock: { is: 'forged', input: forceUnlockOf },
  waveCheck: { is: 'forged', input: waveCheckOf },
  reconcile: { is: 'nothing', input: () => ({}) },
  watch: { is: 'nothing', input: () => ({}) },
  retention: { is: 'nothing', input: () => ({}) },
  rollout: {
    is: 'nothing',
    input: ({ input: { repository, deployment } }) => ({ repository, sha: deployment.revision.sha }),
  },
  pullRequest: { is: 'nothing', input: ({ input: { repository } }) => ({ repository, number: 1, idleMs: 1 }) },
};

/** Requests to control that an attacker could make. */
export const QUESTIONS: Readonly<Record<Question['kind'], WorkflowAttack>> = {
  showLateOutcome: {
    is: 'forged',
    input: ({ input: { repository, deployment } }) => ({
      body: {
        ...{ version: 1, repository, rootName: deployment.root.name, deploymentId: deployment.id },
        sentence: 'It went well.',
      },
      signature: MADE_UP,
    }),
  },
  // Its apply has not failed.
  prepareRevert: {
    is: 'nothing',
    input: ({ input: { repository, deployment } }) => ({
      ...{ version: 1, repository, rootName: deployment.root.name, deploymentId: deployment.id },
    }),
  },
  sealReadToken: {
    is: 'forged',
    input: ({ input: { repository, deployment } }) => ({
      version: 1,
      order: orderOf({ ...repository, name: 'secrets' }, deployment),
    }),
  },
  sealIdentityToken: {
    is: 'forged',
    input: (target) => ({
      ...{ version: 1, order: orderOf(target.input.repository, target.input.deployment) },
      apply: { go: goOf(target) },
    }),
  },
  // The answer is for whoever asked; nobody else takes it.
  askAccess: {
    is: 'nothing',
    input: ({ input: { repository } }) => ({
      version: 1,
      login: CAROL,
      repositories: [repository],
      nonce: randomUUID(),
    }),
  },
};

/** All workflows are on one queue. */
export const WORKFLOW_QUEUE = CONTROL_QUEUE;
