import { expect, test } from '@jest/globals';
import type { DeploymentRecord } from '@nereid/domain/deployment';
import { deploymentAt, NOW, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { createDeploymentRecords, openObjectStore } from '@nereid/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countedEnds } from './counted-ends.ts';

const anEnd = (status: 'succeeded' | 'apply-outcome-unknown'): DeploymentRecord => ({
  version: 1,
  repository: REPOSITORY,
  deployment: deploymentAt(1, { progress: progressAs(status) }),
  endedAt: NOW,
});

test('an end is counted once, however often it is stored', async () => {
  await using folder = await aFolder();
  const counted: DeploymentRecord[] = [];
  const records = countedEnds(createDeploymentRecords(await openObjectStore(`file:${folder.path}`)), (record) =>
    counted.push(record),
  );

  await records.write(anEnd('succeeded'));
  await records.write(anEnd('succeeded'));
  await records.write(anEnd('apply-outcome-unknown'));

  expect(counted).toEqual([anEnd('succeeded')]);
});

async function aFolder() {
  const path = await mkdtemp(join(tmpdir(), 'nereid-ends-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
