import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { testdir } from '../../fixtures/fixture.ts';
import { readPlan } from './read-plan.ts';

const MIB = 1024 * 1024;
const UNSTOPPED = new AbortController().signal;
const AS_PRINTED = '{"format_version":"1.2","resource_changes":[{"address":"a.b","change":{"actions":["no-op"]}}]}\n';

test('a plan of 300 MiB is not read, and says what to do', async () => {
  await using folder = await testdir({ 'plan.json': '{}' });
  const file = path.join(folder.path, 'plan.json');
  await truncate(file, 300 * MIB);

  const why = 'expected at most 64 MiB of JSON, found 300 MiB; split the root';
  expect(await readPlan(file, UNSTOPPED)).toEqual({ kind: 'unreadable', why });
});

test('a plan of 60 MiB is read within the memory of its thread', async () => {
  await using folder = await testdir();
  const file = path.join(folder.path, 'plan.json');
  const change = {
    actions: ['create'],
    before: null,
    after: { tags: { Name: 'n' }, list: [1, 2, 3], text: 'é'.repeat(200) },
  };
  const resource = JSON.stringify({ address: 'terraform_data.a', change });
  const count = Math.floor((60 * MIB) / (Buffer.byteLength(resource) + 1));
  const resources = Array.from({ length: count }, () => resource).join();
  await writeFile(file, `{"format_version":"1.2","resource_changes":[${resources}]}`);

  expect(await readPlan(file, UNSTOPPED)).toMatchObject({
    kind: 'read',
    summary: { create: count, omitted: count - 200 },
  });
});

test('a job that is stopped while its plan is read ends the thread', async () => {
  await using folder = await testdir({ 'plan.json': `${' '.repeat(MIB)}{}` });
  const controller = new AbortController();
  const reason = new Error('the time is over');

  const reading = readPlan(path.join(folder.path, 'plan.json'), controller.signal);
  setImmediate(() => {
    controller.abort(reason);
  });

  await expect(reading).rejects.toBe(reason);
});

test.each([
  ['before', `{}\n${AS_PRINTED}`],
  ['behind', `${AS_PRINTED}{ "format_version": "1.2" }\n`],
  ['within', AS_PRINTED.replace('[', '[\n{}\n')],
])('a plan with something more %s what Terraform printed is not read', async (_where, text) => {
  await using folder = await testdir({ 'plan.json': text });

  const why = 'expected JSON, found something else';
  expect(await readPlan(path.join(folder.path, 'plan.json'), UNSTOPPED)).toEqual({ kind: 'unreadable', why });
});
