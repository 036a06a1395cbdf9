import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  deliveryWorkflowId,
  requestWorkflowId,
  type IntakeActivities,
  type IntakeEvent,
  type IntakeResult,
  type JudgedAction,
  type PressedCheckRun,
  type PushEvent,
  type ReceivedEvent,
  type UserAction,
} from '@nereid/domain/intake';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { userActionAuditEvents, type TrailEvent } from '@nereid/domain/trail';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const RECEIVED_AT = '2026-01-31T14:00:00.000Z';
const SHA = 'a'.repeat(40);
const CHECK_RUN: PressedCheckRun = {
  id: 5,
  name: 'nereid/deploy: network',
  headSha: SHA,
  externalId: 'd1',
  conclusion: 'failure',
};
const ABOUT = { repository: REPOSITORY, sender: 'carol' };
const COMMENT = {
  ...ABOUT,
  kind: 'comment',
  pullRequest: 12,
  commentId: 3,
  createdAt: '2026-01-01T00:00:00Z',
  line: 'nereid apply',
} as const;
const UNLOCK: IntakeEvent = { ...ABOUT, kind: 'button', checkRun: CHECK_RUN, button: { kind: 'unlock' } };
const PUSH: PushEvent = { ...ABOUT, kind: 'push', branch: 'main', before: SHA, after: SHA, forced: false };
const RESULT: IntakeResult = { kind: 'signalled', sentence: '1 of 1 roots', workflows: ['acme/infra||network'] };

/** Far more than the attempts of a test take. */
const PATIENTLY_MS = 60_000;

const environment = environmentOfThisFile();
let delivery: string;
/** What was to be taken, in order. */
let asked: Signed<ReceivedEvent>[];
/** What was stored, in order. */
let audited: TrailEvent[];
/** How often the audit trail fails before it takes anything. */
let auditFailures: number;
/** How activities answer, the attempt counted from 1. */
let answer: (attempt: number) => IntakeResult | Promise<IntakeResult>;

beforeAll(async () => {
  await environment.runWorker({ taskQueue: CONTROL_QUEUE, activities: { ...fakes() } });
});

beforeEach(() => {
  delivery = randomUUID();
  asked = [];
  audited = [];
  auditFailures = 0;
  answer = () => RESULT;
});

test.each<[string, IntakeEvent]>([
  ['a push', PUSH],
  ['a button', UNLOCK],
  ['a re-run', { ...ABOUT, kind: 'rerun', checkRun: CHECK_RUN }],
  ['a re-run of all', { ...ABOUT, kind: 'rerun-all', checkSuiteId: 7, headSha: SHA }],
  ['a comment', { ...COMMENT, line: 'nereid help' }],
  [
    'a request',
    {
      ...ABOUT,
      kind: 'request',
      request: { action: 'cancel', rootName: 'network', deploymentId: 'd1' },
      proof: 'sealed',
    },
  ],
])('%s is taken once, as the gateway signed it, and the answer is the result', async (_what, event) => {
  const result = await intake({ event });

  const body = { version: 1, delivery, receivedAt: RECEIVED_AT, event };
  expect(asked).toEqual([{ body, signature: 'by the gateway' }]);
  expect(result).toEqual(RESULT);
  await environment.record(event.kind, deliveryWorkflowId(delivery));
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

  test('of a button that fails within moments is tried again, too', async () => {
    answer = (attempt) => {
      if (attempt === 1) throw new Error('GitHub is away');
      return RESULT;
    };

    const result = await intake({ event: UNLOCK });

    expect(asked).toHaveLength(2);
    expect(result).toEqual(RESULT);
    await environment.record('button-tried-again', deliveryWorkflowId(delivery));
  });

  test('that fails for good fails the workflow at once, so that the webhook can be redelivered', async () => {
    answer = () => {
      throw ApplicationFailure.nonRetryable('GitHub refused', 'FORGE_REFUSED');
    };

    const failure = await failureOf(intake({ event: PUSH }));
    answer = () => RESULT;
    const redelivered = await intake({ event: PUSH });

    expect(failure).toBeInstanceOf(ActivityFailure);
    expect(failure.cause).toMatchObject({ message: 'GitHub refused', type: 'FORGE_REFUSED' });
    expect(redelivered).toEqual(RESULT);
  });
});

