import { nearestOf } from '../yaml/nearest.ts';
import { isMapping, partOf, soundItems, soundPart } from '../yaml/sound.ts';
import {
  normaliseBudget,
  normaliseEntry,
  normalisePolicy,
  normalisePool,
  normaliseStep,
  normaliseTerraform,
  normaliseWindow,
} from './normalise-server.ts';
import type { ServerSubject } from './server-rules.ts';
import type { WorkflowJob } from './workflow-rules.ts';
import {
  BudgetEntry,
  Policy,
  PoolEntry,
  RepositoryEntry,
  ServerFile,
  Terraform,
  WindowEntry,
  Workflow,
} from './server-schema.ts';
import { normaliseProtectionRule, ProtectionRuleEntry } from './protection/protection-rules.ts';
import { STANDARD_WORKFLOW } from './standard-workflow.ts';
import { normaliseWave, WaveEntry } from './waves/waves.ts';

/** The parts of the written file that the rules can judge: the whole file if its schema finds nothing wrong. */
export function soundServer(file: unknown): ServerSubject {
  const entries = soundItems(RepositoryEntry, partOf(file, 'repositories'));
  const pools = soundItems(PoolEntry, partOf(file, 'pools')).filter(({ wrong }) => wrong.size === 0);
  return {
    repositories: entries.map(({ index, value }) => ({ index, entry: normaliseEntry(value) })),
    workflowNames: workflowNamesIn(file),
    jobs: jobsIn(partOf(file, 'workflows')),
    namesSecretsFolder: partOf(partOf(file, 'terraform'), 'secrets_folder') !== undefined,
    terraform: normaliseTerraform(soundPart(Terraform, partOf(file, 'terraform'))?.value ?? {}),
    // If the owners of one are misspelt, nobody knows whether it has some.
    policies: soundItems(Policy, partOf(file, 'policies'))
      .filter(({ wrong }) => !wrong.has('owners'))
      .map(({ index, value }) => ({ index, policy: normalisePolicy(value) })),
    windows: soundItems(WindowEntry, partOf(file, 'windows'))
      .filter(({ wrong }) => wrong.size === 0)
      .map(({ index, value }) => ({ index, window: normaliseWindow(value) })),
    budgets: soundItems(BudgetEntry, partOf(file, 'budgets'))
      .filter(({ wrong }) => wrong.size === 0)
      .map(({ index, value }) => ({ index, budget: normaliseBudget(value) })),
    waves: soundItems(WaveEntry, partOf(file, 'waves'))
      .filter(({ wrong }) => wrong.size === 0)
      .map(({ index, value }) => ({ index, wave: normaliseWave(value) })),
    protectionRules: soundItems(ProtectionRuleEntry, partOf(file, 'protection_rules'))
      .filter(({ wrong }) => wrong.size === 0)
      .map(({ index, value }) => ({ index, rule: normaliseProtectionRule(value) })),
    destinations: destinationsIn(partOf(file, 'notifications')),
    pools: pools.map(({ index, value }) => ({ index, pool: normalisePool(value) })),
    hidesPools: hidesPools(file, pools.length),
  };
}

/** A name counts, whatever else is wrong with its destination. */
function destinationsIn(written: unknown): ServerSubject['destinations'] {
  const list: readonly unknown[] = Array.isArray(written) ? written : [];
  return list.flatMap((each, index) => {
    const name = partOf(each, 'name');
    return typeof name === 'string' ? [{ index, name }] : [];
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
