import { nearestOf } from '../yaml/nearest.ts';
import { isMapping, partOf, soundItems, soundPart, wholeItems } from '../yaml/sound.ts';
import { BudgetEntry, normaliseBudget } from './budgets/budget.ts';
import { normaliseEntry } from './normalise-entry.ts';
import { normalisePolicy, Policy } from './policies/plan-policies.ts';
import { normalisePool, PoolEntry } from './pools.ts';
import { normaliseProtectionRule, ProtectionRuleEntry } from './protection/protection-rules.ts';
import { RepositoryEntry } from './repository-entry-schema.ts';
import { scopesIn } from './scope/scopes-in.ts';
import type { ServerSubject } from './server-rules.ts';
import { ServerFile } from './server-schema.ts';
import { normaliseTerraform, Terraform } from './terraform/terraform-config.ts';
import { normaliseWave, WaveEntry } from './waves/waves.ts';
import { normaliseWindow, WindowEntry } from './windows/change-window.ts';
import { STANDARD_WORKFLOW } from './workflows/standard-workflow.ts';
import type { WorkflowJob } from './workflows/workflow-rules.ts';
import { normaliseStep, Workflow } from './workflows/workflows.ts';

/** The parts of the written file that the rules can judge: the whole file if its schema finds nothing wrong. */
export function soundServer(file: unknown): ServerSubject {
  const entries = soundItems(RepositoryEntry, partOf(file, 'repositories'));
  const pools = wholeItems(PoolEntry, partOf(file, 'pools'), normalisePool);
  return {
    repositories: entries.map(({ index, value }) => ({ index, entry: normaliseEntry(value) })),
    workflowNames: workflowNamesIn(file),
    jobs: jobsIn(partOf(file, 'workflows')),
    namesSecretsFolder: partOf(partOf(file, 'terraform'), 'secrets_folder') !== undefined,
    terraform: normaliseTerraform(soundPart(Terraform, partOf(file, 'terraform'))?.value ?? {}),
    // If the owners of one are misspelt, nobody knows whether it has some.
    policies: soundItems(Policy, partOf(file, 'policies'))
      .filter(({ wrong }) => !wrong.has('owners'))
      .map(({ index, value }) => ({ index, value: normalisePolicy(value) })),
    windows: wholeItems(WindowEntry, partOf(file, 'windows'), normaliseWindow),
    budgets: wholeItems(BudgetEntry, partOf(file, 'budgets'), normaliseBudget),
    waves: wholeItems(WaveEntry, partOf(file, 'waves'), normaliseWave),
    protectionRules: wholeItems(ProtectionRuleEntry, partOf(file, 'protection_rules'), normaliseProtectionRule),
    destinations: destinationsIn(partOf(file, 'notifications')),
    scopes: scopesIn(file),
    pools,
    hidesPools: hidesPools(file, pools.length),
  };
}

/** A name counts, whatever else is wrong with its destination. */
function destinationsIn(written: unknown): ServerSubject['destinations'] {
  const list: readonly unknown[] = Array.isArray(written) ? written : [];
  return list.flatMap((each, index) => {
    const name = partOf(each, 'name');
    return typeof name === 'string' ? [{ index, value: { name } }] : [];
  });
}

/** The names include invalid workflows, and the workflows of a section whose own name is misspelt. */
function workflowNamesIn(file: unknown): ReadonlySet<string> | undefined {
  const sections = isMapping(file) ? Object.keys(file).filter(isMeantAsWorkflows) : [];
  const workflows = sections.map((section) => partOf(file, section));
  if (!workflows.every(isMapping)) return undefined;
  return new Set([STANDARD_WORKFLOW, ...workflows.flatMap((section) => Object.keys(section))]);
}

function isMeantAsWorkflows(key: string): boolean {
  return nearestOf(key, Object.keys(ServerFile.shape)) === 'workflows';
}

/** Also when the name of the section is misspelt. */
function hidesPools(file: unknown, sound: number): boolean {
  const names = Object.keys(isMapping(file) ? file : {}).filter(
    (key) => nearestOf(key, Object.keys(ServerFile.shape)) === 'pools',
  );
  const lists = names.map((name) => partOf(file, name));
  return !lists.every(Array.isArray) || lists.flat().length !== sound;
}

function jobsIn(workflows: unknown): readonly WorkflowJob[] {
  if (!isMapping(workflows)) return [];
  return Object.entries(workflows).flatMap(([workflow, written]) => {
    const jobs = soundPart(Workflow.partial(), written)?.value;
    return (['plan', 'apply'] as const).flatMap((job) => {
      const steps = jobs?.[job]?.map(normaliseStep);
      return steps ? [{ workflow, job, steps }] : [];
    });
  });
}
