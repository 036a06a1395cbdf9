/** The shape of `nereid.server.yaml` as it is written. Requirements beyond the shape are rules in server-rules.ts. */
import { PERMISSION_KEYS, type PermissionKey } from '@nereid/domain/actions';
import { LOGIN } from '@nereid/domain/person';
import { CARRY_REVIEW } from '@nereid/domain/root';
import { z } from 'zod';
import { advised, flag, list, mapping, object, oneOf, text } from '../yaml/schema.ts';
import { Audit } from './audit/audit-schema.ts';
import { Console } from './console/console-schema.ts';
import { ENV_FROM, ENVIRONMENT, IDENTITY } from './identity/identity-schema.ts';
import { Deployments } from './notifications/deployments-schema.ts';
import { Notifications } from './notifications/notifications-schema.ts';
import { durationBetween } from '../settings/duration-between.ts';
import { GLOB, REPOSITORY_GLOB, ROOT_RULE, SCOPE } from '../settings/globs-schema.ts';
import { OVERRIDES } from '../settings/overrides.ts';
import {
  DISTRIBUTION,
  EXACT_VERSION,
  NETWORK,
  AFTER_FAILURE,
  PLAN_REVIEW,
  POOL_NAME,
  QUEUE,
  safeUrl,
} from '../settings/settings-schema.ts';
import { ABSOLUTE_PATH } from '../settings/path-schema.ts';
import { PROTECTION_RULE_LIMIT, ProtectionRuleEntry } from './protection/protection-rules.ts';
import { AutoWhen } from './review/auto-when.ts';
import { MEMBER_LIMIT, Review, TEAM } from './review/review-schema.ts';
import { Retention } from './storage/retention.ts';
import { Storage } from './storage/storage-schema.ts';
import { PLAN_AGE, TIMEOUT } from '../settings/timeout.ts';
import { WAVE_LIMIT, WaveEntry } from './waves/waves.ts';
import { TIME_ZONE } from './windows/time-zone-schema.ts';

/** One entry per team or repository; far more than anybody writes by hand. */
const ENTRY_LIMIT = 1_000;

const TEAMS = list(TEAM, MEMBER_LIMIT);
const USERS = list(text('a GitHub login', LOGIN), MEMBER_LIMIT);

const PermissionRule = object({
  permission: oneOf(['write', 'maintain', 'admin']).optional(),
  teams: TEAMS.optional(),
  users: USERS.optional(),
  not_author: flag().optional(),
});
export type PermissionRule = z.infer<typeof PermissionRule>;

/** A rule for each action that permissions judge. */
const Permissions = object(
  Object.fromEntries(PERMISSION_KEYS.map((key) => [key, PermissionRule.optional()])) as Readonly<
    Record<PermissionKey, z.ZodOptional<typeof PermissionRule>> // As built.
  >,
);

const settings = {
  plan_review: PLAN_REVIEW.optional(),
  queue: QUEUE.optional(),
  on_failure: AFTER_FAILURE.optional(),
  workflow: text('the name of a workflow').optional(),
  terraform_version: EXACT_VERSION.optional(),
  distribution: DISTRIBUTION.optional(),
  timeout: TIMEOUT.optional(),
  max_plan_age: PLAN_AGE.optional(),
  hosts: POOL_NAME.optional(),
  network: NETWORK.optional(),
  environment: ENVIRONMENT.optional(),
  env_from: ENV_FROM.optional(),
  identity: IDENTITY.optional(),
  permissions: Permissions.optional(),
  review: Review.optional(),
  auto_when: AutoWhen.optional(),
  carry_review: oneOf(CARRY_REVIEW).optional(),
  prepare_revert: flag().optional(),
};

const Settings = object(settings);
export type Settings = z.infer<typeof Settings>;

/** Terraform alone takes 50 MiB. */
const MEMORY = /^((6[4-9]|[7-9]\d|[1-9]\d{2,5})MiB|[1-9]\d{0,3}GiB)$/;

