import type { PermissionKey } from '../actions/actions.ts';

export const DISTRIBUTIONS = ['terraform', 'tofu'] as const;
export const QUEUES = ['every', 'newest'] as const;

/** From the least careful to the most, like those below: of several rules the strictest counts. */
export const ON_FAILURE = ['continue', 'halt'] as const;
/** `host`: all that the worker reaches. */
export const NETWORKS = ['host', 'none'] as const;
/**
 * `required`: a person reviews every plan with changes. `auto`: nobody does. `auto_unless_destroy`: a person reviews plans that
 * destroy or replace. `before_merge`: like `required`, but the review may come before the merge, on the pull request; after
 * it, everything is known that others have merged.
 */
export const PLAN_REVIEWS = ['auto', 'auto_unless_destroy', 'before_merge', 'required'] as const;

export type Distribution = (typeof DISTRIBUTIONS)[number];
export type Network = (typeof NETWORKS)[number];
export type PlanReviewPolicy = (typeof PLAN_REVIEWS)[number];

/**
 * A root as it travels with a signal: repository and server configuration resolved into one complete, plain object.
 */
export interface Root {
  /** Unique in the repository; letters, digits, `.`, `_`, `-`; at most 100 characters. */
  readonly name: string;
  /** Relative to the repository's top, `.` for the top itself, no trailing slash. */
  readonly dir: string;
  /** Where `dir` is behind symbolic links; absent when it is no other directory. */
  readonly realDir?: string;
  /** Terraform's workspace. */
  readonly workspace: string;
  /** The names of other roots in the same directory and workspace, whose backend is chosen by arguments; absent where there are none. */
  readonly twins?: readonly string[];
  readonly distribution: Distribution;
  /** An exact version. Without it, the newest that satisfies `required_version`, else the server's default. */
  readonly terraformVersion?: string;
  readonly planReview: PlanReviewPolicy;
  readonly queue: (typeof QUEUES)[number];
  readonly onFailure: (typeof ON_FAILURE)[number];
  /** Passed to plan, and to what else needs its variables, as `-var-file`; relative to the root's directory. */
  readonly varFiles: readonly string[];
  /**
   * How long a job may run, in milliseconds; from a minute to 24 hours. If it runs longer, Terraform is interrupted.
   * Fetching the revision and keeping the plan do not count.
   */
  readonly timeoutMs: { readonly plan: number; readonly apply: number };
  readonly steps: { readonly plan: readonly Step[]; readonly apply: readonly Step[] };
  readonly permissions: Permissions;
  /** Who has to confirm a plan that takes a review; absent where one person is enough. */
  readonly review?: ReviewRules;
  /** A plan that fits all of these is confirmed by them; absent where a person is always asked. */
  readonly autoWhen?: readonly AutoRule[];
  /** Answers to a plan that could not be used count for an equal one that is made in its place; absent where they never do. */
  readonly carryReview?: 'same_plan';
  /** The hosts that may run its code; absent for `DEFAULT_POOL`. Intake signs it with the rest of the root. */
  readonly pool?: string;
  /** What its code reaches; absent for what the server's file says of all roots. */
  readonly network?: Network;
}

/** The pool of hosts that nobody gave a name. */
export const DEFAULT_POOL = 'default';

export function poolOf({ pool = DEFAULT_POOL }: Pick<Root, 'pool'>): string {
  return pool;
}

/** One step of a job. Only `run` and `env` with `run` go to a shell; they come from the server's config alone. */
export type Step =
  | { readonly kind: 'init' | 'plan' | 'apply'; readonly extraArgs: readonly string[] }
  | { readonly kind: 'run'; readonly run: string }
  /** Fails. The root is declared in a way that cannot be deployed. */
  | { readonly kind: 'refuse'; readonly why: string }
  | { readonly kind: 'env'; readonly name: string; readonly run: string }
  | { readonly kind: 'env'; readonly name: string; readonly value: string };

/** The rules for the actions on a root. An action without rules takes the `least` of its row. */
export type Permissions = Readonly<Partial<Record<PermissionKey, PermissionRules>>>;

/** All of them must hold. */
export type PermissionRules = readonly PermissionRule[];

/** Every given part of a rule must hold. */
export interface PermissionRule {
  readonly permission?: 'write' | 'maintain' | 'admin';
  /** `org/slug`; membership in one of them suffices. */
  readonly teams?: readonly string[];
  /** Logins on the forge; being one of them suffices. */
  readonly users?: readonly string[];
  /** The person is none of those who brought the change. */
  readonly notAuthor?: boolean;
}

/** How many people confirm a plan, and of which teams. */
export interface ReviewRules {
  /** At least as many as there are teams, from 1 to 10. */
  readonly count: number;
  /** `org/slug`; a member of each confirms, and one person counts for one of them. */
  readonly eachOf: readonly string[];
  /** How long a plan waits for its review, in milliseconds; absent for a week, which is the longest. */
  readonly expiresMs?: number;
}

/** Plans that the server's file confirms itself, without a person. */
export interface AutoRule {
  /** Where the rule stands: a glob of directories, `name:` and a glob of names, or the repositories of an entry. */
  readonly of: string;
  /** The changes that no such plan makes. */
  readonly no: readonly RuledChange[];
  /** All changed resources are of such a type; `*` stands for any part of it. Absent: of any. */
  readonly onlyTypes?: readonly string[];
  readonly maxChanges?: number;
  /** The names of policies, each of which has passed the plan. */
  readonly policies?: readonly string[];
  /** SHA-256 of the rule as the server's file has it, 64 hex digits. */
  readonly digest: string;
}

/** From the least careful. */
export const CARRY_REVIEW = ['same_plan', 'never'] as const;
export type CarryReview = (typeof CARRY_REVIEW)[number];

export const RULED_CHANGES = ['destroy', 'replace', 'forget', 'change', 'create', 'import', 'move'] as const;
export type RuledChange = (typeof RULED_CHANGES)[number];

/** The longest name a root may have, so that every id built from it fits. */
export const ROOT_NAME_LIMIT = 100;
