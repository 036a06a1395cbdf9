/** A hundred pull requests that are pushed at once: people wait for the plan of a merge, and nobody for these. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MESSAGE, type Progress } from '@nereid/contracts';
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
  const beforePlan = `echo "$REPO_REL_DIR $(date +%s%3N)" >> ${ledger}; sleep 1`;
  stage = await startStage(process.env, { folder, beforePlan });
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** When plans of the root began, in milliseconds since 1970. */
async function beginnings(rootName: string): Promise<readonly number[]> {
  const text = await readFile(ledger, 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.split(' '));
  return lines.flatMap(([dir, at]) => (dir === rootName ? [Number(at)] : []));
}

async function progressOf(deploymentId: string): Promise<Progress> {
  const connection = await Connection.connect({ address: stage.stack.temporalAddress });
  try {
    return await new Client({ connection }).workflow.getHandle(deploymentId).query<Progress>(MESSAGE.progress);
  } finally {
    await connection.close();
  }
}

test('the plan of a merge goes before all that wait', async () => {
  for (let index = 1; index <= PULL_REQUESTS; index += 1)
    await stage.open({ [`network/change-${index}.tf`]: resource(`change_${index}`) });
  await until('a preview', async () => (await beginnings('network')).length > 0);

  const files = { 'database/merged.tf': resource('merged') };
  const sha = await stage.stack.github.commit({
    ...{ repository: SAMPLE_NAME, branch: 'main', files, message: 'merged', author: 'bob' },
  });

  const { externalId } = await stage.titled('nereid/deploy: database', sha, /^Plan: /);
  const { times } = await progressOf(externalId);
  const [begun = Infinity] = await beginnings('database');
  const ordered = Date.parse(times.preparing ?? times.queued ?? '');
  const previews = await beginnings('network');
  // Meanwhile, some begin in slots where no deployment may run. Behind all of them, it would be a hundred.
  expect(previews.filter((at) => at > ordered && at < begun).length).toBeLessThan(10);
  // There were more to come.
  expect(previews.length).toBeLessThan(PULL_REQUESTS);
});