export const RepositoryEntry = object({
  match: REPOSITORY_GLOB,
  branch: text('the name of a branch, without refs/heads/').optional(),
  allowed_overrides: list(oneOf(OVERRIDES), OVERRIDES.length).optional(),
  allowed_hosts: list(POOL_NAME, MEMBER_LIMIT).optional(),
  modules_from: list(
    text('a repository as "owner/name"; "*" stands for any part of the name', new RegExp(`^[\\w.-]+/${GLOB}$`)),
    MEMBER_LIMIT,
  ).optional(),
  lfs: flag().optional(),
  pull_requests: oneOf(['off', 'plan']).optional(),
  pull_request_comment: oneOf(['changes', 'always', 'off']).optional(),
  fork_plans: oneOf(['never', 'on_command']).optional(),
  plan_all_bases: flag().optional(),
  stale: oneOf(['show', 'block']).optional(),
  unlock_on_merge: flag().optional(),
  roots: mapping(ROOT_RULE.expected, ROOT_RULE.pattern, Settings).optional(),
  ...settings,
});
export type RepositoryEntry = z.infer<typeof RepositoryEntry>;

const ExtraArgs = object({ extra_args: list(text('an argument'), MEMBER_LIMIT).optional() });

/** The loader and the shell obey some variables before a sandbox is made. */
const ENV_NAME = text(
  'the name of an environment variable, but none of the loader or the shell',
  /^(?!(?:LD_\w*|GLIBC_TUNABLES|BASH_ENV|ENV|IFS)$)[A-Za-z_]\w*$/,
);
const EnvStep = z.union(
  [
    object({ name: ENV_NAME, run: text('a command for the shell') }),
    object({ name: ENV_NAME, value: z.string('a text') }),
  ],
  'either { name, run } or { name, value }',
);

const Step = z.union(
  [
    z.enum(['init', 'plan', 'apply']),
    object({ init: ExtraArgs }),
    object({ plan: ExtraArgs }),
    object({ apply: ExtraArgs }),
    object({ run: text('a command for the shell') }),
    object({ env: EnvStep }),
  ],
  'a step: init, plan, apply, { plan: { extra_args: […] } }, { run: "…" } or { env: { name, run or value } }',
);
export type Step = z.infer<typeof Step>;

export const Workflow = object({ plan: list(Step, MEMBER_LIMIT), apply: list(Step, MEMBER_LIMIT) });

/** Each may take a minute of a plan, and its messages have to fit on one check run. */
const POLICY_LIMIT = 20;

export const Policy = object({
  name: text('a name of letters, digits, ".", "_" and "-"', /^[A-Za-z0-9][\w.-]{0,99}$/),
  source: text("the path of a folder, absolute or from the folder of the server's file", /^[^\0]+$/),
  enforce: oneOf(['advisory', 'required']),
  owners: object({ teams: TEAMS.optional(), users: USERS.optional() }).optional(),
  ...SCOPE,
  namespaces: list(text('the name of a package in Rego', /^[A-Za-z_][\w.]*$/), POLICY_LIMIT)
    .min(1, 'at least one package')
    .optional(),
  rego: oneOf(['v0', 'v1']).optional(),
});
export type Policy = z.infer<typeof Policy>;

/** More than anybody keeps in mind who plans a change. */
const WINDOW_LIMIT = 100;

/** Shorter is no window; a longer one never opens within a year. */
const WINDOW_DURATION = durationBetween('5m', '366d', '12h');

