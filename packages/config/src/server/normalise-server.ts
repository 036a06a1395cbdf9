import { normaliseAudit } from './audit/normalise-audit.ts';
import { normaliseBudget } from './budgets/budget.ts';
import { normaliseConsole } from './console/normalise-console.ts';
import { normaliseEntry } from './normalise-entry.ts';
import { normaliseDeployments, normaliseDestination } from './notifications/destinations.ts';
import { normalisePolicy } from './policies/plan-policies.ts';
import { normalisePool } from './pools.ts';
import { normaliseProtectionRule } from './protection/protection-rules.ts';
import type { ServerConfig } from './server-config.ts';
import type { ServerFile } from './server-schema.ts';
import { normaliseRetention } from './storage/retention.ts';
import { normaliseStorage } from './storage/storage-config.ts';
import { normaliseTerraform } from './terraform/terraform-config.ts';
import { normaliseWave } from './waves/waves.ts';
import { normaliseWindow } from './windows/change-window.ts';
import { normaliseWorkflows } from './workflows/workflows.ts';

/** The default first word of commands in comments. */
const COMMENT_NAME = 'nereid';

/** Fills in defaults, and gives keys our spelling. Nothing is refused here. */
export function normaliseServer(file: ServerFile): ServerConfig {
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
