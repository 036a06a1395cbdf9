/** What the server's file says of repositories and of their roots, as it is written. A key of one line needs no other reader. */
import { PERMISSION_KEYS, type PermissionKey } from '@nereid/domain/actions';
import { CARRY_REVIEW } from '@nereid/domain/root';
import type { z } from 'zod';
import { described, flag, list, mapping, object, oneOf, text } from '../yaml/schema.ts';
import { ENV_FROM, ENVIRONMENT, IDENTITY } from './identity/identity-schema.ts';
import { GLOB, REPOSITORY_GLOB, ROOT_RULE } from '../settings/globs-schema.ts';
import { OVERRIDES } from '../settings/overrides.ts';
import {
  AFTER_FAILURE,
  DISTRIBUTION,
  EXACT_VERSION,
  HOSTS,
  NETWORK,
  PLAN_REVIEW,
  POOL_NAME,
  QUEUE,
  workflowNamed,
} from '../settings/settings-schema.ts';
import { AutoWhen } from './review/auto-when-schema.ts';
import { Review } from './review/review-schema.ts';
import { MEMBER_LIMIT, TEAMS, USERS } from '../settings/people-schema.ts';
import { PLAN_AGE, TIMEOUT } from '../settings/timeout.ts';

const PermissionRule = object({
  permission: described(
    oneOf(['write', 'maintain', 'admin']).optional(),
    'at least this permission on the repository',
    '`write`, `maintain`, `admin`',
  ),
  teams: TEAMS.optional(),
  users: USERS.optional(),
  not_author: described(
    flag().optional(),
    'not one of the people who [brought the change](reference/who-brought-a-change.md)',
    'flag',
  ),
});

/** When the rule of an action is judged. */
const CHECKED_WHEN: Readonly<Record<PermissionKey, string>> = {
  confirm: '**Confirm** is pressed',
  reject: '**Reject** is pressed',
  unlock: '**Unlock** is pressed, or somebody comments `nereid unlock`',
  rerun: "GitHub's **Re-run** is pressed on a deployment, or a revision is deployed in the console",
  plan: 'somebody comments `nereid plan`, or asks on the check run or in the console to plan a pull request again; checked for each root',
  apply: 'somebody comments `nereid apply`',
  apply_force:
    'somebody comments `nereid apply -f`, or [lets a deployment pass](guides/windows.md#in-an-emergency) stops and windows',
  extend: 'somebody [lets a plan wait for its review](guides/reviews.md#extend-a-review) for longer',
  cancel: 'somebody comments `nereid cancel`, or **Cancel** is pressed',
  force_unlock: 'somebody comments `nereid force-unlock`',
  stop: 'somebody [stops](guides/windows.md#stops) a repository',
  thaw: 'somebody ends all stops of a repository',
  skip_soak: 'somebody [skips a wave](guides/waves.md#after-a-failure) of a merge',
};

/** A rule for each action that permissions judge. */
const Permissions = object(
  Object.fromEntries(
    PERMISSION_KEYS.map((key) => [key, described(PermissionRule.optional(), CHECKED_WHEN[key])]),
  ) as Readonly<
    Record<PermissionKey, z.ZodOptional<typeof PermissionRule>> // As built.
  >,
);
export type Permissions = z.infer<typeof Permissions>;

const settings = {
  plan_review: PLAN_REVIEW.optional(),
  queue: QUEUE.optional(),
  on_failure: AFTER_FAILURE.optional(),
  workflow: workflowNamed('the name of a workflow').optional(),
  terraform_version: EXACT_VERSION.optional(),
  distribution: DISTRIBUTION.optional(),
  timeout: described(TIMEOUT.optional(), 'how long plans and applies may take'),
  max_plan_age: described(
    PLAN_AGE.optional(),
    'an older plan is made, and reviewed, again before it is applied; of several limits, the shortest counts',
    '`10m` to `30d`, like `24h` (any age)',
  ),
  hosts: HOSTS.optional(),
  network: described(
    NETWORK.optional(),
    "what commands of the root reach: everything that the worker reaches, or nothing; in the server's file only",
    '`host`, `none` (`terraform.network`)',
  ),
  environment: described(ENVIRONMENT.optional(), 'variables of the jobs, no secrets'),
  env_from: described(
    ENV_FROM.optional(),
    'secrets of the jobs, from files of the hosts: by phase, or for applies only',
  ),
  identity: described(IDENTITY.optional(), 'the token by which clouds recognise each job'),
  permissions: described(
    Permissions.optional(),
    "in the server's file only",
    '[rules](reference/server-file.md#permissions) by action',
  ),
  review: described(
    Review.optional(),
    "how many people confirm a plan, and of which teams; in the server's file only",
    '[keys](guides/reviews.md#several-reviewers) (one person)',
  ),
  auto_when: described(
    AutoWhen.optional(),
    "the plans that need nobody; in the server's file only",
    '[keys](guides/reviews.md#plans-that-need-nobody) (none)',
  ),
  carry_review: described(
    oneOf(CARRY_REVIEW).optional(),
    "whether answers to a plan that could not be used count for [an equal one](guides/reviews.md#equal-plans) that is made in its place; in the server's file only",
    '`never`, `same_plan` (`never`)',
  ),
  prepare_revert: described(
    flag().optional(),
    "whether [going back](reference/github.md#after-a-failed-apply) to the last good revision is planned after a failed apply; in the server's file only",
    'flag (`true`)',
  ),
};

