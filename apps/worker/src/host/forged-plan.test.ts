/** Code of a root runs while its plan is shown: `terraform show` starts its providers. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestHosts, type TestHosts } from './testing/test-hosts.ts';

const FILES = { 'main.tf': 'terraform {\n  backend "local" {}\n}\nresource "terraform_data" "a" {}\n' };

let hosts: TestHosts;

beforeEach(async () => {
  hosts = await startTestHosts();
});

afterEach(() => hosts.close());

test('what people and policies see of a plan cannot be written by what Terraform starts to show it', async () => {
  const job = await hosts.deploy(FILES);
  const programs = join(import.meta.dirname, 'fixtures', 'forging-provider');

  const planned = await hosts.openHost({ programs }).plan(job);

  expect(planned).toMatchObject({ kind: 'planned', hasChanges: true, summary: { create: 1 } });
  const text = await hosts.planText(job, planned);
  expect(text).toContain('# terraform_data.a will be created');
  expect(text).not.toContain('Nothing to see here');
});
