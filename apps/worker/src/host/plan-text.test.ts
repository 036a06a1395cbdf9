import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { planFacts, type PlanOutcome } from '@nereid/domain/deployment';
import { DEFAULT_POOL, type Step } from '@nereid/domain/root';
import { testSignatures } from '../testing/test-signatures.ts';
import { applyOf, startTestHosts, type TestHosts } from './testing/test-hosts.ts';

const LOCAL = 'terraform {\n  backend "local" {}\n}\n';
const FILES = { 'main.tf': `${LOCAL}resource "terraform_data" "a" { input = "new" }\n` };

let hosts: TestHosts;

beforeEach(async () => {
  hosts = await startTestHosts();
});

afterEach(() => hosts.close());

function planned(plan: PlanOutcome) {
  if (plan.kind !== 'planned') throw new Error(`expected a plan, found ${JSON.stringify(plan)}`);
  return plan;
}

test('the text of a plan is stored beside its log, and the host signs its digest', async () => {
  const job = await hosts.deploy(FILES);

  const plan = planned(await hosts.openHost().plan(job));

  expect(await hosts.planText(job, plan)).toContain('  + resource "terraform_data" "a" {\n      + id     = (known');
  const signed = planFacts(job.deploymentId, job.order.signature, plan);
  await testSignatures.verifyOfPool(DEFAULT_POOL, 'plan', signed, plan.signature);
  const another = planFacts(job.deploymentId, job.order.signature, { ...plan, textDigest: 'b2'.repeat(32) });
  await expect(testSignatures.verifyOfPool(DEFAULT_POOL, 'plan', another, plan.signature)).rejects.toMatchObject({
    code: 'FORGED',
  });
});

test('a plan without changes has no text', async () => {
  const job = await hosts.deploy({ 'main.tf': LOCAL });

  const plan = planned(await hosts.openHost().plan(job));

  expect(plan.hasChanges).toBe(false);
  expect(plan).not.toHaveProperty('textDigest');
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

  const plan = planned(await host.plan(job));

  expect(plan.textDigest).toMatch(/^[\da-f]{64}$/);
  expect(await hosts.planText(job, plan)).toBeUndefined();
  expect(await host.apply(applyOf(job, plan))).toMatchObject({ kind: 'applied' });
});
