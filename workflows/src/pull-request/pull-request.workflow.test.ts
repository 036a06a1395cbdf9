import { expect, test } from '@jest/globals';
import {
  pullRequestWorkflowId,
  type Looked,
  type PullRequestActivities,
  type PullRequestInput,
  type PullRequestNews,
} from '@nereid/domain/pull-request';
import { CONTROL_QUEUE, LOOK_QUEUE, MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import { ApplicationFailure } from '@temporalio/common';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };

/** Longer than any test. */
const NEVER_MS = 3_600_000;

const environment = environmentOfThisFile();
let number = 0;

/** Notes what was asked, in order. */
function activities(looks: () => Promise<void> = async () => Promise.resolve(), found: Partial<Looked> = {}) {
  const asked: string[] = [];
  const made: PullRequestActivities = {
    async syncPullRequest(_repository, _number, deployed) {
      asked.push(['look', ...deployed].join(' '));
      await looks();
      return { sentence: 'abc1234: 2 roots are planned', isOpen: true, underWay: [], ...found };
    },
    async showPullRequest() {
      asked.push('show');
      return Promise.resolve();
    },
  };
  return { asked, made };
}

/** Until this is over. */
async function whileWorking(made: PullRequestActivities, isSo: () => Promise<void>): Promise<void> {
  const aWorker = (taskQueue: string) => environment.createWorker({ taskQueue, activities: made });
  const [control, looks] = await Promise.all([aWorker(CONTROL_QUEUE), aWorker(LOOK_QUEUE)]);
  await looks.runUntil(() => control.runUntil(isSo));
}

function start(first: PullRequestNews, times: Pick<PullRequestInput, 'idleMs' | 'deployedEveryMs' | 'othersMs'> = {}) {
  number += 1;
  const input: PullRequestInput = { repository: REPOSITORY, number, idleMs: 300, ...times };
  return environment.client.workflow.signalWithStart(WORKFLOW.pullRequest, {
    workflowId: pullRequestWorkflowId(REPOSITORY, { number }),
    taskQueue: CONTROL_QUEUE,
    args: [input],
    signal: MESSAGE.look,
    signalArgs: [first],
  });
}

test('it looks, shows, shows again when a preview ends, and ends when there is no more news', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { asked, made } = activities();
  const showPullRequest: PullRequestActivities['showPullRequest'] = async (...shown) => {
    await made.showPullRequest(...shown);
    await promise;
  };
  await whileWorking({ ...made, showPullRequest }, async () => {
    const handle = await start({ version: 1 });
    await until(() => asked.length === 2);
    await handle.signal(MESSAGE.previewEnded, { version: 1 });
    resolve(undefined);
    await handle.result();
  });

  expect(asked).toEqual(['look', 'show', 'show']);
  await environment.record('planned', pullRequestWorkflowId(REPOSITORY, { number }));
});

test('the previews of one look are shown together, when the last of them has ended', async () => {
  const { asked, made } = activities(undefined, { underWay: ['a', 'b'] });
  await whileWorking(made, async () => {
    const handle = await start({ version: 1 }, { idleMs: NEVER_MS, othersMs: NEVER_MS });
    await until(() => asked.length === 2);
    await handle.signal(MESSAGE.previewEnded, { version: 1, deploymentId: 'a' });
    // Answered once the signal was taken.
    await handle.query('__stack_trace');
    await handle.signal(MESSAGE.previewEnded, { version: 1, deploymentId: 'b' });
    await until(() => asked.length === 3);
    await handle.signal(MESSAGE.look, { version: 1 });
    await until(() => asked.length === 5);
    await environment.record('planned-together', handle.workflowId);
    await handle.terminate();
  });

  expect(asked).toEqual(['look', 'show', 'show', 'look', 'show']);
});

test('a slow preview does not hide the others', async () => {
  const { asked, made } = activities(undefined, { underWay: ['a', 'slow'] });
  await whileWorking(made, async () => {
    const handle = await start({ version: 1 }, { idleMs: NEVER_MS, othersMs: 100 });
    await until(() => asked.length === 2);
    await handle.signal(MESSAGE.previewEnded, { version: 1, deploymentId: 'a' });
    await until(() => asked.length === 3);
    await environment.record('waits-for-a-slow-preview', handle.workflowId);
    await handle.terminate();
  });

  expect(asked).toEqual(['look', 'show', 'show']);
});

