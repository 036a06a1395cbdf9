/** What is in the memory of every worker's workflows. */
import { expect, test } from '@jest/globals';
import { bundleOfThisRun } from '@nereid/test-kit/test-run';
import { readFile } from 'node:fs/promises';

test('workflows bring the rules of lanes along, and neither schemas nor a schema library', async () => {
  const bundle = await readFile(bundleOfThisRun(), 'utf8');

  expect(bundle).toMatch(/packages\/domain\/src\/lane\/rules\//);
  expect(bundle).not.toMatch(/node_modules\/zod\/|packages\/domain\/src\/([\w-]+\/(api|record)|fields)\.ts/);
});