const Settings = object(settings);
export type Settings = z.infer<typeof Settings>;

/** Of a whole repository. */
const own = {
  match: described(
    REPOSITORY_GLOB,
    'the repositories of this entry, ignoring case; a repository that no entry matches is never deployed',
    '`owner/name`, a glob',
  ),
  branch: described(
    text('the name of a branch, without refs/heads/').optional(),
    'the branch whose pushes are deployed',
    "text (the repository's default branch)",
  ),
  allowed_overrides: described(
    list(oneOf(OVERRIDES), OVERRIDES.length).optional(),
    'what `nereid.yaml` may set: `plan_review`, `workflow`, `terraform_version`, `distribution`, `queue`, `on_failure`, `timeout`',
    'list of keys (`[terraform_version]`)',
  ),
  allowed_hosts: described(
    list(POOL_NAME, MEMBER_LIMIT).optional(),
    'the [`hosts`](guides/pools.md) that `nereid.yaml` may ask for',
    'list of pools or labels (none)',
  ),
  modules_from: described(
    list(
      text('a repository as "owner/name"; "*" stands for any part of the name', new RegExp(`^[\\w.-]+/${GLOB}$`)),
      MEMBER_LIMIT,
    ).optional(),
    'private repositories of the same owner from which `init` may fetch [modules](reference/server-file.md#private-modules)',
    'list of `owner/name`, the name a glob (none)',
  ),
  lfs: described(
    flag().optional(),
    'hosts fetch the [files in Git LFS](guides/lfs-and-submodules.md) that a root may read',
    'flag (`false`)',
  ),
  pull_requests: described(
    oneOf(['off', 'plan']).optional(),
    'whether [pull requests are planned](guides/pull-requests.md): anybody who can push a branch then runs code in a sandbox',
    '`off`, `plan` (`off`)',
  ),
  pull_request_comment: described(
    oneOf(['changes', 'always', 'off']).optional(),
    'when the plans of a pull request also appear in [one comment](reference/github.md#the-comment): if something changes or fails, always, or never',
    '`changes`, `always`, `off` (`changes`)',
  ),
  fork_plans: described(
    oneOf(['never', 'on_command']).optional(),
    'whether pull requests from forks are planned: if somebody with write permission comments `nereid plan`, exactly the head that was there is planned',
    '`never`, `on_command` (`never`)',
  ),
  plan_all_bases: described(
    flag().optional(),
    'whether pull requests into other branches than the deployed one are planned as well',
    'flag (`false`)',
  ),
  stale: described(
    oneOf(['show', 'block']).optional(),
    'what [`nereid/plan` of a pull request](guides/pull-requests.md#out-of-date) does while its plans are out of date: it keeps its conclusion and says so, or fails until they are up to date',
    '`show`, `block` (`show`)',
  ),
  unlock_on_merge: described(
    flag().optional(),
    'whether a merge of exactly what was deployed manually lifts the [lock](reference/github.md#locks) of that deployment',
    'flag (`true`)',
  ),
};

export const RepositoryEntry = object({
  ...own,
  roots: described(
    mapping(ROOT_RULE.expected, ROOT_RULE.pattern, Settings).optional(),
    '[rules](reference/server-file.md#rules-for-roots); take precedence over the settings of all entries, and no repository can override them',
    '[settings](reference/server-file.md#settings) by directory',
  ),
  ...settings,
});
export type RepositoryEntry = z.infer<typeof RepositoryEntry>;

export const SETTING_KEYS = Object.keys(settings) as readonly (keyof typeof settings)[]; // Its keys.
export const REPOSITORY_KEYS = Object.keys(own) as readonly (keyof typeof own)[]; // Its keys.
export type RepositoryKey = (typeof REPOSITORY_KEYS)[number];