describe('what a person pressed is audited', () => {
  const ACCEPTED = { action: 'apply', rootNames: ['network', 'dns'], revision: SHA, pullRequest: 12 } as const;
  const EVENT = {
    version: 1,
    action: 'apply',
    repository: 'acme/infra',
    initiatingUser: 'carol',
    pressedAt: '2026-01-31T14:00:00.000Z',
    pullRequest: 12,
  };

  test('once for each root, with ids that are the same whenever the delivery is taken; the result leaves it out', async () => {
    answer = () => ({ ...RESULT, userActions: [judged(ACCEPTED)] });

    const result = await intake({ event: COMMENT });

    const workflowId = `delivery/${delivery}`;
    expect(audited).toEqual([
      {
        ...EVENT,
        id: `${delivery}:network:REVIEWED`,
        state: 'REVIEWED',
        rootName: 'network',
        revision: SHA,
        workflowId,
      },
      { ...EVENT, id: `${delivery}:dns:REVIEWED`, state: 'REVIEWED', rootName: 'dns', revision: SHA, workflowId },
    ]);
    expect(result).toEqual(RESULT);
  });

  test('as refused with the sentence, also where its roots were never known', async () => {
    answer = () => ({
      ...RESULT,
      userActions: [judged({ action: 'apply', rootNames: [], pullRequest: 12, refusal: 'No' })],
    });

    await intake({ event: COMMENT });

    const workflowId = `delivery/${delivery}`;
    expect(audited).toEqual([{ ...EVENT, id: `${delivery}:REFUSED`, state: 'REFUSED', sentence: 'No', workflowId }]);
  });

  test('after the audit trail was away: nothing is judged again meanwhile', async () => {
    auditFailures = 2;
    answer = () => ({ ...RESULT, userActions: [judged(ACCEPTED)] });

    const result = await intake({ event: COMMENT });

    expect(audited).toHaveLength(2);
    expect(asked).toHaveLength(1);
    expect(result).toEqual(RESULT);
    await environment.record('comment-audited-late', deliveryWorkflowId(delivery));
  });

  test('apart for each deployment that is cancelled, of which a root may have several', async () => {
    const cancelled = (deploymentId: string) => ({ action: 'cancel', rootNames: ['network'], deploymentId }) as const;
    answer = () => ({ ...RESULT, userActions: [cancelled('d1'), cancelled('d2')].map(judged) });

    await intake({ event: COMMENT });

    expect(audited).toMatchObject([
      { id: `${delivery}:d1:REVIEWED`, rootName: 'network', deploymentId: 'd1' },
      { id: `${delivery}:d2:REVIEWED`, rootName: 'network', deploymentId: 'd2' },
    ]);
  });

  test('however many roots it is about', async () => {
    const rootNames = Array.from({ length: 250 }, (_, index) => `root-${index}`);
    answer = () => ({ ...RESULT, userActions: [judged({ ...ACCEPTED, rootNames })] });

    await intake({ event: COMMENT });

    expect(audited).toMatchObject(rootNames.map((rootName) => ({ rootName })));
  });

  test('without a repository when it is about a host', async () => {
    const request = { action: 'drain', hostId: 'h1' } as const;
    answer = () => ({ ...RESULT, userActions: [judged(request)] });

    await intake({ event: { kind: 'operator-request', request, sender: 'alice', senderId: 7, proof: 'sealed' } });

    expect(audited).toEqual([
      {
        version: 1,
        id: `${delivery}:REVIEWED`,
        state: 'REVIEWED',
        ...request,
        initiatingUser: 'alice',
        initiatingUserId: 7,
        pressedAt: RECEIVED_AT,
        workflowId: requestWorkflowId(delivery),
      },
    ]);
  });

  test('although nobody could be told, which fails the workflow', async () => {
    const userActions = [judged({ action: 'unlock', rootNames: ['network'], deploymentId: 'd1', refusal: 'No' })];
    answer = () => {
      throw ApplicationFailure.nonRetryable('GitHub refused', 'FORGE_REFUSED', userActions);
    };

    await failureOf(intake({ event: UNLOCK }));

    expect(audited).toMatchObject([{ state: 'REFUSED', action: 'unlock', deploymentId: 'd1', sentence: 'No' }]);
  });

  describe('when its event could not be taken in time', () => {
    const RERUN = { ...ABOUT, kind: 'rerun', checkRun: CHECK_RUN } as const;
    const rerun = { action: 'rerun', rootNames: ['network'], deploymentId: 'd1' } as const;

    test('as what it was judged to be at the last attempt', async () => {
      answer = (attempt) => {
        if (attempt === 1) throw new Error('GitHub is away');
        throw awayForLong([judged(rerun)]);
      };

      await failureOf(intake({ event: RERUN, patienceMs: PATIENTLY_MS }));

      expect(audited).toMatchObject([{ state: 'REVIEWED', action: 'rerun', deploymentId: 'd1' }]);
    });

    test('as refused, with the reason, where nobody had judged it', async () => {
      answer = () => {
        throw awayForLong();
      };

      await failureOf(intake({ event: RERUN, patienceMs: PATIENTLY_MS }));

      expect(audited).toMatchObject([{ state: 'REFUSED', sentence: 'not done: GitHub is away' }]);
    });

    test('as refused, where no worker ever answered', async () => {
      const { promise, resolve } = Promise.withResolvers<IntakeResult>();
      answer = () => promise;

      await failureOf(intake({ event: RERUN, patienceMs: 500 }));
      resolve(RESULT);

      expect(audited).toMatchObject([{ state: 'REFUSED', sentence: expect.stringContaining('imeout') }]);
      await environment.record('rerun-never-taken', deliveryWorkflowId(delivery));
    });

    test('but not a push, which asks for nothing that could be refused', async () => {
      answer = () => {
        throw ApplicationFailure.nonRetryable('no', 'REVISION_GONE');
      };

      await failureOf(intake({ event: PUSH }));

      expect(audited).toEqual([]);
    });
  });
});

