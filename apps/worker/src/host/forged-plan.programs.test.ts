/** Code of a root runs while its plan is made, and while it is shown: `terraform show` starts its providers. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { poolOf, type Step } from '@nereid/domain/root';
import { testSignatures, withOrder } from '../testing/test-signatures.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';

const FILES = { 'main.tf': 'terraform {\n  backend "local" {}\n}\nresource "terraform_data" "a" {}\n' };

const hosts = hostsOfEachTest();

test('what people and policies see of a plan cannot be written by what Terraform starts to show it', async () => {
  const job = await hosts.deploy(FILES);
  const programs = join(import.meta.dirname, 'fixtures', 'forging-provider');

  const planned = await hosts.openHost({ programs }).plan(job);

  expect(planned).toMatchObject({ kind: 'planned', plan: { body: { hasChanges: true, summary: { create: 1 } } } });
  const text = await hosts.planText(job, planned);
  expect(text).toContain('# terraform_data.a will be created');
  expect(text).not.toContain('Nothing to see here');
});

test('what Terraform starts to show a plan changes nothing of the tree, which is kept meanwhile', async () => {
  const job = await hosts.deploy(FILES);
  const programs = join(import.meta.dirname, 'fixtures', 'writing-provider');

  expect(await hosts.openHost({ programs }).plan(job)).toMatchObject({
    kind: 'planned',
    plan: { body: { hasChanges: true } },
  });

  expect(await readdir(hosts.treeOf(job))).not.toContain('made-while-shown');
  expect(await readFile(join(hosts.treeOf(job), 'main.tf'), 'utf8')).toBe(FILES['main.tf']);
});

test.each([
  [
    'a zip without a table of contents',
    String.raw`'PK\003\004\024\0\0\0\115\0\0\0\0\0\0\0\0\0\001\0\0\0\001\0\0\0\007\0\0\0tfstatexxxx'`,
  ],
  ['nothing', "''"],
  ['words', "'{}'"],
])('a plan in whose place code of the root puts %s has failed, and its host has not', async (_what, content) => {
  const job = await hosts.deploy(FILES);
  const forge: Step = { kind: 'run', run: `printf ${content} > "$PLANFILE"` };
  const { steps } = job.root;
  const root = { ...job.root, steps: { ...steps, plan: [...steps.plan, forge] } };

  const planned = await hosts.openHost().plan(await withOrder({ ...job, root }));

  expect(planned).toMatchObject({ kind: 'failed', failure: { signature: expect.any(String) } });
});

test('what Terraform warns of is signed with the plan, and shows no secret of the host', async () => {
  const main = `${FILES['main.tf']}locals { one = 1 }\ncheck "sane" {\n  assert {\n    condition = local.one == 2\n    error_message = "no hunter22 here"\n  }\n}\n`;
  const job = await hosts.deploy({ 'main.tf': main, 'x.auto.tfvars': 'replcias = 3' });

  const planned = await hosts.openHost({ environment: { TF_VAR_pass: 'hunter22' } }).plan(job);

  if (planned.kind !== 'planned') throw new Error(`expected a plan, found ${JSON.stringify(planned)}`);
  expect(planned.plan.body.warnings?.texts).toEqual([
    'check.sane failed: no *** here',
    expect.stringContaining('variable named "replcias"'),
  ]);
  const about = { pool: poolOf(job.root), deploymentId: job.deploymentId, order: job.order.signature };
  await testSignatures.open('result/plan', planned.plan, about);
});
