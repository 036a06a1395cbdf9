import { defined } from '@nereid/domain/defined';
import type { PermissionRule, Root, Step } from '@nereid/domain/root';
import { normaliseAudit } from './audit/normalise-audit.ts';
import type { Budget } from './budgets/budget.ts';
import { normaliseConsole } from './console/normalise-console.ts';
import { normaliseEnvironment, normaliseIdentity } from './identity/root-identity.ts';
import { normaliseSecretFiles } from './identity/secret-files.ts';
import { normaliseDeployments, normaliseDestination } from './notifications/destinations.ts';
import { normaliseProtectionRule } from './protection/protection-rules.ts';
import type { PlanPolicy, ServerConfig } from './server-config.ts';
import type { ActionRules, RepositoryEntry, RootSettings } from './repository-entry.ts';
import type { Pool } from './pools.ts';
import type * as written from './server-schema.ts';
import { normaliseAutoWhen } from './review/auto-when.ts';
import { normaliseReview } from './review/review-demands.ts';
import { STANDARD_STEPS, STANDARD_WORKFLOW } from './standard-workflow.ts';
import { normaliseRetention } from './storage/retention.ts';
import { normaliseTimeout } from '../settings/timeout.ts';
import { millisecondsOf } from '@nereid/domain/duration';
import { normaliseWave } from './waves/waves.ts';
import type { ChangeWindow } from './windows/change-window.ts';

/** The default first word of commands in comments. */
const COMMENT_NAME = 'nereid';

/** Fills in defaults, and gives keys our spelling. Nothing is refused here. */
export function normaliseServer(file: written.ServerFile): ServerConfig {
  const [ours = COMMENT_NAME, ...others] = [file.comment_name ?? []].flat();
  return {
    repositories: file.repositories.map(normaliseEntry),
    workflows: normaliseWorkflows(file.workflows ?? {}),
    policies: (file.policies ?? []).map(normalisePolicy),
    windows: (file.windows ?? []).map(normaliseWindow),
    budgets: (file.budgets ?? []).map(normaliseBudget),
    waves: (file.waves ?? []).map(normaliseWave),
    pools: (file.pools ?? []).map(normalisePool),
    terraform: normaliseTerraform(file.terraform ?? {}),
    storage: normaliseStorage(file.storage),
    retention: normaliseRetention(file.retention ?? {}),
    audit: normaliseAudit(file.audit),
    notifications: [
      ...(file.notifications ?? []).map(normaliseDestination),
      ...(file.deployments ? [normaliseDeployments(file.deployments)] : []),
    ],
    protectionRules: (file.protection_rules ?? []).map(normaliseProtectionRule),
    console: normaliseConsole(file.console ?? {}),
    commentNames: [ours, ...others],
    verifyPresses: file.verify_presses ?? false,
    workflowRouting: file.workflow_routing ?? 'automatic',
    commandBots: file.command_bots ?? [],
  };
}

export function normaliseEntry(entry: written.RepositoryEntry): RepositoryEntry {
  return {
    match: entry.match,
    ...defined({ branch: entry.branch }),
    ...(entry.allowed_overrides && { allowedOverrides: entry.allowed_overrides }),
    ...defined({ lfs: entry.lfs }),
    ...(entry.pull_requests && { pullRequests: entry.pull_requests }),
    ...(entry.pull_request_comment && { pullRequestComment: entry.pull_request_comment }),
    ...(entry.fork_plans && { forkPlans: entry.fork_plans }),
    ...defined({ planAllBases: entry.plan_all_bases }),
    ...(entry.stale && { stale: entry.stale }),
    ...defined({ unlockOnMerge: entry.unlock_on_merge }),
    ...(entry.allowed_hosts && { allowedHosts: entry.allowed_hosts }),
    ...(entry.modules_from && { modulesFrom: entry.modules_from }),
    settings: normaliseSettings(entry),
    roots: Object.entries(entry.roots ?? {}).map(([match, settings]) => ({
      match,
      settings: normaliseSettings(settings),
    })),
  };
}

