/** The server's own configuration, `nereid.server.yaml`, normalised: the policy that no repository can change. */
import type { PolicyEnforcement } from '@nereid/domain/plan';
import type { Network, Root } from '@nereid/domain/root';
import type { AuditSink } from '@nereid/domain/trail/address';
import type { Budget } from './budgets/budget.ts';
import type { ConsolePolicy } from './console/console-policy.ts';
import type { Destination } from './notifications/destinations.ts';
import type { Pool } from './pools.ts';
import type { ProtectionRule } from './protection/protection-rules.ts';
import type { RepositoryEntry } from './repository-entry.ts';
import type { Scope } from './scope/scope.ts';
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

export interface TerraformConfig {
  readonly distribution: Root['distribution'];
  /** For roots that name none and whose code requires none. */
  readonly version?: string;
  /** Versions that are not installed are fetched and checked against their published sums. */
  readonly downloads: boolean;
  /** The site that releases are fetched from instead of the vendor's; no trailing slash. */
  readonly mirror?: string;
  /** Slots of one host; absent for twice its cores. */
  readonly parallelRuns?: number;
  /** How many of them previews hold at most; absent for half of them. */
  readonly parallelPlans?: number;
  /** Names, or globs of names, of environment variables that Terraform may see. */
  readonly envAllow: readonly string[];
  /** More of them for the plans of deployments, and for their applies. */
  readonly envAllowPlan: readonly string[];
  readonly envAllowApply: readonly string[];
  /** What previews see instead, whose code nobody has merged. */
  readonly envAllowPreview: readonly string[];
  /** `type.attribute`: they make no difference between two plans that are compared for `carry_review`. */
  readonly volatileAttributes: readonly string[];
  /** What keeps the code of repositories from everything that is not its own. `none`: nothing does. */
  readonly sandbox: 'bubblewrap' | 'none';
  /** Absolute paths of files and folders that every command sees in its sandbox, and may write. */
  readonly sandboxRead: readonly string[];
  readonly sandboxWrite: readonly string[];
  /** Absolute paths of folders that all hosts share, where the backend `local` may keep a state. */
  readonly sharedState: readonly string[];
  /** Absolute path of the folder with the files of `env_from`, on each host. */
  readonly secretsFolder?: string;
  /** How many processes and threads a command may have at a time in its sandbox. */
  readonly sandboxProcesses: number;
  /** How large a file may be that a command writes in its sandbox. */
  readonly sandboxFileBytes: number;
  /** How much the working tree of one revision may take on the disk. */
  readonly treeBytes: number;
  /** How much memory the commands of a job may have together; absent for all that the worker may have. */
  readonly memoryBytes?: number;
  /** What commands reach of the network. `host`: all that the worker reaches. */
  readonly network: Network;
  /** What a worker does at its start about addresses that code of repositories reaches without a need. */
  readonly reachable: 'warn' | 'refuse' | 'off';
  /** Terraform and OpenTofu send traces to the collector of their host. */
  readonly traces: boolean;
}

/** Each a URL without a trailing slash: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://account/container/prefix`, `file:/dir`. */
export interface StorageConfig {
  readonly deployments: string;
  readonly plans: string;
  readonly logs: string;
  /** Absent values come from the AWS SDK's own environment (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`). */
  readonly s3: { readonly endpoint?: string; readonly region?: string; readonly pathStyle: boolean };
  /** Default: Google's own address. An emulator takes its place, and gets no credentials. */
  readonly gs: { readonly endpoint?: string; readonly emulator?: string };
  /** With `{account}` for the account; default: that of Azure's public cloud. `clientId`: which of the machine's identities. */
  readonly az: { readonly endpoint?: string; readonly clientId?: string };
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

/** In milliseconds. */
export interface RetentionConfig {
  /** Logs of jobs; absent: for ever. */
  readonly logsMs?: number;
  /** Of ended deployments, with the lists and trails of days; absent: for ever. */
  readonly recordsMs?: number;
  /** Previews of pull requests, and their logs. */
  readonly previewsMs: number;
}

/** A policy in Rego that conftest evaluates on every plan of its roots. */
export interface PlanPolicy extends Scope {
  readonly name: string;
  /** Its folder: absolute once the file is read from disk, before that as it is written. */
  readonly source: string;
  readonly enforce: PolicyEnforcement;
  readonly owners: PolicyOwners;
  readonly namespaces: readonly string[];
  /** Absent: the newest version of Rego that can read it. */
  readonly rego?: 'v0' | 'v1';
}

/** Being one of them suffices. */
export interface PolicyOwners {
  /** `org/slug`. */
  readonly teams: readonly string[];
  /** Logins on the forge. */
  readonly users: readonly string[];
}
