import { expect, test } from '@jest/globals';
import type { PlanOutcome } from '@nereid/domain/deployment';
import { DEFAULT_POOL, type Step } from '@nereid/domain/root';
import { testSignatures } from '../testing/test-signatures.ts';
import { hostsOfEachTest } from './testing/test-hosts.ts';
import { applyOf } from './testing/test-jobs.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const FILES = { 'main.tf': `${LOCAL}resource "terraform_data" "a" { input = "new" }\n` };

const hosts = hostsOfEachTest();

function planned(plan: PlanOutcome) {
  if (plan.kind !== 'planned') throw new Error(`expected a plan, found ${JSON.stringify(plan)}`);
  return plan.plan;
}

test('the text of a plan is stored beside its log, and the host signs its digest', async () => {
  const job = await hosts.deploy(FILES);

  const outcome = await hosts.openHost().plan(job);

  expect(await hosts.planText(job, outcome)).toContain('  + resource "terraform_data" "a" {\n      + id     = (known');
  const { body, signature } = planned(outcome);
  const about = { pool: DEFAULT_POOL, deploymentId: job.deploymentId, order: job.order.signature };
  await testSignatures.open('result/plan', { body, signature }, about);
  const another = { body: { ...body, textDigest: 'b2'.repeat(32) }, signature };
  await expect(testSignatures.open('result/plan', another, about)).rejects.toMatchObject({ code: 'FORGED' });
});

test('a plan without changes has no text', async () => {
  const job = await hosts.deploy({ 'main.tf': LOCAL });

  const { body } = planned(await hosts.openHost().plan(job));

  expect(body.hasChanges).toBe(false);
  expect(body).not.toHaveProperty('textDigest');
});

test('neither a secret of the worker nor one of an env step is read in the text of a plan', async () => {
  const made: Step = { kind: 'env', name: 'TF_VAR_made', run: 'echo made-by-a-step' };
  const variables = 'variable "made" {}\nvariable "given" {}\n';
  const input = 'input = [var.made, "-${var.made}-", var.given, jsonencode({ key = var.given })]';
  const files = { 'main.tf': `${LOCAL}${variables}resource "terraform_data" "a" {\n  ${input}\n}\n` };
  const job = await hosts.deploy(files, { plan: [made] });
  const environment = { TF_VAR_given: 'S3cr3t/with"quotes' };

  const text = await hosts.planText(job, await hosts.openHost({ environment }).plan(job));

  expect(text).toContain('"***",');
  expect(text).toContain('"-***-",');
  expect(text).not.toMatch(/made-by|S3cr3t|quotes/);
});

test('a plan is good whose text cannot be stored', async () => {
  const job = await hosts.deploy(FILES);
  hosts.losePlanTexts();
  const host = hosts.openHost();

  const plan = await host.plan(job);

  expect(planned(plan).body.textDigest).toMatch(/^[\da-f]{64}$/);
  expect(await hosts.planText(job, plan)).toBeUndefined();
  expect(await host.apply(applyOf(job, plan))).toMatchObject({ kind: 'applied' });
});