function normaliseSettings(settings: written.Settings): RootSettings {
  return {
    ...(settings.plan_review && { planReview: settings.plan_review }),
    ...(settings.queue && { queue: settings.queue }),
    ...(settings.on_failure && { onFailure: settings.on_failure }),
    ...defined({ workflow: settings.workflow, terraformVersion: settings.terraform_version }),
    ...(settings.distribution && { distribution: settings.distribution }),
    ...(settings.timeout && { timeoutMs: normaliseTimeout(settings.timeout) }),
    ...(settings.max_plan_age !== undefined && defined({ maxPlanAgeMs: millisecondsOf(settings.max_plan_age) })),
    ...defined({ hosts: settings.hosts }),
    ...(settings.network && { network: settings.network }),
    ...(settings.environment && { environment: normaliseEnvironment(settings.environment) }),
    ...(settings.env_from && { envFrom: normaliseSecretFiles(settings.env_from) }),
    ...(settings.identity && { identity: normaliseIdentity(settings.identity) }),
    ...(settings.permissions && { permissions: normalisePermissions(settings.permissions) }),
    ...(settings.review && { review: normaliseReview(settings.review) }),
    ...(settings.carry_review && { carryReview: settings.carry_review }),
    ...(settings.auto_when && { autoWhen: normaliseAutoWhen(settings.auto_when) }),
    ...defined({ prepareRevert: settings.prepare_revert }),
  };
}

function normalisePermissions(permissions: NonNullable<written.Settings['permissions']>): ActionRules {
  return Object.fromEntries(
    Object.entries(permissions).flatMap(([action, rule]) => (rule ? [[action, normaliseRule(rule)]] : [])),
  );
}

function normaliseRule({ not_author: notAuthor, permission, teams, users }: written.PermissionRule): PermissionRule {
  return {
    ...(permission && { permission }),
    ...(teams && { teams }),
    ...(users && { users }),
    ...defined({ notAuthor }),
  };
}

/** The namespace in which conftest looks if nobody names one. */
const NAMESPACE = 'main';

export function normalisePolicy(policy: written.Policy): PlanPolicy {
  const { name, source, enforce, owners, repositories = [], roots = [], namespaces = [NAMESPACE], rego } = policy;
  const { teams = [], users = [] } = owners ?? {};
  return { name, source, enforce, owners: { teams, users }, repositories, roots, namespaces, ...(rego && { rego }) };
}

/** A plan changes nothing, and people can read it before the window opens. */
const WINDOW_DOORS: ChangeWindow['doors'] = ['apply'];

export function normaliseWindow(entry: written.WindowEntry): ChangeWindow {
  const { name, kind, rrule, dtstart, duration, timezone, repositories = [], roots = [], doors = WINDOW_DOORS } = entry;
  const durationMs = millisecondsOf(duration) ?? 0;
  return { name, kind, ...defined({ rrule }), dtstart, durationMs, timezone, repositories, roots, doors };
}

export function normaliseBudget(entry: written.BudgetEntry): Budget {
  const { name, applies, plans, weights = {}, repositories = [], roots = [] } = entry;
  const byName = Object.entries(weights).map(([repository, weight]) => [repository.toLowerCase(), weight] as const);
  return { name, ...defined({ applies, plans }), weights: Object.fromEntries(byName), repositories, roots };
}

export function normalisePool({ name, labels = [], ...keys }: written.PoolEntry): Pool {
  const { public_key: publicKey, seal_public_key: sealPublicKey } = keys;
  return {
    ...{ name, labels },
    ...defined({ publicKey, sealPublicKey }),
  };
}

function normaliseWorkflows(workflows: NonNullable<written.ServerFile['workflows']>): ServerConfig['workflows'] {
  const named = Object.entries(workflows).map(([name, { plan, apply }]): [string, Root['steps']] => [
    name,
    { plan: plan.map(normaliseStep), apply: apply.map(normaliseStep) },
  ]);
  return new Map([[STANDARD_WORKFLOW, STANDARD_STEPS], ...named]);
}