export const WindowEntry = object({
  name: text('a name of at most 60 characters on one line', /^[^\p{Cc}\p{Cf}]{1,60}$/u),
  kind: oneOf(['allow', 'deny']),
  rrule: text('a rule of RFC 5545, like "FREQ=WEEKLY;BYDAY=MO,TU"').optional(),
  dtstart: text('the day and time of its first beginning, like 2026-12-19T18:00', /^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
  duration: WINDOW_DURATION,
  timezone: TIME_ZONE,
  ...SCOPE,
  doors: list(oneOf(['plan', 'apply']), 2)
    .min(1, 'at least one door')
    .optional(),
});
export type WindowEntry = z.infer<typeof WindowEntry>;

/** As many as there are accounts, providers and teams. */
const BUDGET_LIMIT = 100;

const LEASE_COUNT = z
  .int('a whole number')
  .min(1, advised('at least 1', 'to let nothing begin, use a window'))
  .max(100, 'at most 100');

/** Storage remembers so many of the last leases of a repository. */
const WEIGHT = z.int('a whole number').min(1, 'at least 1').max(20, 'at most 20');

export const BudgetEntry = object({
  name: text('a name of at most 60 letters, digits, ".", "_" and "-"', /^[A-Za-z0-9][\w.-]{0,59}$/),
  applies: LEASE_COUNT.optional(),
  plans: LEASE_COUNT.optional(),
  weights: mapping('a repository as "owner/name"', /^[\w.-]+\/[\w.-]+$/, WEIGHT).optional(),
  ...SCOPE,
});
export type BudgetEntry = z.infer<typeof BudgetEntry>;

export const PoolEntry = object({
  name: POOL_NAME,
  labels: list(POOL_NAME, MEMBER_LIMIT).optional(),
  public_key: text('one or more Ed25519 public keys as PEM').optional(),
  seal_public_key: text('one or more X25519 public keys as PEM').optional(),
});
export type PoolEntry = z.infer<typeof PoolEntry>;

const FILES = list(text('an absolute path of a file or folder, without ".."', ABSOLUTE_PATH), MEMBER_LIMIT);

const ALLOWED_VARIABLES = list(
  text('the name of an environment variable; "*" stands for any part', /^[\w*]+$/),
  MEMBER_LIMIT,
);

export const Terraform = object({
  distribution: DISTRIBUTION.optional(),
  version: EXACT_VERSION.optional(),
  downloads: flag().optional(),
  mirror: safeUrl('serve the mirror with TLS').optional(),
  parallel_runs: z.int('a whole number').min(1, 'at least 1').max(256, 'at most 256').optional(),
  parallel_plans: z.int('a whole number').min(1, 'at least 1').max(256, 'at most 256').optional(),
  env_allow: ALLOWED_VARIABLES.optional(),
  env_allow_plan: ALLOWED_VARIABLES.optional(),
  env_allow_apply: ALLOWED_VARIABLES.optional(),
  env_allow_preview: ALLOWED_VARIABLES.optional(),
  volatile_attributes: list(
    text('the type of a resource and an attribute, like aws_lambda_function.last_modified', /^[\w-]+(?:\.[^\s.]+)+$/),
    MEMBER_LIMIT,
  ).optional(),
  sandbox: oneOf(['bubblewrap', 'none']).optional(),
  sandbox_read: FILES.optional(),
  sandbox_write: FILES.optional(),
  shared_state: FILES.optional(),
  secrets_folder: text('an absolute path of a folder, without ".."', ABSOLUTE_PATH).optional(),
  sandbox_processes: z.int('a whole number').min(64, 'at least 64').max(1_000_000, 'at most 1000000').optional(),
  sandbox_file_gb: z.int('a whole number').min(1, 'at least 1').max(1_000_000, 'at most 1000000').optional(),
  tree_gb: z.int('a whole number').min(1, 'at least 1').max(1_000_000, 'at most 1000000').optional(),
  memory: text('an amount of memory from 64MiB, like 4GiB', MEMORY).optional(),
  network: NETWORK.optional(),
  reachable: oneOf(['warn', 'refuse', 'off']).optional(),
  traces: flag().optional(),
});

const CommentName = text('a word of letters, digits and "-" with which comments begin', /^[A-Za-z][A-Za-z0-9-]{0,38}$/);
const COMMENT_NAME_LIMIT = 5;

export const ServerFile = object({
  repositories: list(RepositoryEntry, ENTRY_LIMIT).min(
    1,
    advised('at least one repository', 'add { match: owner/name }'),
  ),
  workflows: mapping('a name of letters, digits, "_" and "-"', /^[A-Za-z0-9][\w-]{0,99}$/, Workflow).optional(),
  policies: list(Policy, POLICY_LIMIT).optional(),
  windows: list(WindowEntry, WINDOW_LIMIT).optional(),
  budgets: list(BudgetEntry, BUDGET_LIMIT).optional(),
  waves: list(WaveEntry, WAVE_LIMIT).optional(),
  pools: list(PoolEntry, MEMBER_LIMIT).optional(),
  terraform: Terraform.optional(),
  storage: Storage,
  retention: Retention.optional(),
  audit: Audit.optional(),
  notifications: Notifications.optional(),
  deployments: Deployments.optional(),
  protection_rules: list(ProtectionRuleEntry, PROTECTION_RULE_LIMIT).optional(),
  console: Console.optional(),
  verify_presses: flag().optional(),
  workflow_routing: oneOf(['automatic', 'manual']).optional(),
  comment_name: z
    .union(
      [CommentName, list(CommentName, COMMENT_NAME_LIMIT).min(1, 'at least one word')],
      'a word with which comments begin, or a list of such words',
    )
    .optional(),
  command_bots: list(
    text('the login of a bot, like "renovate[bot]"', /^[A-Za-z0-9][\w-]*\[bot\]$/),
    MEMBER_LIMIT,
  ).optional(),
});
export type ServerFile = z.infer<typeof ServerFile>;
