import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MESSAGE } from '@nereid/contracts';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { defaultPayloadConverter } from '@temporalio/common';
import { DIGEST, OTHER_DIGEST, planned } from './fixtures/a-deployment.ts';
import { openStage, type Stage } from './fixtures/stage.ts';

let environment: WorkflowEnvironment;
let stage: Stage;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
  stage = await openStage(environment);
});

afterAll(async () => {
  await stage.close();
  await environment.close();
});

describe('a review that does not count changes nothing and is told on the check run', () => {
  test('for another plan', async () => {
    const lane = await aLane('other-plan');
    const deployment = await stage.start({}, { laneId: lane.id });
    await deployment.reached('awaiting-review');

    await deployment.review({ digest: OTHER_DIGEST });

    expect(await lane.notice()).toContain('@grace pressed Confirm: that was for another plan');
    expect(await deployment.progress()).not.toHaveProperty('review');
    await deployment.review({ answer: 'rejected' });
    expect((await deployment.result()).status).toBe('rejected');
  });

  test('before the plan is there', async () => {
    const lane = await aLane('early');
    const made = Promise.withResolvers<ReturnType<typeof planned>>();
    const deployment = await stage.start(
      { plan: () => made.promise },
      { laneId: lane.id, durations: { heartbeatMs: 20_000 } },
    );
    await deployment.reached('planning');

    await deployment.review();

    expect(await lane.notice()).toContain('no plan is shown at this moment');
    made.resolve(planned());
    expect(await deployment.reached('awaiting-review')).not.toHaveProperty('review');
    await deployment.handle.cancel();
    await deployment.result();
  });

  test('after another answer: the first one wins', async () => {
    const lane = await aLane('second');
    const applied = Promise.withResolvers<unknown>();
    const counts = { added: 0, changed: 0, destroyed: 0, imported: 0 };
    const deployment = await stage.start(
      { apply: () => applied.promise.then(() => ({ kind: 'applied', counts })) },
      { laneId: lane.id, durations: { heartbeatMs: 20_000 } },
    );
    await deployment.reached('awaiting-review');
    await deployment.review({ requestId: 'once' });

    // The same press, delivered again, is no other answer.
    await deployment.review({ requestId: 'once' });
    await deployment.review({ answer: 'rejected', by: 'linus' });

    expect(await lane.notice()).toContain('@linus pressed Reject');
    applied.resolve('go');
    expect(await deployment.result()).toMatchObject({
      status: 'succeeded',
      review: { answer: 'approved', by: 'grace' },
    });
  });
});

describe('what came of a press is audited', () => {
  test('as accepted for the answer that counts, as refused for every other', async () => {
    const lane = await aLane('audited');
    const deployment = await stage.start({}, { laneId: lane.id, pullRequest: 7 });
    await deployment.reached('awaiting-review');

    await deployment.review({ requestId: 'delivery-1:network', digest: OTHER_DIGEST, by: 'linus' });
    await deployment.review({ requestId: 'delivery-2:network', answer: 'rejected' });
    await deployment.review({ requestId: 'delivery-2:network', answer: 'rejected' });
    await deployment.result();
    await deployment.record('one-press-refused-another-taken');

    const about = {
      version: 1,
      repository: 'acme/infra',
      rootName: 'network',
      revision: 'c'.repeat(40),
      deploymentId: deployment.handle.workflowId,
      pullRequest: 7,
      workflowId: deployment.handle.workflowId,
      pressedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(deployment.asked.presses).toEqual([
      {
        ...about,
        id: 'delivery-1:network:REFUSED',
        state: 'REFUSED',
        action: 'confirm',
        initiatingUser: 'linus',
        sentence: '@linus pressed Confirm: that was for another plan. Review the plan shown here.',
      },
      {
        ...about,
        id: 'delivery-2:network:REVIEWED',
        state: 'REVIEWED',
        action: 'reject',
        initiatingUser: 'grace',
      },
    ]);
  });

  test('before the deployment ends, although the audit trail was away and it was cancelled', async () => {
    const lane = await aLane('audited-late');
    let failures = 2;
    const auditPress = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('the topic is away');
    };
    const deployment = await stage.start({ auditPress }, { laneId: lane.id });
    await deployment.reached('awaiting-review');

    await deployment.review({ digest: OTHER_DIGEST });
    await deployment.handle.cancel();
    await deployment.result();
    await deployment.record('press-audited-late');

    expect(deployment.asked.presses).toMatchObject([{ state: 'REFUSED' }]);
  });
});

test('an approved deployment takes a history of at most 40 events', async () => {
  const lane = await aLane('history');
  const deployment = await stage.start({}, { laneId: lane.id });
  await deployment.reached('awaiting-review');
  await deployment.review({ digest: DIGEST });
  await deployment.result();

  const { events } = await environment.client.workflow.getHandle(deployment.handle.workflowId).fetchHistory();

  expect(events?.length).toBeLessThanOrEqual(40);
});

/** A lane that takes signals and does nothing: no worker runs it. */
async function aLane(id: string) {
  const handle = await environment.client.workflow.start('lane', { workflowId: id, taskQueue: 'nobody' });
  return {
    id,
    /** The sentence of the first notice, once there is one. */
    async notice(): Promise<string> {
      const deadline = Date.now() + 20_000;
      for (;;) {
        const { events } = await handle.fetchHistory();
        const notice = events
          ?.map((event) => event.workflowExecutionSignaledEventAttributes)
          .find((signal) => signal?.signalName === MESSAGE.notice);
        const payload = notice?.input?.payloads?.[0];
        if (payload) return defaultPayloadConverter.fromPayload<{ sentence: string }>(payload).sentence;
        if (Date.now() > deadline) throw new Error('expected a notice to reach the lane, none did');
      }
    },
  };
}
