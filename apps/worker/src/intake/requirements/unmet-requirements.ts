import type { Comparison } from '@nereid/domain/lane';
import type { PullRequest } from '@nereid/forge';

/** Facts from the forge about a pull request whose head somebody wants to deploy by hand. */
export interface PullRequestFacts {
  /** The name of the forge. */
  readonly forge: string;
  readonly pullRequest: PullRequest;
  /** The branch that is deployed. */
  readonly deployedBranch: string;
  readonly approval: Approval;
  /** How its head compares with its base. */
  readonly comparison: Comparison;
}

/**
 * Whether somebody with write permission who brought none of it approved its head. Where it is not known who brought it, that
 * takes somebody with admin permission. `unknowable`: the forge has no reviews.
 */
export type Approval = 'given' | 'missing' | 'missing of an admin' | 'unknowable';

/** `undecided`: all other requirements are met, but the forge has not worked out yet whether it can be merged. */
export type Verdict =
  | { readonly kind: 'met' }
  | { readonly kind: 'unmet'; readonly sentences: readonly string[] }
  | { readonly kind: 'undecided' };

/** Judges the requirements of a manual deployment, with a sentence for each unmet one. Pure. */
export function judgeRequirements(facts: PullRequestFacts): Verdict {
  const sentences = [...unmetConditions(facts), ...unmetAlways(facts.pullRequest)];
  if (sentences.length > 0) return { kind: 'unmet', sentences };
  return facts.pullRequest.mergeable === null ? { kind: 'undecided' } : { kind: 'met' };
}

/** The requirement that `-f` does not skip either. Code from a fork never runs: its author would have our credentials. */
export function unmetAlways({ fromFork }: Pick<PullRequest, 'fromFork'>): readonly string[] {
  return fromFork ? [FORK] : [];
}

function unmetConditions(facts: PullRequestFacts): readonly string[] {
  const { forge, pullRequest, deployedBranch, approval, comparison } = facts;
  const { state, draft, baseBranch, mergeable } = pullRequest;
  return [
    ...(state === 'open' ? [] : ['the pull request has to be open']),
    ...(draft ? ['the pull request is a draft: mark it ready for review'] : []),
    ...(baseBranch === deployedBranch ? [] : [`the base of the pull request has to be ${deployedBranch}`]),
    ...(approval === 'given' ? [] : [NOT_APPROVED[approval](forge)]),
    ...(mergeable === false ? [`the pull request has conflicts with ${baseBranch}: resolve them`] : []),
    ...(UP_TO_DATE[comparison] ? [] : [`the pull request is behind ${baseBranch}: update its branch`]),
  ];
}

const NOT_APPROVED: Readonly<Record<Exclude<Approval, 'given'>, (forge: string) => string>> = {
  missing: () =>
    'the current head of the pull request has to be approved by somebody with write permission who is not its author, nor pushed to it',
  'missing of an admin': (forge) =>
    `${forge} does not know everybody who brought the current head of the pull request, so it has to be approved by somebody with admin permission who did not`,
  unknowable: (forge) =>
    `the current head of the pull request has to be approved, and ${forge} cannot say who approved it: merge it, or have an admin deploy it without requirements (-f)`,
};

/** Whether the head contains all of the base. */
const UP_TO_DATE: Readonly<Record<Comparison, boolean>> = {
  ahead: true,
  identical: true,
  behind: false,
  diverged: false,
};

const FORK =
  'the head of the pull request is in a fork, and plans of foreign code would run with our credentials: push the branch here';
