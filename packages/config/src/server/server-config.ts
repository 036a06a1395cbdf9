/** The server's own configuration, `nereid.server.yaml`, normalised: the policy that no repository can change. */
import type { Root } from '@nereid/domain/root';
import type { AuditSink } from '@nereid/domain/trail/address';
import type { Budget } from './budgets/budget.ts';
import type { ConsolePolicy } from './console/console-policy.ts';
import type { Destination } from './notifications/destinations.ts';
import type { PlanPolicy } from './policies/plan-policies.ts';
import type { Pool } from './pools.ts';
import type { ProtectionRule } from './protection/protection-rules.ts';
import type { RepositoryEntry } from './repository-entry.ts';
import type { RetentionConfig } from './storage/retention.ts';
import type { StorageConfig } from './storage/storage-config.ts';
import type { TerraformConfig } from './terraform/terraform-config.ts';
import type { WaveConfig } from './waves/waves.ts';
import type { ChangeWindow } from './windows/change-window.ts';

export interface ServerConfig {
  /** In the file's order: the first entry that sets something wins. */
  readonly repositories: readonly RepositoryEntry[];
  /** By name; `standard` is always there. */
  readonly workflows: ReadonlyMap<string, Root['steps']>;
  /** What judges plans, in the file's order. */
  readonly policies: readonly PlanPolicy[];
  /** When roots are planned and applied, in the file's order. */
  readonly windows: readonly ChangeWindow[];
  /** How many roots are applied at once, in the file's order. */
  readonly budgets: readonly Budget[];
  /** Which roots of a merge go first, in the file's order. */
  readonly waves: readonly WaveConfig[];
  /** Pools of hosts; `default` need not be among them. */
  readonly pools: readonly Pool[];
  readonly terraform: TerraformConfig;
  readonly storage: StorageConfig;
  readonly retention: RetentionConfig;
  readonly audit: AuditConfig;
  /** In the file's order, `deployments` last; nobody is notified where it is empty. */
  readonly notifications: readonly Destination[];
  /** For which jobs of GitHub Actions wait, in the file's order; none waits where it is empty. */
  readonly protectionRules: readonly ProtectionRule[];
  readonly console: ConsolePolicy;
  /** The words with which commands in comments begin; the first is the one that we write. */
  readonly commentNames: readonly [string, ...string[]];
  /** The forge's own log of webhooks has to know a press of a button, besides the gateway's signature. */
  readonly verifyPresses: boolean;
  /** Who has workflows routed to a version of the control workers: they themselves, or people. */
  readonly workflowRouting: 'automatic' | 'manual';
  /** The bots whose comments are commands, too; logins like `renovate[bot]`. */
  readonly commandBots: readonly string[];
}

export interface AuditConfig {
  /** Empty when events are kept in storage alone. */
  readonly to: readonly AuditSink[];
  /** Nothing is applied before its `RUNNING` event is stored. */
  readonly required: boolean;
  /** Absent values come from the AWS SDK's own environment (`AWS_REGION`, `AWS_ENDPOINT_URL_SNS`). */
  readonly sns: { readonly endpoint?: string; readonly region?: string };
  /** Default: Google's own address. */
  readonly pubsub: { readonly endpoint?: string };
}