export function normaliseStep(step: written.Step): Step {
  if (typeof step === 'string') return { kind: step, extraArgs: [] };
  if ('run' in step) return { kind: 'run', run: step.run };
  if ('init' in step) return { kind: 'init', extraArgs: step.init.extra_args ?? [] };
  if ('plan' in step) return { kind: 'plan', extraArgs: step.plan.extra_args ?? [] };
  if ('apply' in step) return { kind: 'apply', extraArgs: step.apply.extra_args ?? [] };
  return { kind: 'env', ...step.env };
}

/** Terraform with ten providers at work has 400 threads; ten times as many are no accident. */
const SANDBOX_PROCESSES = 4096;

/** Larger than any provider or archive that was seen, and no more than the disk that a worker's caches have by default. */
const SANDBOX_FILE_GB = 20;

/** GitHub recommends that a whole repository, with its history, stays below this. */
const TREE_GB = 5;

export function normaliseTerraform(terraform: NonNullable<written.ServerFile['terraform']>): ServerConfig['terraform'] {
  return {
    distribution: terraform.distribution ?? 'terraform',
    ...defined({ version: terraform.version }),
    downloads: terraform.downloads ?? true,
    ...(terraform.mirror !== undefined && { mirror: withoutTrailingSlash(terraform.mirror) }),
    ...defined({ parallelRuns: terraform.parallel_runs, parallelPlans: terraform.parallel_plans }),
    envAllow: terraform.env_allow ?? [],
    envAllowPlan: terraform.env_allow_plan ?? [],
    envAllowApply: terraform.env_allow_apply ?? [],
    envAllowPreview: terraform.env_allow_preview ?? [],
    volatileAttributes: terraform.volatile_attributes ?? [],
    sandbox: terraform.sandbox ?? 'bubblewrap',
    sandboxRead: terraform.sandbox_read ?? [],
    sandboxWrite: (terraform.sandbox_write ?? []).map(withoutTrailingSlash),
    sharedState: (terraform.shared_state ?? []).map(withoutTrailingSlash),
    ...(terraform.secrets_folder !== undefined && { secretsFolder: withoutTrailingSlash(terraform.secrets_folder) }),
    sandboxProcesses: terraform.sandbox_processes ?? SANDBOX_PROCESSES,
    sandboxFileBytes: (terraform.sandbox_file_gb ?? SANDBOX_FILE_GB) * 1e9,
    treeBytes: (terraform.tree_gb ?? TREE_GB) * 1e9,
    ...(terraform.memory !== undefined && { memoryBytes: bytesOf(terraform.memory) }),
    network: terraform.network ?? 'host',
    reachable: terraform.reachable ?? 'warn',
    traces: terraform.traces ?? false,
  };
}

function bytesOf(memory: string): number {
  return Number.parseInt(memory, 10) * 1024 ** (memory.endsWith('GiB') ? 3 : 2);
}

function normaliseStorage(storage: written.ServerFile['storage']): ServerConfig['storage'] {
  const { deployments, plans, logs, s3, gs, az } = storage;
  return {
    deployments: withoutTrailingSlash(deployments),
    plans: withoutTrailingSlash(plans),
    logs: withoutTrailingSlash(logs),
    s3: { ...endpointOf(s3), ...regionOf(s3), pathStyle: s3?.path_style ?? false },
    gs: { ...endpointOf(gs), ...defined({ emulator: gs?.emulator }) },
    az: { ...endpointOf(az), ...defined({ clientId: az?.client_id }) },
  };
}

function endpointOf({ endpoint }: { endpoint?: string | undefined } = {}) {
  return endpoint === undefined ? {} : { endpoint };
}

function regionOf({ region }: { region?: string | undefined } = {}) {
  return region === undefined ? {} : { region };
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/(?<=[^:/])\/+$/, '');
}
