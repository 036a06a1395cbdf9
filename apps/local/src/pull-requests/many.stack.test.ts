/** A hundred pull requests that are pushed at once: people wait for the plan of a merge, and nobody for these. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { HostRecord } from '@nereid/domain/host';
import { createHostRecords } from '@nereid/storage';
import { Client, Connection } from '@temporalio/client';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../faults/terrain.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { resource, startStage, type Stage } from './stage.ts';

const PULL_REQUESTS = 100;

let stage: Stage;
let ledger: string;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-many-'));
  const state = path.join(folder, 'state');
  await mkdir(state, { recursive: true });
  ledger = path.join(state, 'planned');
  const note = (what: string) => `echo "$REPO_REL_DIR ${what}" >> ${ledger}`;
  // However long a hundred pull requests take to come, none of their plans is over before.
  const hold = `while [ "$REPO_REL_DIR" = network ]; do sleep 0.2; done`;
  stage = await startStage({ folder, beforePlan: `${note('begins')}; ${hold}; ${note('ends')}` });
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

interface Noted {
  readonly rootName: string;
  readonly what: string;
}

/** What plans noted while each held its slot, in the order in which it happened. */
async function noted(): Promise<readonly Noted[]> {
  const text = await readFile(ledger, 'utf8').catch(() => '');
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => line.split(' ')).map(([rootName = '', what = '']) => ({ rootName, what }));
}

/** How many plans of the root were at work at the same time. */
function mostAtOnce(all: readonly Noted[], rootName: string): number {
  let now = 0;
  return Math.max(
    ...all.filter((one) => one.rootName === rootName).map(({ what }) => (now += what === 'begins' ? 1 : -1)),
  );
}

async function theHost(): Promise<HostRecord> {
  const store = await stage.stack.storage.openObjects('deployments');
  try {
    const [host] = await createHostRecords(store).list(() => undefined);
    if (host === undefined) throw new Error('expected the record of a host, found none');
    return host;
  } finally {
    store.close();
  }
}

/** Why hosts sent the claim of a deployment away. */
async function declines(deploymentId: string): Promise<readonly string[]> {
  const connection = await Connection.connect({ address: stage.stack.temporalAddress });
  try {
    const { events } = await new Client({ connection }).workflow.getHandle(deploymentId).fetchHistory();
    const failures = (events ?? []).map((event) => event.activityTaskStartedEventAttributes?.lastFailure);
    return failures.flatMap((failure) =>
      failure?.applicationFailureInfo?.type === 'HOST_DECLINED' ? [String(failure.message)] : [],
    );
  } finally {
    await connection.close();
  }
}

test('previews take all slots, and the plan of a merge goes before all that wait, into a slot that one gives up', async () => {
  for (let index = 1; index <= PULL_REQUESTS; index += 1)
    await stage.open({ [`network/change-${index}.tf`]: resource(`change_${index}`) });
  const { slots, previews = slots } = await theHost();
  expect(previews.total).toBeLessThan(slots.total);
  await until('more previews than may keep their slots', async () => {
    const now = await noted();
    return now.length > 0 && mostAtOnce(now, 'network') > previews.total;
  });

  const files = { 'database/merged.tf': resource('merged') };
  const sha = await stage.stack.github.commit({
    ...{ repository: SAMPLE_NAME, branch: 'main', files, message: 'merged', author: 'bob' },
  });

  const { externalId } = await stage.titled('nereid/deploy: database', sha, /^Plan: /);
  const all = await noted();
  expect(await declines(externalId)).toEqual([]);
  // There were more to come.
  expect(all.filter(({ rootName, what }) => rootName === 'network' && what === 'begins').length).toBeLessThan(
    PULL_REQUESTS,
  );
});
