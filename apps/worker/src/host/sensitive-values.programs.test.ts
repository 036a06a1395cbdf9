/**
 * A canary: values that Terraform calls sensitive or ephemeral are in nothing that leaves the host, so no page, comment or check run
 * can show them. All of these show only the texts of the plan, and what the host signed of it.
 */
import { expect, test } from '@jest/globals';
import type { PlanOutcome } from '@nereid/domain/deployment';
import { aDeployment } from '@nereid/domain/testing';
import { renderCheckRun, renderPullRequestComment } from '@nereid/texts';
import { hostsOfEachTest } from './testing/test-hosts.ts';
import { applyOf } from './testing/test-jobs.ts';

const CANARY = 'CANARY';

const rootWith = (value: string) => `\
terraform {
  backend "local" {}
}
variable "secret" {
  default   = "${CANARY}-${value}"
  sensitive = true
}
variable "passing" {
  default   = "${CANARY}-ephemeral"
  ephemeral = true
}
locals {
  passed = ephemeralasnull(var.passing)
}
resource "terraform_data" "plain" { input = var.secret }
resource "terraform_data" "nested" {
  input = { user = "${value}", list = ["a", var.secret], deep = { key = var.secret } }
}
resource "terraform_data" "json" { input = jsonencode({ user = "${value}", password = var.secret }) }
resource "terraform_data" "script" { input = "one\\n\${var.secret}\\nthree ${value}\\n" }
resource "terraform_data" "forced" { triggers_replace = { key = var.secret } }
resource "terraform_data" "by_key" {
  for_each = toset([for name in ["a"] : name])
  input    = { (each.key) = var.secret }
}
resource "terraform_data" "large" { input = join("\\n", [for i in range(1000) : "${value} line \${i} of a longer text"]) }
output "hidden" {
  value     = { secret = var.secret }
  sensitive = true
}
check "sane" {
  assert {
    condition     = var.secret == "x"
    error_message = "expected another secret, found \${var.secret}"
  }
}
`;

const hosts = hostsOfEachTest();

function planned(outcome: PlanOutcome) {
  if (outcome.kind !== 'planned') throw new Error(`expected a plan, found ${JSON.stringify(outcome)}`);
  return outcome.plan;
}

test('no sensitive or ephemeral value is in the texts of a plan, in what its host signs, in a check run or in a comment', async () => {
  const host = hosts.openHost();
  const first = await hosts.deploy({ 'main.tf': rootWith('before') });
  await host.apply(applyOf(first, await host.plan(first)));
  const job = await hosts.deploy({ 'main.tf': rootWith('after') });

  const outcome = await host.plan(job);

  const text = (await hosts.planText(job, outcome)) ?? '';
  const whole = (await hosts.wholePlanText(job, outcome)) ?? '';
  const made = planned(outcome);
  const of = aDeployment({ status: 'awaiting-review', plan: { made, reviewRequired: true } });
  const shown = { kind: 'text', text: { text, leftOut: 0, isShortened: true } } as const;
  const checkRun = renderCheckRun(
    { deployment: of },
    { deploymentUrl: 'https://console.example/' },
    { planText: shown },
  );
  const comment = renderPullRequestComment({
    ...{ headSha: 'a'.repeat(40), externalId: '1', detailsUrl: 'https://console.example/' },
    previews: [{ rootName: 'network', deployment: { ...of, progress: { ...of.progress, status: 'planned' } } }],
  });
  expect(whole.length).toBeGreaterThan(text.length);
  for (const one of [text, whole]) expect(one.match(/\(sensitive value/g)?.length).toBeGreaterThanOrEqual(7);
  expect(made.body.warnings?.texts.join()).toContain('check.sane');
  for (const one of [text, whole, JSON.stringify(outcome), JSON.stringify(checkRun), comment])
    expect(one).not.toContain(CANARY);
});
