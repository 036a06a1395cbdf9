import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  CONTROL_QUEUE,
  deliveryWorkflowId,
  WORKFLOW,
  type IntakeActivities,
  type IntakeEvent,
  type IntakeInput,
  type IntakeResult,
  type PressedCheckRun,
  type PushEvent,
} from '@nereid/contracts';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const SHA = 'a'.repeat(40);
const CHECK_RUN: PressedCheckRun = {
  id: 5,
  name: 'nereid/deploy: network',
  headSha: SHA,
  externalId: 'd1',
  conclusion: 'failure',
};
const ABOUT = { repository: REPOSITORY, sender: 'carol' };
const PUSH: PushEvent = { ...ABOUT, kind: 'push', branch: 'main', before: SHA, after: SHA, forced: false };
const RESULT: IntakeResult = { kind: 'signalled', sentence: '1 of 1 roots', workflows: ['acme/infra||network'] };

type Activity = keyof IntakeActivities;

let environment: WorkflowEnvironment;
let delivery: string;
let running: Promise<void>;
let stop: () => void;
/** What each activity was asked, in order. */
let asked: unknown[][];
/** How activities answer, the attempt counted from 1. */
let answer: (attempt: number) => IntakeResult;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, activities: { ...fakes() } });
  stop = () => worker.shutdown();
  running = worker.run();
});

beforeEach(() => {
  delivery = randomUUID();
  asked = [];
  answer = () => RESULT;
});

afterAll(async () => {
  stop();
  await running;
  await environment.close();
});

test.each<[Activity, IntakeEvent]>([
  ['takePush', PUSH],
  ['takeButton', { ...ABOUT, kind: 'button', checkRun: CHECK_RUN, button: { kind: 'unlock' } }],
  ['takeRerun', { ...ABOUT, kind: 'rerun', checkRun: CHECK_RUN }],
  ['takeRerunAll', { ...ABOUT, kind: 'rerun-all', checkSuiteId: 7, headSha: SHA }],
  ['takeComment', { ...ABOUT, kind: 'comment', pullRequest: 12, commentId: 3, line: 'nereid help' }],
])('%s is asked once with its delivery and event, and its answer is the result', async (activity, event) => {
  const result = await intake({ event });

  expect(asked).toEqual([[activity, delivery, event]]);
  expect(result).toEqual(RESULT);
});

describe('what a newer gateway sends', () => {
  test.each([
    ['an unknown version', { version: 2 }, 'found 2'],
    ['an unknown kind of event', { event: { kind: 'tag' } }, 'found {"kind":"tag"}'],
  ])('fails for good when it is %s, and says to upgrade the workers', async (_what, input, found) => {
    const failure = await failureOf(intake(input));

    expect(failure).toMatchObject({ type: 'UNKNOWN_INTAKE', nonRetryable: true });
    expect(failure.message).toContain(`${found}; upgrade the workers, then redeliver the webhook`);
    expect(asked).toEqual([]);
  });
});

describe('an activity', () => {
  test('that fails is tried again', async () => {
    answer = (attempt) => {
      if (attempt === 1) throw new Error('GitHub is away');
      return RESULT;
    };

    const result = await intake({ event: PUSH });

    expect(asked).toHaveLength(2);
    expect(result).toEqual(RESULT);
  });

  test('that fails for good fails the workflow at once, so that the webhook can be redelivered', async () => {
    answer = () => {
      throw ApplicationFailure.nonRetryable('GitHub refused', 'GITHUB_REFUSED');
    };

    const failure = await failureOf(intake({ event: PUSH }));
    answer = () => RESULT;
    const redelivered = await intake({ event: PUSH });

    expect(failure).toBeInstanceOf(ActivityFailure);
    expect(failure.cause).toMatchObject({ message: 'GitHub refused', type: 'GITHUB_REFUSED' });
    expect(redelivered).toEqual(RESULT);
  });
});

function fakes(): IntakeActivities {
  const fake =
    (activity: Activity) =>
    async (...args: unknown[]): Promise<IntakeResult> => {
      asked.push([activity, ...args]);
      return answer(asked.length);
    };
  return {
    takePush: fake('takePush'),
    takeButton: fake('takeButton'),
    takeRerun: fake('takeRerun'),
    takeRerunAll: fake('takeRerunAll'),
    takeComment: fake('takeComment'),
  };
}

/** As the gateway starts it; a newer one may send what the contract does not know yet. */
function intake(input: Partial<IntakeInput> | object): Promise<IntakeResult> {
  const complete = { version: 1, delivery, receivedAt: '2026-01-31T14:00:00.000Z', event: PUSH, ...input };
  return environment.client.workflow.execute<(input: object) => Promise<IntakeResult>>(WORKFLOW.intake, {
    workflowId: deliveryWorkflowId(delivery),
    taskQueue: CONTROL_QUEUE,
    args: [complete],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  });
}

async function failureOf(workflow: Promise<unknown>): Promise<Error> {
  const error: unknown = await workflow.catch((failure: unknown) => failure);
  if (error instanceof WorkflowFailedError && error.cause) return error.cause;
  throw new Error(`expected the workflow to fail, found ${String(error)}`);
}
