import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { aJob, aRoot, realTerraform, stepsWithLocalState, testdir } from '../../fixtures/fixture.ts';
import { applyRoot } from '../apply/apply-root.ts';
import { planRoot } from './plan-root.ts';

const BACKEND = 'terraform {\n  backend "local" {}\n}\n';
const RESOURCES = 'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {}\n';
const terraform = await realTerraform();

/** The plan of code that follows upon other code, which is applied. */
async function planAfter(before: string, after: string) {
  await using folder = await testdir({ 'tree/main.tf': BACKEND + before });
  const jobNamed = (name: string) =>
    aJob(folder.path, terraform, {
      root: aRoot({ steps: stepsWithLocalState(folder.path) }),
      folder: path.join(folder.path, name),
    }).options;
  const made = await planRoot(jobNamed('first'));
  if (made.kind !== 'planned') throw new Error(JSON.stringify(made));
  expect(await applyRoot({ ...jobNamed('first'), digest: made.digest, envValues: {} })).toMatchObject({
    kind: 'applied',
  });
  await writeFile(path.join(folder.path, 'tree/main.tf'), BACKEND + after);
  return await planRoot(jobNamed('second'));
}

test('a directory that has nothing but the backend of a root says why it would destroy everything', async () => {
  expect(await planAfter(RESOURCES, '')).toMatchObject({
    kind: 'planned',
    summary: { delete: 2 },
    doubt:
      'the code of this root declares no resources and no modules, so this plan destroys what its state holds. If its files are ' +
      'for another directory, such as a backend.tf that a script copies, reject it, and name this directory in ' +
      'autodiscover.ignore of nereid.yaml',
  });
});

test('a plan that destroys nothing, or leaves something declared, says nothing of it', async () => {
  expect(await planAfter('', '')).not.toHaveProperty('doubt');
  expect(await planAfter(RESOURCES, 'resource "terraform_data" "b" {}\n')).not.toHaveProperty('doubt');
});
