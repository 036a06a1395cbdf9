import { beforeEach, expect, test } from '@jest/globals';
import type { CheckRunRef, DeploymentRecord } from '@nereid/domain/deployment';
import type { Ending } from '@nereid/domain/deployment-actor';
import { auditEvent } from '@nereid/domain/trail';
import { ForgeRefusedError, ForgeUnavailableError } from '@nereid/forge';
import { githubPages } from '@nereid/github-pages';
import { deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { pino } from 'pino';
import type { WorkerContext } from '../platform/context.ts';
import { testSignatures } from '../testing/test-signatures.ts';
import { createCheckRunWrites } from '../platform/memory/check-run-writes.ts';
import { endDeployment } from './end-deployment.ts';
import { publishTo } from '../testing/publish-to.ts';

const JOB = { id: 'a-job', startedAt: '2026-01-31T14:00:00.000Z' };
const deployment = { ...deploymentAt(3), progress: { ...progressAs('succeeded'), jobs: { apply: JOB } } };
const ENDING: Ending = {
  record: { version: 1, repository: REPOSITORY, deployment, endedAt: '2026-01-31T14:00:00.000Z' },
  audits: [auditEvent(REPOSITORY, deployment, JOB, 'SUCCESS')],
  deletesPlan: false,
  show: {},
};
const WRITTEN: readonly CheckRunRef[] = [{ id: 7, completed: true }];

let done: string[];
let failures: Record<string, Error>;
let slow: string | undefined;
let records: DeploymentRecord[];
let creationUncertain: boolean | undefined;

beforeEach(() => {
  done = [];
  failures = {};
  slow = undefined;
  records = [];
  creationUncertain = undefined;
});

async function step<T>(what: string, answer: T): Promise<T> {
  if (slow === what) return new Promise(() => undefined);
  const failure = failures[what];
  if (failure !== undefined) throw failure;
  done.push(what);
  return answer;
}

/** All that it asks; what was written before is nobody's. */
const aContext = () =>
  ({
    temporal: {
      withDeadline: (_deadline: number, act: () => Promise<unknown>) => act(),
      workflow: { signalWithStart: () => step('lane', undefined) },
    },
    forge: {
      pages: githubPages('https://github.example'),
      status: {
        present: (
          _repository: unknown,
          _known: unknown,
          _content: unknown,
          options: { readonly creationUncertain: boolean },
        ) => {
          ({ creationUncertain } = options);
          return step('GitHub', WRITTEN);
        },
      },
    },
    signatures: testSignatures,
    begunApplies: { of: () => ({ read: () => Promise.resolve(undefined) }) },
    checkRunWrites: createCheckRunWrites(),
    publish: publishTo(() => step('audit trail', undefined)),
    deploymentRecords: {
      write: (record: DeploymentRecord) => {
        records.push(record);
        return step('record', record);
      },
    },
    rootPlaces: { add: () => Promise.resolve() },
    server: { current: () => ({ commentNames: ['nereid'] }) },
    config: {
      links: { consoleUrl: 'https://console.example' },
      temporal: { namespace: 'default' },
    },
    logger: pino({ level: 'silent' }),
  }) as unknown as WorkerContext;

const end = (ending = ENDING, number = 1, startToCloseMs = 60_000) =>
  endDeployment(aContext(), ending, { number, startToCloseMs, signal: new AbortController().signal });

test('its lane is told before GitHub, and both before storage, which keeps all check runs', async () => {
  expect(await end()).toEqual({
    shown: { kind: 'shown', deploymentId: deployment.id, checkRuns: WRITTEN },
    isStored: true,
  });
  expect(done).toEqual(['lane', 'GitHub', 'audit trail', 'record']);
  expect(records[0]?.deployment.checkRuns).toEqual(WRITTEN);
});

test('a lane that cannot be told is told again, before anybody else', async () => {
  failures = { lane: new Error('Temporal is away') };

  await expect(end()).rejects.toThrow('Temporal is away');
  expect(done).toEqual([]);
});

test('what another attempt created is looked for', async () => {
  await end(ENDING, 2);

  expect(creationUncertain).toBe(true);
});

test('while GitHub does not take it, nothing is stored: the record would lack a check run', async () => {
  failures = { GitHub: new ForgeUnavailableError('the forge is away', { status: 502 }) };

  expect(await end()).toEqual({ isStored: false });
  expect(done).toEqual(['lane']);
});

test('what GitHub will never take is stored with the check runs that there are', async () => {
  failures = { GitHub: new ForgeRefusedError('a field is too long', { status: 422 }) };

  expect(await end()).toMatchObject({ shown: { kind: 'refused' }, isStored: true });
  expect(records[0]?.deployment.checkRuns).toEqual(deployment.checkRuns);
});

test.each(['audit trail', 'record'])('a %s that is away is left to the workflow', async (what) => {
  failures = { [what]: new Error('it is away') };

  expect(await end()).toMatchObject({ shown: { kind: 'shown' }, isStored: false });
});

test('storage that does not answer is left to the workflow, and GitHub is not told again', async () => {
  slow = 'record';

  expect(await end(ENDING, 1, 800)).toMatchObject({ shown: { kind: 'shown' }, isStored: false });
});

test('where GitHub is being told something else, the lane alone is told', async () => {
  const { show: _later, ...ending } = ENDING;

  expect(await end(ending)).toEqual({ isStored: false });
  expect(done).toEqual(['lane']);
});