test('one that is closed keeps what it shows', async () => {
  const { asked, made } = activities(undefined, { isOpen: false });
  await whileWorking(made, async () => {
    const handle = await start({ version: 1 });
    await handle.result();
  });

  expect(asked).toEqual(['look']);
});

test('news that comes while it looks is looked at once more, however much it is', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { asked, made } = activities(() => promise);
  await whileWorking(made, async () => {
    const handle = await start({ version: 1 });
    await until(() => asked.length === 1);
    for (let n = 0; n < 20; n += 1) await handle.signal(MESSAGE.look, { version: 1 });
    resolve(undefined);
    await handle.result();
  });

  expect(asked).toEqual(['look', 'look', 'show']);
});

test('deployments of a busy root wait for the next look, and are looked at together', async () => {
  const { asked, made } = activities();
  await whileWorking(made, async () => {
    const times = { idleMs: NEVER_MS, deployedEveryMs: NEVER_MS };
    const handle = await start({ version: 1, deployed: 'network' }, times);
    await until(() => asked.length === 2);
    await handle.signal(MESSAGE.look, { version: 1, deployed: 'network' });
    await handle.signal(MESSAGE.look, { version: 1, deployed: 'dns' });
    // Shown without a look, after both have come.
    await handle.signal(MESSAGE.previewEnded, { version: 1 });
    await until(() => asked.length === 3);
    await handle.signal(MESSAGE.look, { version: 1 });
    await until(() => asked.length === 5);
    await handle.terminate();
  });

  expect(asked).toEqual(['look network', 'show', 'show', 'look network dns', 'show']);
});

test('a root that is deployed again is looked at a while after the last look, without other news', async () => {
  const { asked, made } = activities();
  await whileWorking(made, async () => {
    const handle = await start({ version: 1, deployed: 'network' }, { idleMs: NEVER_MS, deployedEveryMs: 100 });
    await until(() => asked.length === 2);
    await handle.signal(MESSAGE.look, { version: 1, deployed: 'network' });
    await until(() => asked.length === 4);
    await handle.terminate();
  });

  expect(asked).toEqual(['look network', 'show', 'look network', 'show']);
});

test('while it waits to look again it shows the previews that end', async () => {
  const { asked, made } = activities(() =>
    Promise.reject(ApplicationFailure.nonRetryable('GitHub refuses', 'REFUSED')),
  );
  await whileWorking(made, async () => {
    const handle = await start({ version: 1 });
    await until(() => asked.length === 2);
    await handle.signal(MESSAGE.previewEnded, { version: 1 });
    await until(() => asked.length === 3);
    await handle.terminate();
  });

  expect(asked).toEqual(['look', 'show', 'show']);
});

test('while GitHub is away it goes on trying', async () => {
  let attempts = 0;
  const { asked, made } = activities(async () => {
    attempts += 1;
    if (attempts === 1) throw ApplicationFailure.retryable('GitHub is away', 'FORGE_UNAVAILABLE');
    return Promise.resolve();
  });
  await whileWorking(made, async () => {
    const handle = await start({ version: 1 });
    await handle.result();
  });

  expect(asked).toEqual(['look', 'look', 'show']);
});

test('what cannot be looked at for good is tried again when there is news', async () => {
  let attempts = 0;
  const { asked, made } = activities(async () => {
    attempts += 1;
    if (attempts === 1) throw ApplicationFailure.nonRetryable('GitHub refuses', 'FORGE_REFUSED');
    return Promise.resolve();
  });
  await whileWorking(made, async () => {
    const handle = await start({ version: 1 });
    await until(() => asked.length === 2);
    await handle.signal(MESSAGE.look, { version: 1 });
    await handle.result();
  });

  expect(asked).toEqual(['look', 'show', 'look', 'show']);
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(20);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
