import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { aJob, aRoot, fixture, stepsWithLocalState, testdir } from '../../fixtures/fixture.ts';
import { planRoot } from '../plan/plan-root.ts';

test.each([
  ['of its own kind', {}, '400', 'as usual'],
  ['of the root', { GOGC: '50' }, '50', '50'],
])('a command that starts no provider lets garbage grow, by a setting %s', async (_whose, env, ofInit, usual) => {
  await using folder = await testdir({ 'tree/main.tf': '' });
  const root = aRoot({ steps: stepsWithLocalState(folder.path) });
  const { options } = aJob(folder.path, fixture('terraform-tells-collections'), { root });

  expect(await planRoot({ ...options, env: { ...options.env, ...env } })).toMatchObject({ kind: 'planned' });

  const told = await readFile(join(folder.path, 'tree/collections'), 'utf8');
  expect(told.trim().split('\n')).toEqual([`init: ${ofInit}`, `plan: ${usual}`, `show: ${usual}`]);
});
