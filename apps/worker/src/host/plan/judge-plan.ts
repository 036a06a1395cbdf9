/** Has the policies for a root judge its plan, each in a sandbox of its own: without a network, and with nothing to write. */
import { realpath } from 'node:fs/promises';
import { describeOwners, placeOf, planPoliciesFor, type PlanPolicy } from '@nereid/config';
import type { PolicyResult } from '@nereid/domain/plan';
import { fullName } from '@nereid/domain/root';
import type { LogWriter } from '@nereid/storage';
import { realFile } from '@nereid/subprocess';
import { evaluatePolicy, failedPolicy, limitMessages, type PolicyFinding } from '@nereid/terraform';
import { ApplicationFailure } from '@temporalio/common';
import { sandboxWith } from '../job/sandbox.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools } from '../job/tools.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

export interface JudgedPlan {
  /** The plan as `terraform show -json` prints it, with sensitive values. */
  readonly planJson: string;
  readonly log: LogWriter;
  readonly steps: Steps;
}

/** Of all policies of a plan. The activity has 40 minutes around its plan, and somebody waits. */
const TOTAL_MS = 5 * 60_000;

/** As the contract limits them. */
const OWNERS_LIMIT = 300;

/** Empty when no policy is about the root. */
export async function judgePlan(
  tools: HostTools,
  job: OpenedJob,
  judged: JudgedPlan,
): Promise<readonly PolicyResult[]> {
  const server = tools.context.server.current();
  const policies = planPoliciesFor(server, fullName(job.repository), placeOf(job.root));
  const deadline = performance.now() + TOTAL_MS;
  const findings: PolicyFinding[] = [];
  for (const policy of policies) {
    judged.steps.at(`the policy ${policy.name}`);
    const isLate = performance.now() > deadline;
    const finding = isLate ? failedPolicy('the policies before it took 5 minutes') : await judge(tools, policy, judged);
    await judged.log.write(Buffer.from(`Policy ${policy.name}: ${finding.verdict}\n`));
    findings.push(finding);
  }
  return resultsOf(policies, findings, judged.log);
}

async function judge(
  tools: HostTools,
  { name, source, namespaces, rego }: PlanPolicy,
  { planJson, log, steps: { signal } }: JudgedPlan,
): Promise<PolicyFinding> {
  await log.write(Buffer.from(`\nPolicy ${name}, by conftest:\n`));
  const folder = await realpath(source).catch(() => source);
  const conftest = await conftestOf(tools);
  if (typeof conftest !== 'string') return conftest;
  const sandbox = sandboxOf(tools, [conftest, folder, planJson]);
  const write = (output: Uint8Array) => log.write(output);
  const finding = await evaluatePolicy({ conftest, folder, namespaces, rego, planJson, sandbox, signal, log: write });
  // A policy that was stopped with its host says nothing about the plan, which is made again elsewhere.
  if (signal.aborted) throw ApplicationFailure.retryable('the host is shutting down', 'HOST_SHUTTING_DOWN');
  return finding;
}

/** A host without conftest cannot tell what the policy says. */
async function conftestOf({ findConftest }: HostTools): Promise<string | PolicyFinding> {
  try {
    return await findConftest();
  } catch (error) {
    return failedPolicy(error instanceof Error ? error.message : String(error));
  }
}

function sandboxOf({ context, sandbox: settings }: HostTools, paths: readonly string[]) {
  if (settings.sandbox === 'none') return undefined;
  const files = paths.map((path) => realFile({ path, access: 'read' }));
  return sandboxWith({ ...settings, network: 'none' }, context.environment['PATH'], files);
}

function resultsOf(
  policies: readonly PlanPolicy[],
  findings: readonly PolicyFinding[],
  log: LogWriter,
): readonly PolicyResult[] {
  const masked = (lines: readonly string[]) =>
    lines.map((line) => Buffer.from(log.masked(Buffer.from(line))).toString());
  const clean = findings.map(({ verdict, denials, warnings }) => ({
    verdict,
    denials: masked(denials),
    warnings: masked(warnings),
  }));
  const limited = limitMessages(clean);
  return policies.flatMap(({ name, enforce, owners }, index) => {
    const finding = limited[index];
    const who = enforce === 'required' && { owners: describeOwners(owners).slice(0, OWNERS_LIMIT) };
    return finding === undefined ? [] : [{ name, enforce, ...finding, ...who }];
  });
}
