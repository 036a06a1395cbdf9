/** Real histories of a dev server: of workflows that are open, begun by the product's code and by made-up builds. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { bundleWorkflows } from '@nereid/test-kit/bundle-workflows';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import type { WorkflowHandle } from '@temporalio/client';
import { replayOpen } from './replay-open.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const FIRST = fileURLToPath(new URL('testing/first-build.ts', import.meta.url));
const SECOND = fileURLToPath(new URL('testing/second-build.ts', import.meta.url));

/** Nobody answers it. */
const QUESTION = {
  kind: 'askAccess',
  about: { version: 1, login: 'ada', repositories: [{ owner: 'acme', name: 'infra' }], nonce: 'n' },
};

interface Ended {
  readonly exitCode: number;
  readonly lines: readonly string[];
  readonly notes: string;
}

let environment: WorkflowEnvironment;
const folder = folderOfThisFile();
let first: string;
let second: string;

beforeAll(async () => {
  environment = await createWorkflowEnvironment({ isReplayed: false });
  [first, second] = [await bundle(FIRST), await bundle(SECOND)];
});

afterAll(() => environment.close());

describe('before anything was deployed', () => {
  test('nothing would break', async () => {
    expect(await replay()).toMatchObject({
      exitCode: 0,
      lines: ['0 open workflows replayed: 0 would break, 0 could not be fetched'],
    });
  });
});

describe('the open workflows of an installation', () => {
  let byFirst: WorkflowHandle;
  let bySecond: WorkflowHandle;

  beforeAll(async () => {
    await asBuild(environment.bundle, async () => begun(await start(WORKFLOW.ask, 'ours', QUESTION)));
    byFirst = await asBuild(first, async () => begun(await start(WORKFLOW.deploy, 'of-first')));
    await start(WORKFLOW.deploy, 'not-begun');
  });

  test('that the code of this build would break are listed, with the event where it differs', async () => {
    const { exitCode, lines } = await replay();

    const { runId } = await byFirst.describe();
    expect(exitCode).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^would break: of-first \\(deploy, run ${runId}\\) at event `)),
      '3 open workflows replayed: 1 would break, 0 could not be fetched',
    ]);
  });

  test('that another build keeps as they are are no news: --with takes its bundle, or a folder with its image', async () => {
    const image = path.join(folder, 'image/app/dist');
    await mkdir(image, { recursive: true });
    await writeFile(path.join(image, 'workflows.js'), '');

    const [file, inFolder] = [await replay('--with', second), await replay('--with', path.join(folder, 'image'))];

    expect(file.lines).not.toContainEqual(expect.stringContaining('of-first'));
    expect(inFolder.exitCode).toBe(1);
  });

  test('that went past a step of a newer build cannot go back: the older one lists them', async () => {
    bySecond = await asBuild(second, async () => begun(await start(WORKFLOW.deploy, 'of-second')));

    const { exitCode, lines } = await replay('--with', first);

    const { runId } = await bySecond.describe();
    expect(exitCode).toBe(1);
    expect(lines.filter((line) => line.includes('of-'))).toEqual([
      `would break: of-second (deploy, run ${runId}) at event 5, MarkerRecorded: it took the step one-more-step of another release, which this code lacks`,
    ]);
  });

  test('that time does not suffice for are not taken for sound', async () => {
    const { client } = environment;
    const given = { client, dataConverter: {}, workflowBundle: { codePath: second }, report: () => undefined };

    expect(await replayOpen({ ...given, withinMs: -1 })).toEqual({
      count: 0,
      broken: [],
      unread: [],
      isCutShort: true,
    });
  });
});

test.each(['0s', '10', 'soon'])('a time like %s is wrong usage', async (within) => {
  expect(await replay('--within', within)).toMatchObject({ exitCode: 2, lines: [] });
});

test('a bundle that is not there is wrong usage', async () => {
  expect(await replay('--with', path.join(folder, 'nowhere'))).toEqual({
    exitCode: 2,
    lines: [],
    notes: expect.stringMatching(/^expected a workflow bundle, or a folder with .*, found none at .*nowhere$/),
  });
});

function start(type: string, workflowId: string, input: object = {}): Promise<WorkflowHandle> {
  return environment.client.workflow.start(type, { workflowId, taskQueue: CONTROL_QUEUE, args: [input] });
}

async function asBuild<T>(codePath: string, act: () => Promise<T>): Promise<T> {
  const worker = await environment.createWorker({ taskQueue: CONTROL_QUEUE, workflowBundle: { codePath } });
  return worker.runUntil(act);
}

/** Returns once it waits. */
async function begun(handle: WorkflowHandle): Promise<WorkflowHandle> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { events } = await handle.fetchHistory();
    if (events?.some(({ workflowTaskCompletedEventAttributes: completed }) => completed) === true) return handle;
    if (Date.now() > deadline) throw new Error(`waited in vain for the first task of ${handle.workflowId}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function bundle(source: string): Promise<string> {
  const file = path.join(folder, `${path.basename(source, '.ts')}.js`);
  await writeFile(file, await bundleWorkflows(source));
  return file;
}

/** Runs the program as an image does. */
function replay(...args: readonly string[]): Promise<Ended> {
  const { address, namespace, bundle: built } = environment;
  const variables = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  return new Promise((resolve) => {
    const argv = ['--disable-warning=ExperimentalWarning', MAIN, '--workflows', built, ...args];
    execFile(process.execPath, argv, { env: { ...process.env, ...variables } }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : Number(error.code);
      resolve({ exitCode, lines: stdout.split('\n').filter((line) => line !== ''), notes: stderr.trim() });
    });
  });
}
