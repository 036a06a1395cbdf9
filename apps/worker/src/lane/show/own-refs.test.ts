/** The numbers of check runs come through Temporal: anybody may have named those of something else. */
import { beforeEach, expect, test } from '@jest/globals';
import type { CheckRunRef, Deployment } from '@nereid/domain/deployment';
import { aDeployment } from '@nereid/domain/testing';
import { githubPages } from '@nereid/github-pages';
import { pino } from 'pino';
import type { WorkerContext } from '../../platform/context.ts';
import { beginContext } from '../../gates/testing/begin-context.ts';
import { createCheckRunWrites, type CheckRunWrites } from '../../platform/memory/check-run-writes.ts';
import { showCheckRuns } from './show-check-runs.ts';
import { publishToNobody } from '../../testing/publish-to.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const OWN: CheckRunRef = { id: 7, completed: false };
/** The required check of somebody's pull request. */
const FOREIGN: CheckRunRef = { id: 99, completed: true };
const deployment = aDeployment({ status: 'planning' });

/** Where each look on GitHub went. */
let looks: unknown[];
let written: (readonly CheckRunRef[])[];
let writes: CheckRunWrites;

beforeEach(() => {
  looks = [];
  written = [];
  writes = createCheckRunWrites();
});

const aContext = () =>
  ({
    forge: {
      pages: githubPages('https://github.example'),
      status: {
        find: (_repository: unknown, ...asked: readonly unknown[]) => {
          looks.push(asked);
          return Promise.resolve([OWN]);
        },
        present: (_repository: unknown, refs: readonly CheckRunRef[]) => {
          written.push(refs);
          return Promise.resolve([OWN]);
        },
      },
    },
    checkRunWrites: writes,
    publish: publishToNobody,
    server: beginContext().server,
    config: {
      links: { consoleUrl: 'https://console.example' },
      temporal: { namespace: 'default' },
    },
    logger: pino({ level: 'silent' }),
  }) as unknown as WorkerContext; // What it asks for.

const show = (checkRuns: readonly CheckRunRef[], one: Deployment = deployment) =>
  showCheckRuns(aContext(), REPOSITORY, [{ deployment: { ...one, checkRuns } }], {
    startToCloseMs: 60_000,
    signal: new AbortController().signal,
  });

test('a deployment writes to check runs that are its own on GitHub, and to no others', async () => {
  await show([FOREIGN, OWN]);

  expect(written).toEqual([[OWN]]);
  expect(looks).toEqual([[deployment.revision.sha, 'nereid/deploy: network', deployment.id]]);
});

test('what a worker has written or looked for once is not looked for again, however late it comes', async () => {
  await show([]);
  await show([OWN]);
  await show([OWN]);

  expect(written).toEqual([[], [OWN], [OWN]]);
  expect(looks).toEqual([]);
});

test('what belongs to one deployment is not that of another one', async () => {
  await show([OWN]);
  looks = [];

  await show([OWN], { ...deployment, id: 'another' });

  expect(looks).toHaveLength(1);
});