/** It would be tried again later than anybody waits, so this attempt is the last one. */
function awayForLong(...details: unknown[]): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'GitHub is away',
    type: 'FORGE_UNAVAILABLE',
    details,
    nextRetryDelay: '1h',
  });
}

/** As control signs it. */
function judged(action: UserAction): Signed<JudgedAction> {
  return { body: { version: 1, delivery, action }, signature: 'by control' };
}

function fakes(): IntakeActivities {
  return {
    async handleEvent(received) {
      asked.push(received);
      return answer(asked.length);
    },
    async recordUserActions(received, userActions) {
      auditFailures -= 1;
      if (auditFailures >= 0) throw new Error('the topic is away');
      audited.push(
        ...userActionAuditEvents(
          received.body,
          'notTaken' in userActions
            ? [{ action: 'unlock', rootNames: ['network'], refusal: `not done: ${userActions.notTaken}` }]
            : userActions.map(({ body }) => body.action),
        ),
      );
    },
  };
}

interface Given {
  readonly patienceMs?: number;
  readonly version?: number;
  readonly event?: IntakeEvent | { readonly kind: string };
}

/** As the gateway starts it; a newer one may send what the contract does not know yet. */
function intake({ patienceMs, ...more }: Given): Promise<IntakeResult> {
  const body = { version: 1, delivery, receivedAt: RECEIVED_AT, event: PUSH, ...more };
  const complete = { body, signature: 'by the gateway', ...(patienceMs !== undefined && { patienceMs }) };
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
